/** The checks without a provider refuse only what is certainly wrong. */
import type { Person } from '#functions/data/leads/lead';
import type { CheckResult } from '#functions/verification/verification';
import { lazy } from '#shared/rules/lazy';
import { withPhonePrefix } from '#shared/rules/search-text';
import { isEmailAddress } from '#shared/rules/validation';

export const VALID: CheckResult = { status: 'valid', note: null };
export const invalid = (note: string): CheckResult => ({ status: 'invalid', note });
/** The provider is certain that the subject does not exist. */
export const dead = (note: string): CheckResult => ({ status: 'invalid', note, dead: true });
export const unknown = (note: string): CheckResult => ({ status: 'unknown', note });

export function checkEmail({ email }: Pick<Person, 'email'>): CheckResult {
  return isEmailAddress(email) ? VALID : invalid('E-mail: not an e-mail address');
}

/** 190 KB. Called without awaiting at the start of some functions, to load while the first call waits for the table. */
export const phonePlans = lazy(() => import('libphonenumber-js/max'));

export const NO_PHONE_NUMBER = invalid('Phone: not a telephone number');

/** Without a country code the number counts as German (`withPhonePrefix`). */
export async function checkPhone({ telefon }: Pick<Person, 'telefon'>): Promise<CheckResult> {
  const { parsePhoneNumberFromString } = await phonePlans();
  const number = parsePhoneNumberFromString(withPhonePrefix(telefon), 'DE');
  if (number === undefined) return NO_PHONE_NUMBER;
  return number.isValid()
    ? VALID
    : invalid(`Phone: not a valid number in ${number.country ?? 'its country'}`);
}

/** E.164. */
export async function phoneNumber(telefon: string): Promise<string | undefined> {
  const { parsePhoneNumberFromString } = await phonePlans();
  return parsePhoneNumberFromString(withPhonePrefix(telefon), 'DE')?.number;
}

/** Letters of any script and the separators within names; at least one letter. */
const NAME = /^(?=.*\p{L})[\p{L}\p{M}\s'’`´ʼ.,()·‐‑–-]+$/u;
const SAME_LETTER = /(\p{L})\1{3,}/iu;
/** Neighbouring keys of German and English keyboards. */
const KEYBOARD_RUNS = /^(asdf|qwert|qwer|yxcv|zxcv|jkl|sdfg|dfgh|fghj|hjkl|wert|uiop)/i;
const PLACEHOLDERS = new Set([
  'test',
  'testtest',
  'tester',
  'xxx',
  'abc',
  'abcd',
  'foo',
  'bar',
  'foobar',
  'unknown',
  'unbekannt',
  'anonym',
  'none',
  'null',
  'undefined',
  'nachname',
  'vorname',
  'name',
  'keine',
  'kein',
]);
/** At least six Latin letters without a vowel (`y` counts as one). */
const NO_VOWELS = /^(?=.{6,})[bcdfghjklmnpqrstvwxzß]+$/i;

export function checkName({ vorname, nachname }: Pick<Person, 'vorname' | 'nachname'>): CheckResult {
  for (const [part, label] of [
    [vorname, 'first name'],
    [nachname, 'last name'],
  ] as const) {
    const name = part.trim();
    if (!NAME.test(name)) return invalid(`Name: the ${label} contains characters that do not occur in names`);
    const word = name.toLowerCase();
    if (SAME_LETTER.test(word) || KEYBOARD_RUNS.test(word) || PLACEHOLDERS.has(word) || NO_VOWELS.test(word))
      return invalid(`Name: the ${label} is not a name`);
  }
  return VALID;
}
