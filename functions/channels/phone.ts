/**
 * A telephone number in E.164 (`+4917012345678`), Germany unless it says otherwise; as typed where it is none. The
 * countries' plans are loaded with the first number: an e-mail needs none.
 */
export async function internationalPhone(number: string): Promise<string> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  return parsePhoneNumberFromString(number, 'DE')?.number ?? number.trim();
}
