import cliProgress from 'cli-progress';

/** @param note shown beside the count from then on */
export type Advance = (by?: number, note?: string) => void;

/** Between two lines where standard error is no terminal. */
const LINE_EVERY_MS = 5000;

/**
 * Shows how far a long piece of work is, on standard error: standard output has its result alone.
 * @param unit what is counted, in the plural
 * @param total undefined where nobody knows it before the end
 */
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
      // Otherwise the first Ctrl-C would stop the bar and not the command.
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
