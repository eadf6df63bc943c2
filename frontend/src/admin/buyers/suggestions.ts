/** Suggestions in the form of a new buyer. */
import { formatNumber } from '#shared/rules/formats';
import { isEmailAddress } from '#shared/rules/validation';

/** Mail providers: a shared domain does not mean a shared company. */
const MAILBOX_PROVIDERS =
  /^(aol|freenet|gmail|gmx|googlemail|hotmail|icloud|mailbox|outlook|posteo|t-online|web|yahoo)$/;

/** `maier-finanz` for `leads@maier-finanz.de`, `max.maier` for `max.maier@gmx.de`; nothing for an incomplete address. */
export function suggestedBuyerId(email: string, buyers: readonly { readonly buyer_id: string }[]): string {
  const address = email.trim().toLowerCase();
  if (!isEmailAddress(address)) return '';
  const [name = '', domain = ''] = address.split('@');
  const company = domain.split('.').at(-2) ?? '';
  const id = (MAILBOX_PROVIDERS.test(company) ? name : company).replaceAll(/[^a-z0-9._-]/g, '').slice(0, 60);
  const isFree = (candidate: string) => buyers.every(({ buyer_id }) => buyer_id !== candidate);
  return [id, ...buyers.map((_, at) => `${id}-${at + 2}`)].find(isFree) ?? '';
}

/** The weight that all other buyers leave, including inactive ones, because they count again with their next order. */
export function probabilityLeft(
  buyers: readonly { readonly probability: number; readonly deleted: boolean }[],
): string {
  const present = buyers.filter(({ deleted }) => !deleted);
  const left = Math.round(present.reduce((rest, { probability }) => rest - probability, 100) * 100) / 100;
  return left > 0 ? formatNumber(left) : '';
}
