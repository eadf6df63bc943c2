/** Initial values of a new buyer's form. */
import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';
import { useBuyers } from '../data/buyers';
import { useTemplates } from '../data/settings';
import type { BuyerValues } from './buyer-values';
import { probabilityLeft } from './suggestions';

/** Fills in values that depend on other buyers and templates once loaded. Typed values stay. */
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
