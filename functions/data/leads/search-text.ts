/** How names, addresses and numbers are compared in a search: the same form on both sides. */

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
export function withoutMarks(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cs}\u{10000}-\u{10ffff}]/gu, '');
}

/** A phone number's digits as written within the country: without `+49`, `0049` or the leading zero. */
export function phoneDigits(text: string): string {
  const international = /^\s*(\+|00)/.test(text);
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  if (international) return digits.startsWith('49') ? digits.slice(2).replace(/^0/, '') : digits;
  return digits.replace(/^0/, '');
}

/** The runs of letters and digits in a text. */
export function tokens(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}
