/** How names, addresses and phone numbers are compared in a search: in the same form on both sides (ADR 8). */

/** Fewer digits are not looked for within phone numbers. */
export const MIN_PHONE_DIGITS = 4;
/** Of a phone number; E.164 allows 15, to which a leading zero may come. */
export const MAX_PHONE_DIGITS = 16;
/** Once the country code is off, a beginning of a number may be this short: of `+4917` it is `017`. */
const MIN_BEGINNING_DIGITS = 3;

/** Lower case, umlauts written out (`ü` as `ue`), other marks dropped. */
export function normalise(text: string): string {
  return withoutMarks(
    text.toLowerCase().replace(/[äöüß]/g, (letter) => (letter === 'ß' ? 'ss' : `${withoutMarks(letter)}e`)),
  );
}

/**
 * Lower case, every mark dropped (`ü` as `u`), and with it what takes two code units, so that no cut goes through the
 * middle of a character.
 */
function withoutMarks(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cs}\u{10000}-\u{10ffff}]/gu, '');
}

/**
 * The spellings under which a text is found, each once: both `Müller` and `Mueller` under `mueller` and `muller`. The
 * last are short of an `e` that may stand for two dots: nobody types `Bauer` as `baur`, but nothing tells that `Mueller`
 * is not such a name.
 */
export function spellings(text: string): string[] {
  const bare = withoutMarks(text);
  return [...new Set([normalise(text), bare, bare.replace(/([aou])e/g, '$1')])];
}

/** The spellings to look for when this was typed: `Müller` means `Mueller` and `Muller` too, `Mueller` only itself. */
export function typedSpellings(text: string): string[] {
  return [...new Set([normalise(text), withoutMarks(text)])];
}

/** The runs of letters and digits in a text. */
export function tokens(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}

/** A telephone number as a person or a spreadsheet wrote it: digits and what people put between them. */
const WITHOUT_PREFIX = /^[1-9(][\d\s()/.-]*$/;
const MIN_DIGITS = 6;
/** More digits than German numbers have without their zero, or the code of a country nearby before a whole number. */
const WITH_COUNTRY_CODE = /^(4[139]\d{9}|\d{12})/;

export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

/**
 * Completes a telephone number that has neither a plus nor a zero in front, the same for every way in. It has a country code,
 * and gets a plus, if it has more digits than German numbers have, or begins with 49, 43 or 41 and has at least 11 digits. Every
 * other one is a German number without its zero. So `491701234567` is `+491701234567`, while `4941 123456` and `04941 123456`
 * both stay in Aurich. Texts that begin with a plus or a zero, that are too short, or that have other characters do not change.
 */
export function withPhonePrefix(phone: string): string {
  const text = phone.trim();
  const digits = digitsOf(text);
  if (!WITHOUT_PREFIX.test(text) || digits.startsWith('0') || digits.length < MIN_DIGITS) return phone;
  return `${WITH_COUNTRY_CODE.test(digits) ? '+' : '0'}${text}`;
}

/** A German phone number's digits as written within the country (`0151…`), others with their country code (`43660…`). */
export function phoneDigits(phone: string): string {
  const text = withPhonePrefix(withoutTrunkZero(phone));
  const digits = digitsOf(text);
  if (/^\s*(\+|00)/.test(text)) return national(digits.replace(/^00/, ''));
  return digits.startsWith('0') || digits === '' ? digits : `0${digits}`;
}

/** Digits to look for in `phoneDigits` of a number, anywhere or only at its start. */
export interface PhonePart {
  readonly digits: string;
  readonly atStart: boolean;
}

/**
 * What a text can mean as a part of a phone number; a number matches if it has one of the parts. `4917` is a part of
 * `0151 4917…` and the beginning of `+49 17…`.
 * @returns nothing for a text with other characters, or with less than four digits
 */
export function phoneParts(query: string): PhonePart[] {
  if (!isNumber(query)) return [];
  const text = withoutTrunkZero(query).trim();
  const digits = digitsOf(text);
  if (digits.length < MIN_PHONE_DIGITS) return [];
  const abroad = text.startsWith('+') ? digits : /^00(.+)/.exec(digits)?.[1];
  const beginning = abroad === undefined ? /^4?9(.+)/.exec(digits)?.[1] : undefined;
  return [
    { digits, atStart: false, wanted: !text.startsWith('+') },
    { digits: national(abroad ?? ''), atStart: true, wanted: abroad !== undefined },
    { digits: `0${beginning ?? ''}`, atStart: true, wanted: beginning !== undefined },
  ]
    .filter((part) => part.wanted && part.digits.length >= MIN_BEGINNING_DIGITS)
    .map((part) => ({ digits: part.digits, atStart: part.atStart }));
}

/** Whether a phone number has one of the parts. */
export function hasPhonePart(phone: string, parts: readonly PhonePart[]): boolean {
  const its = phoneDigits(phone);
  return parts.some(({ digits, atStart }) => (atStart ? its.startsWith(digits) : its.includes(digits)));
}

/** The words of a search as typed; a phone number written with spaces is one of them. */
export function typedWords(query: string): string[] {
  const words: string[] = [];
  for (const word of query.split(/\s+/).filter((piece) => piece !== '')) {
    const last = words.at(-1);
    if (last !== undefined && isNumber(last) && isNumber(word)) words[words.length - 1] = `${last} ${word}`;
    else words.push(word);
  }
  return words;
}

/** Whether a text is written as phone numbers are: digits and what people put between them. */
function isNumber(text: string): boolean {
  return /^[+\d\s()/.-]+$/.test(text);
}

/** The zero in `+49 (0)151` is not dialled after a country code. */
function withoutTrunkZero(phone: string): string {
  return phone.replace('(0)', '');
}

/** @param digits with a country code, and perhaps with the zero that is not dialled after it */
function national(digits: string): string {
  return digits.startsWith('49') ? `0${digits.slice(2).replace(/^0/, '')}` : digits;
}

/**
 * A filter for lists that are searched in the browser.
 * @returns whether the texts of a row contain every word of the query in any spelling, or its phone number has it
 */
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
