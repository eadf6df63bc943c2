import type { Renewal } from '#shared/rules/constants';

/** What happens when an order is full, as it is chosen. @param prepay then an order cannot renew itself */
export function renewalChoices(prepay: boolean): { value: Renewal; label: string; disabled?: boolean }[] {
  return [
    { value: 'none', label: 'It ends' },
    { value: 'ask', label: 'The buyer may ask for the next one by its link' },
    {
      value: 'auto',
      label: `The next one opens by itself${prepay ? ' (postpay buyers only)' : ''}`,
      disabled: prepay,
    },
  ];
}
