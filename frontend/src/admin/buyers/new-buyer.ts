/** What the form of a new buyer is filled with, so that its admin types as little as possible. */
import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { isEmailAddress } from '#shared/rules/validation';
import { type Buyer, useBuyers } from '../data/buyers';
import { useTemplates } from '../data/settings';
import type { BuyerValues } from './buyer-values';

/** Their customers have nothing in common but the domain. */
const MAILBOX_PROVIDERS =
  /^(aol|freenet|gmail|gmx|googlemail|hotmail|icloud|mailbox|outlook|posteo|t-online|web|yahoo)$/;

/** `maier-finanz` for `leads@maier-finanz.de`, `max.maier` for `max.maier@gmx.de`; nothing for what is no address yet. */
export function suggestedBuyerId(email: string, buyers: readonly Pick<Buyer, 'buyer_id'>[]): string {
  const address = email.trim().toLowerCase();
  if (!isEmailAddress(address)) return '';
  const [name = '', domain = ''] = address.split('@');
  const company = domain.split('.').at(-2) ?? '';
  const id = (MAILBOX_PROVIDERS.test(company) ? name : company).replaceAll(/[^a-z0-9._-]/g, '').slice(0, 60);
  const isFree = (candidate: string) => buyers.every(({ buyer_id }) => buyer_id !== candidate);
  return [id, ...buyers.map((_, at) => `${id}-${at + 2}`)].find(isFree) ?? '';
}

/** What the others leave, the inactive ones as well: they count again with their next order. Nothing where they leave nothing. */
export function probabilityLeft(buyers: readonly Pick<Buyer, 'probability' | 'deleted'>[]): string {
  const present = buyers.filter(({ deleted }) => !deleted);
  const left = Math.round(present.reduce((rest, { probability }) => rest - probability, 100) * 100) / 100;
  return left > 0 ? formatNumber(left) : '';
}

/** Fills in what depends on other buyers and templates, once these are known, and leaves what was typed before. */
export function useNewBuyerDefaults({
  isTouched,
  getValues,
  setFieldValue,
  resetDirty,
}: UseFormReturnType<BuyerValues>): void {
  const { data: buyers } = useBuyers();
  const { data: templates } = useTemplates();
  const probability = buyers && probabilityLeft(buyers);
  const template = templates?.length === 1 ? templates[0]?.id : undefined;
  useEffect(() => {
    const defaults = { probability, email_template_id: template };
    for (const name of ['probability', 'email_template_id'] as const) {
      const value = defaults[name];
      if (value === undefined || isTouched(name) || getValues()[name] !== '') continue;
      setFieldValue(name, value);
      resetDirty();
    }
  }, [probability, template, isTouched, getValues, setFieldValue, resetDirty]);
}
