import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A telephone number in E.164 (`+4917012345678`), Germany unless it says otherwise; as typed where it is none. */
export function internationalPhone(number: string): string {
  return parsePhoneNumberFromString(number, 'DE')?.number ?? number.trim();
}
