/** Texts and search words in the same form (ADR 8). */

export const MIN_PHONE_DIGITS = 4;
/** E.164 allows 15, plus a leading zero. */
export const MAX_PHONE_DIGITS = 16;
/** Without its country code a prefix may be this short: `+4917` is `017`. */
const MIN_BEGINNING_DIGITS = 3;

/** `ü` becomes `ue`; other marks are dropped. */
export function normalise(text: string): string {
  return withoutMarks(
    text.toLowerCase().replace(/[äöüß]/g, (letter) => (letter === 'ß' ? 'ss' : `${withoutMarks(letter)}e`)),
  );
}

/** `ü` becomes `u`. Characters of two code units are dropped, so that no cut splits one. */
function withoutMarks(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cs}\u{10000}-\u{10ffff}]/gu, '');
}

/** `Müller` and `Mueller` are found as `mueller` and `muller`. */
export function spellings(text: string): string[] {
  const bare = withoutMarks(text);
  return [...new Set([normalise(text), bare, bare.replace(/([aou])e/g, '$1')])];
}

/** `Müller` also means `Mueller` and `Muller`; `Mueller` means only itself. */
export function typedSpellings(text: string): string[] {
  return [...new Set([normalise(text), withoutMarks(text)])];
}

export function tokens(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}

/** Digits and what people put between them. */
const WITHOUT_PREFIX = /^[1-9(][\d\s()/.-]*$/;
const MIN_DIGITS = 6;
/** More digits than German numbers have, or the code of a neighbouring country before a whole number. */
const WITH_COUNTRY_CODE = /^(4[139]\d{9}|\d{12})/;

export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

/**
 * Completes a number that starts with neither plus nor zero. With more digits than German numbers have, or with 49, 43 or 41
 * and at least 11 digits, it has a country code; any other is German without its zero. So `491701234567` is `+491701234567`,
 * while `4941 123456` stays in Aurich.
 */
export function withPhonePrefix(phone: string): string {
  const text = phone.trim();
  const digits = digitsOf(text);
  if (!WITHOUT_PREFIX.test(text) || digits.startsWith('0') || digits.length < MIN_DIGITS) return phone;
  return `${WITH_COUNTRY_CODE.test(digits) ? '+' : '0'}${text}`;
}

/** German numbers nationally (`0151…`), others with country code (`43660…`). */
export function phoneDigits(phone: string): string {
  const text = withPhonePrefix(withoutTrunkZero(phone));
  const digits = digitsOf(text);
  if (/^\s*(\+|00)/.test(text)) return national(digits.replace(/^00/, ''));
  return digits.startsWith('0') || digits === '' ? digits : `0${digits}`;
}

/** Digits within `phoneDigits`, or at its start. */
export interface PhonePart {
  readonly digits: string;
  readonly atStart: boolean;
}

/** A number matches any of the parts. `4917` is a part of `0151 4917…` and the start of `+49 17…`. */
export function phoneParts(query: string): PhonePart[] {
  if (!isNumber(query)) return [];
  const text = withoutTrunkZero(query).trim();
  const digits = digitsOf(text);
  if (digits.length < MIN_PHONE_DIGITS) return [];
  const abroad = text.startsWith('+') ? digits : /^00(.+)/.exec(digits)?.[1];
  const beginning = abroad === undefined ? /^4?9(.+)/.exec(digits)?.[1] : undefined;
  // A part that does not apply is empty, hence too short.
  return [
    { digits: text.startsWith('+') ? '' : digits, atStart: false },
    { digits: national(abroad ?? ''), atStart: true },
    { digits: `0${beginning ?? ''}`, atStart: true },
  ].filter((part) => part.digits.length >= MIN_BEGINNING_DIGITS);
}

export function hasPhonePart(phone: string, parts: readonly PhonePart[]): boolean {
  const its = phoneDigits(phone);
  return parts.some(({ digits, atStart }) => (atStart ? its.startsWith(digits) : its.includes(digits)));
}

/** A phone number with spaces is one word. */
export function typedWords(query: string): string[] {
  const words: string[] = [];
  for (const word of query.split(/\s+/).filter((piece) => piece !== '')) {
    const last = words.at(-1);
    if (last !== undefined && isNumber(last) && isNumber(word)) words[words.length - 1] = `${last} ${word}`;
    else words.push(word);
  }
  return words;
}

function isNumber(text: string): boolean {
  return /^[+\d\s()/.-]+$/.test(text);
}

/** The zero in `+49 (0)151` is not dialled. */
function withoutTrunkZero(phone: string): string {
  return phone.replace('(0)', '');
}

/** @param digits with country code, maybe with the trunk zero */
function national(digits: string): string {
  return digits.startsWith('49') ? `0${digits.slice(2).replace(/^0/, '')}` : digits;
}

export function matcher(query: string): (texts: readonly string[], phone: string) => boolean {
  const words = typedWords(query).map((word) => ({
    pieces: word.split(' ').map((piece) => [piece.toLowerCase(), ...typedSpellings(piece)]),
    parts: phoneParts(word),
  }));
  return (texts, phone) => {
    const text = texts.join('\n');
    const spelled = [text.toLowerCase(), ...spellings(text)];
    const has = (typed: readonly string[]) =>
      typed.some((each) => each !== '' && spelled.some((spelling) => spelling.includes(each)));
    return words.every(({ pieces, parts }) => pieces.every(has) || hasPhonePart(phone, parts));
  };
}
