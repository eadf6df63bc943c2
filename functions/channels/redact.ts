const KEPT_CHARACTERS = 500;
const REMOVED = '[removed]';

/** Bounds the time of the patterns on hostile answers. */
const SEARCHED_CHARACTERS = 20_000;

const NAMED_VALUE =
  /(?<name>(?<![\w.-])["']?[\w.-]*?(?:pass(?:word|wd)?|secret|token|api[-_]?key|app[-_]?key|user[-_]?key|authorization|credential|login[-_]?url|broker[-_]?url|fallback[-_]?url|signature|cookie)[\w.-]*["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&}<"']+)/gi;
/** The path or query of any link may be a credential, such as an automatic login. The host stays. */
const LINK = /\b(https?:\\?\/\\?\/)(?:[^\s"'<>\\/@]*@)?([^\s"'<>\\/?#@]+)([^\s"'<>]*)/gi;
const AUTHORIZATION = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi;
/** Challenges may repeat parts of an SMTP login. */
const SMTP_CHALLENGE = /\b334\s+[A-Za-z0-9+/=]+/g;

/**
 * @param secrets of this call @param open was sent and is not secret, such as an address, which may contain one by
 * chance
 */
export function redact(
  text: string,
  secrets: readonly string[] = [],
  open: readonly string[] = [],
  kept = KEPT_CHARACTERS,
): string {
  const result = withoutSecrets(text, secrets, open)
    .slice(0, SEARCHED_CHARACTERS)
    .replace(LINK, (_, scheme: string, host: string, rest: string) =>
      rest === '' || rest === '/' ? `${scheme}${host}` : `${scheme}${host}/${REMOVED}`,
    )
    .replace(AUTHORIZATION, `$1 ${REMOVED}`)
    .replace(SMTP_CHALLENGE, `334 ${REMOVED}`)
    .replace(NAMED_VALUE, `$<name>${REMOVED}`)
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(result.toWellFormed(), kept);
}

export function withoutSecrets(text: string, secrets: readonly string[], open: readonly string[]): string {
  const removed = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    // Longer ones first: otherwise the rest of a secret that contains another would be left.
    .sort((one, other) => other.length - one.length)
    .map(patternOf)
    .join('|');
  if (removed === '') return text;
  const [within, whole] = [new RegExp(removed), new RegExp(`^(?:${removed})$`)];
  const kept = [...new Set(open.flatMap(formsOf))]
    .filter((form) => within.test(form) && !whole.test(form))
    .sort((one, other) => other.length - one.length)
    .map((form) => `${quoted(form)}|`)
    .join('');
  return text.replace(new RegExp(`${kept}(?<secret>${removed})`, 'g'), (found, ...rest) => {
    const { secret }: Record<string, unknown> = Object(rest.at(-1));
    return secret === undefined ? found : REMOVED;
  });
}

const MIN_SECRET_CHARACTERS = 4;

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A short secret that could be a word is only removed as a whole word: "pass" stays in "compass". */
function patternOf(secret: string): string {
  const inBase64 = ['base64', 'base64url'] as const;
  const either = inBase64.map((encoding) => quoted(Buffer.from(secret).toString(encoding)));
  if (/^[a-z]{1,9}$/i.test(secret)) either.push(`(?<![a-z])${secret}(?![a-z])`);
  // A secret's backslashes could also belong to escapes. Matching both makes the pattern too slow on hostile answers.
  else if (secret.includes('\\')) either.push(...formsOf(secret).map(quoted));
  else either.push(Array.from(secret, spellingsOf).join(''));
  return either.join('|');
}

const ENTITIES = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

const hex = (number: number, digits: number) =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A character as answers repeat it: plain, in JSON (also nested), in a URL, and in XML or HTML. */
function spellingsOf(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const code = character.codePointAt(0) ?? 0;
  const entity = ENTITIES.get(character);
  const inUnits = units.map((unit) => `\\\\{1,8}u${hex(unit, 4)}`).join('');
  const either = [
    quoted(character),
    Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2)}`).join(''),
    `&(?:amp;){0,3}(?:#0{0,5}${code}|#[xX]0{0,5}${hex(code, 1)}${entity === undefined ? '' : `|${entity}`});`,
    ...(character === ' ' ? ['\\+'] : []),
  ];
  const isEscaped = /["'/]/.test(character);
  return `(?:${inUnits}|${isEscaped ? '\\\\{0,8}' : ''}(?:${either.join('|')}))`;
}

/** As an answer may repeat it: plain, in JSON, in a URL, in base64. */
function formsOf(text: string): string[] {
  if (text.length < MIN_SECRET_CHARACTERS) return [];
  const json = JSON.stringify(text).slice(1, -1);
  return [
    text,
    json,
    // As PHP encodes JSON.
    json
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams({ text }).toString().slice('text='.length),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
  ];
}

/** Ends with an ellipsis if cut. By Unicode characters, because the table refuses half of a surrogate pair. */
export function shorten(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
