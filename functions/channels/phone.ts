import { lazy } from '#shared/rules/lazy';
import { withPhonePrefix } from '#shared/rules/search-text';

const numberPlans = lazy(() => import('libphonenumber-js/min'));

/**
 * A telephone number in E.164 (`+4917012345678`); without a country code it counts as German (`withPhonePrefix`). Text that is no number is
 * only trimmed. The library with the numbering plans is loaded on the first call, because e-mails do not need it.
 */
export async function internationalPhone(number: string): Promise<string> {
  const { parsePhoneNumberFromString } = await numberPlans();
  return parsePhoneNumberFromString(withPhonePrefix(number), 'DE')?.number ?? number.trim();
}

/** The digits of a telephone number as they are dialled within its country (`01701234567`); of other text as above. */
export async function nationalPhone(number: string): Promise<string> {
  const { parsePhoneNumberFromString } = await numberPlans();
  return (
    parsePhoneNumberFromString(withPhonePrefix(number), 'DE')?.formatNational().replace(/\D/g, '') ??
    number.trim()
  );
}
