import type { Renewal } from '#shared/rules/constants';

export const RENEWAL = 'When the order is full';

/** Choices for a full order. @param prepay prepaid orders cannot renew automatically */
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
