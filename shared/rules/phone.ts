/** A telephone number as a person or a spreadsheet wrote it: digits and what people put between them. */
const WITHOUT_PREFIX = /^[1-9(][\d\s()/.-]*$/;
const MIN_DIGITS = 6;
/** Without the zero in front. */
const MAX_GERMAN_DIGITS = 11;
const COUNTRIES_NEARBY = /^4[139]/;
/** From this length on, a number with the code of Germany, Austria or Switzerland is not taken for a German one without its zero. */
const MIN_DIGITS_WITH_NEARBY_CODE = 11;

/**
 * Completes a telephone number that has neither a plus nor a zero in front, the same for every way in. It has a country code,
 * and gets a plus, if it has more digits than German numbers have, or begins with 49, 43 or 41 and has at least 11 digits. Every
 * other one is a German number without its zero. So `491701234567` is `+491701234567`, while `4941 123456` and `04941 123456`
 * both stay in Aurich. Texts that begin with a plus or a zero, that are too short, or that have other characters do not change.
 */
export function withPhonePrefix(phone: string): string {
  const text = phone.trim();
  const digits = text.replace(/\D/g, '');
  if (!WITHOUT_PREFIX.test(text) || digits.startsWith('0') || digits.length < MIN_DIGITS) return phone;
  const hasCountryCode =
    digits.length > MAX_GERMAN_DIGITS ||
    (COUNTRIES_NEARBY.test(digits) && digits.length >= MIN_DIGITS_WITH_NEARBY_CODE);
  return `${hasCountryCode ? '+' : '0'}${text}`;
}
