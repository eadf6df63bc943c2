/** Takes secrets out of texts that are kept or shown: what was sent to a partner and what came back. */

/** Characters of a text that are kept. */
const KEPT_CHARACTERS = 500;
const REMOVED = '[removed]';

/** Patterns see at most this much, which bounds their time on hostile answers. */
const SEARCHED_CHARACTERS = 20_000;

/** A field, header or query parameter whose name says that its value is secret. */
const NAMED_VALUE =
  /(?<name>(?<![\w.-])["']?[\w.-]*?(?:pass(?:word|wd)?|secret|token|api[-_]?key|app[-_]?key|user[-_]?key|authorization|credential|login[-_]?url|broker[-_]?url|fallback[-_]?url|signature|cookie)[\w.-]*["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&}<"']+)/gi;
/** Any link: its path or query may be a credential in itself, as an automatic login is. The host is kept. */
const LINK = /\b(https?:\\?\/\\?\/)(?:[^\s"'<>\\/@]*@)?([^\s"'<>\\/?#@]+)([^\s"'<>]*)/gi;
const AUTHORIZATION = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{6,}/gi;
/** What SMTP servers ask during a login, and may echo of it. */
const SMTP_CHALLENGE = /\b334\s+[A-Za-z0-9+/=]+/g;

/**
 * Removes links (their host stays), the values of fields that sound like secrets, and the given secrets wherever and
 * however they are encoded; then cuts to 500 characters.
 * @param secrets the secrets of this very call, in plain text
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = text;
  // Longer ones first: a secret may be a part of another one, whose rest would stay.
  const forms = secrets.flatMap(formsOf).sort((one, other) => other.length - one.length);
  for (const form of forms) result = result.replaceAll(form, REMOVED);
  result = result
    .slice(0, SEARCHED_CHARACTERS)
    .replace(LINK, (_, scheme: string, host: string, rest: string) =>
      rest === '' || rest === '/' ? `${scheme}${host}` : `${scheme}${host}/${REMOVED}`,
    )
    .replace(AUTHORIZATION, `$1 ${REMOVED}`)
    .replace(SMTP_CHALLENGE, `334 ${REMOVED}`)
    .replace(NAMED_VALUE, `$<name>${REMOVED}`)
    .replace(/\s+/g, ' ')
    .trim();
  return cut(result.toWellFormed());
}

/** Never half of a surrogate pair: the table takes no such text. */
function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= KEPT_CHARACTERS
    ? text
    : `${characters.slice(0, KEPT_CHARACTERS - 1).join('')}…`;
}

/** A secret as it may be echoed: plain, in JSON, in a URL, in base64. Very short ones would remove innocent text. */
function formsOf(secret: string): string[] {
  if (secret.length < 4) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    // As PHP writes JSON, which TrackBox and others are made with.
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
