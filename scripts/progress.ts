import cliProgress from 'cli-progress';

export type Advance = (by?: number, note?: string) => void;

/** If standard error is no terminal. */
const LINE_EVERY_MS = 5000;

/** On standard error, because standard output is for results. @param total undefined if unknown */
export async function withProgress<T>(
  unit: string,
  total: number | undefined,
  work: (advance: Advance) => Promise<T>,
): Promise<T> {
  const bar = new cliProgress.SingleBar(
    {
      format:
        total === undefined
          ? `{value} ${unit} | {duration_formatted}`
          : `{bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted}{note}`,
      noTTYOutput: true,
      notTTYSchedule: LINE_EVERY_MS,
      etaBuffer: 100,
      // Otherwise the first Ctrl-C stops only the bar.
      gracefulExit: false,
      linewrap: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total ?? 0, 0, { note: '' });
  try {
    return await work((by = 1, note) =>
      bar.increment(by, note === undefined ? {} : { note: note === '' ? '' : ` | ${note}` }),
    );
  } finally {
    bar.stop();
  }
}
