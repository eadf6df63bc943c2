import { lazy } from '#shared/rules/lazy';
import { withPhonePrefix } from '#shared/rules/search-text';

const numberPlans = lazy(() => import('libphonenumber-js/min'));

async function parsed(number: string) {
  const { parsePhoneNumberFromString } = await numberPlans();
  return parsePhoneNumberFromString(withPhonePrefix(number), 'DE');
}

/** E.164 (`+4917012345678`); without a country code German (`withPhonePrefix`). Other text is only trimmed. */
export async function internationalPhone(number: string): Promise<string> {
  return (await parsed(number))?.number ?? number.trim();
}

/** As dialled within its country (`01701234567`). */
export async function nationalPhone(number: string): Promise<string> {
  return (await parsed(number))?.formatNational().replace(/\D/g, '') ?? number.trim();
}
