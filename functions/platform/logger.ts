/** Messages are fixed texts and fields are IDs, codes and numbers: never personal data or secrets. */

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

const MAX_REASON_CHARACTERS = 300;
/** Quotes contain input, often by a person. */
const QUOTED = /(?<!\w)(["'`]).*?\1(?!\w)/gs;
/** English words, codes (`ECONNREFUSED`) and names of classes or functions (`ValidationException`, `getLead`). */
const PLAIN_WORD = /^[([]?(?:[a-z]+(?:['-][a-z]+)*|[A-Z][A-Z_]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+)+)[)\].,:;!?]*$/;
const FIRST_WORD = /^[A-Z][a-z]+:?$/;

export function errorFields(error: unknown): { error: string; at?: string; reason?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s*at /.test(line)) ?? [];
  const frame = frames.find((line) => !/node_modules|\(?node:|<anonymous>/.test(line)) ?? frames[0];
  const reason = withoutData(error.message);
  return {
    error: error.name,
    ...(frame !== undefined && { at: frame.trim() }),
    ...(reason !== '' && { reason }),
  };
}

/** The message without what may be personal or secret: quoted parts, numbers, addresses, IDs, capitalised words. */
export function withoutData(message: string): string {
  return message
    .slice(0, 10 * MAX_REASON_CHARACTERS)
    .replace(QUOTED, ' … ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word, at) => (PLAIN_WORD.test(word) || (at === 0 && FIRST_WORD.test(word)) ? word : '…'))
    .join(' ')
    .replace(/…(?: …)+/g, '…')
    .slice(0, MAX_REASON_CHARACTERS);
}
