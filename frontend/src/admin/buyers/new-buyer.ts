/** What the form of a new buyer is filled with, so that its admin types as little as possible. */
import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';
import { useBuyers } from '../data/buyers';
import { useTemplates } from '../data/settings';
import type { BuyerValues } from './buyer-values';
import { probabilityLeft } from './suggestions';

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
