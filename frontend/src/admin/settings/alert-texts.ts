import { ALERT_KINDS, ALERT_THRESHOLDS, type AlertKind, type AlertThreshold } from '#shared/rules/constants';

interface Shown {
  readonly title: string;
  readonly about: string;
  /** What its number is. */
  readonly unit?: string;
}

const SHOWN: Readonly<Record<AlertKind, Shown>> = {
  order_nearly_full: {
    title: 'Order nearly full',
    about: 'An active order has received so much of its limit.',
    unit: 'Percent of the limit',
  },
  order_full: { title: 'Order full', about: 'The order of an active buyer takes no more leads.' },
  order_requested: {
    title: 'Order requested',
    about: 'A buyer asks for the next order by its link.',
  },
  buyer_without_leads: {
    title: 'Buyer without leads',
    about: 'A buyer could take leads and had none.',
    unit: 'Days',
  },
  delivery_failing: {
    title: 'Delivery failing',
    about:
      'A delivery failed for good, or those of a channel are paused: at most hourly for each buyer and channel.',
  },
  leads_waiting: { title: 'Leads waiting', about: 'Pending leads came in so long ago.', unit: 'Hours' },
  claims_waiting: {
    title: 'Claims waiting',
    about: 'A claim has been open for longer.',
    unit: 'Working days',
  },
  replacements_owed: {
    title: 'Replacements owed',
    about: 'A replacement has been owed for longer.',
    unit: 'Days',
  },
  source_silent: { title: 'Source silent', about: 'A live source sends less than it usually does.' },
  daily_summary: {
    title: 'Daily summary',
    about: 'The leads of yesterday by buyer, the revenue, and what is open.',
    unit: 'From the hour (Berlin)',
  },
};

/** The kinds as they are shown; `limits` of those with a number. */
export const ALERTS: readonly (Shown & {
  readonly kind: AlertKind;
  readonly limits: AlertThreshold | null;
})[] = ALERT_KINDS.map((kind) => ({ kind, limits: ALERT_THRESHOLDS[kind], ...SHOWN[kind] }));

/** What is wrong with a number as it is typed in; null for nothing. */
export function numberProblem({ min, max }: AlertThreshold, text: string): string | null {
  const isWhole = /^\d{1,4}$/.test(text.trim());
  return isWhole && Number(text) >= min && Number(text) <= max
    ? null
    : `A whole number from ${min} to ${max}`;
}
