export const STATUS_TONES = {
  assigned: 'good',
  pending: 'wait',
  discarded: 'neutral',
  refused: 'bad',
} as const;

/** Where a value is not its own text. */
const TEXTS: Readonly<Record<string, string>> = {
  reimbursement: 'Replacement',
  accepted: 'All but refused',
  any: 'Claimed',
  none: 'Not claimed',
  yes: 'With consent',
  no: 'Without consent',
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last year',
  month: 'This month',
  'last-month': 'Last month',
};

/** A value as a cell, an option or a chip shows it. */
export const textOf = (value: string): string =>
  TEXTS[value] ?? value.charAt(0).toUpperCase() + value.slice(1);
