/** Removes secrets from requests to partners and their answers before they are stored or shown. */

const KEPT_CHARACTERS = 500;
const REMOVED = '[removed]';

/** The patterns run over at most this much, which bounds their time on hostile answers. */
const SEARCHED_CHARACTERS = 20_000;

/** A field, header or query parameter whose name suggests a secret value. */
const NAMED_VALUE =
  /(?<name>(?<![\w.-])["']?[\w.-]*?(?:pass(?:word|wd)?|secret|token|api[-_]?key|app[-_]?key|user[-_]?key|authorization|credential|login[-_]?url|broker[-_]?url|fallback[-_]?url|signature|cookie)[\w.-]*["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&}<"']+)/gi;
/** Any link, because its path or query may be a credential, such as an automatic login. The host stays. */
const LINK = /\b(https?:\\?\/\\?\/)(?:[^\s"'<>\\/@]*@)?([^\s"'<>\\/?#@]+)([^\s"'<>]*)/gi;
const AUTHORIZATION = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi;
/** Challenges of SMTP servers during a login, which may repeat parts of it. */
const SMTP_CHALLENGE = /\b334\s+[A-Za-z0-9+/=]+/g;

/**
 * Removes links (their host stays), the values of fields whose names suggest a secret, and the given secrets in all
 * usual encodings; then cuts it.
 * @param secrets the secrets used in this call, in plain text
 * @param open what was sent in this call and is no secret, such as an address, which may contain one by chance
 * @param kept characters; by default as many as a delivery attempt keeps
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
  return cut(result.toWellFormed(), kept);
}

/** Removes the given secrets alone. */
export function withoutSecrets(text: string, secrets: readonly string[], open: readonly string[]): string {
  const removed = new Set(secrets.flatMap(formsOf));
  if (removed.size === 0) return text;
  const kept = open
    .flatMap(formsOf)
    .filter((form) => !removed.has(form) && Array.from(removed).some((secret) => form.includes(secret)));
  // Longer ones first: where one is a part of another one, the rest of the longer one would be left.
  const forms = [...removed, ...kept].sort((one, other) => other.length - one.length);
  const either = new RegExp(forms.map((form) => patternOf(form, removed.has(form))).join('|'), 'g');
  return text.replace(either, (found) => (removed.has(found) ? REMOVED : found));
}

/** Of a short secret that could be a word only whole words are taken: "pass" stays in "compass". */
function patternOf(form: string, isSecret: boolean): string {
  const pattern = form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return isSecret && /^[a-z]{1,9}$/i.test(form) ? `(?<![a-z])${pattern}(?![a-z])` : pattern;
}

/** Cuts by Unicode characters: the table refuses a text with half of a surrogate pair. */
function cut(text: string, kept: number): string {
  const characters = Array.from(text);
  return characters.length <= kept ? text : `${characters.slice(0, kept - 1).join('')}…`;
}

/**
 * A secret as an answer may repeat it: plain, in JSON, in a URL, in base64. None below 4 characters, to spare words.
 */
function formsOf(secret: string): string[] {
  if (secret.length < 4) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    // As PHP encodes JSON, which TrackBox and others use.
    json
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ];
  return [...new Set(forms)];
}
