/** The checks that need nobody else: always on while the switch of their kind is. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Finding } from '#functions/verification/verification';
import { isEmailAddress } from '#shared/rules/validation';

const VALID: Finding = { verdict: 'valid', note: null };
const invalid = (note: string): Finding => ({ verdict: 'invalid', note });

export function checkEmail(email: string): Finding {
  return isEmailAddress(email) ? VALID : invalid('E-mail: not an address');
}

/** A number that libphonenumber knows as possible and valid; without a country code it is read as German. */
export function checkPhone(phone: string): Finding {
  const number = parsePhoneNumberFromString(phone, 'DE');
  return number?.isValid() === true ? VALID : invalid('Phone: not a valid number');
}

const NAME = /^\p{L}[\p{L}\p{M} .'’-]*$/u;
/** One character four times in a row is a key held down, not a name. */
const HELD_KEY = /(.)\1{3,}/iu;

export function checkName(vorname: string, nachname: string): Finding {
  for (const name of [vorname, nachname]) {
    if (!NAME.test(name)) return invalid('Name: letters expected');
    if (HELD_KEY.test(name)) return invalid('Name: looks like nonsense');
  }
  return VALID;
}
