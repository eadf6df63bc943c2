import type { Renewal } from '#shared/rules/constants';

export const RENEWAL = 'When the order is full';

/** What happens when an order is full, as it is chosen. @param prepay then an order cannot renew itself */
export function renewalChoices(prepay: boolean): { value: Renewal; label: string; disabled?: boolean }[] {
  return [
    { value: 'none', label: 'The order ends' },
    { value: 'ask', label: 'The buyer can request the next order on its link' },
    {
      value: 'auto',
      label: `The next order opens automatically${prepay ? ' (postpay buyers only)' : ''}`,
      disabled: prepay,
    },
  ];
}
