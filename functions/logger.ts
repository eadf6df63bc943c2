/**
 * One JSON line per event. A message is a fixed text and its fields are ids, codes and numbers: personal data and
 * secrets are never passed to it.
 */

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Level = 'info' | 'warn' | 'error';

export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export function createLogger(write: (line: string) => void): Logger {
  const at = (level: Level) => (message: string, fields?: Fields) =>
    write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The loggable fields of an error: its class and where it was thrown. Its text may contain personal data. */
export function errorFields(error: unknown): { error: string; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return frame === undefined ? { error: error.name } : { error: error.name, at: frame.trim() };
}
