import { ALERT_KINDS, ALERT_THRESHOLDS, type AlertKind, type AlertThreshold } from '#shared/rules/constants';

interface Shown {
  readonly title: string;
  readonly about: string;
  /** The unit of its threshold. */
  readonly unit?: string;
}

const SHOWN: Readonly<Record<AlertKind, Shown>> = {
  order_nearly_full: {
    title: 'Order nearly full',
    about: 'An active order has reached this share of its limit.',
    unit: 'Percent of the limit',
  },
  order_full: { title: 'Order full', about: 'An active buyer’s order has reached its limit.' },
  order_requested: {
    title: 'Order requested',
    about: 'A buyer requests the next order on its link.',
  },
  buyer_without_leads: {
    title: 'Buyer without leads',
    about: 'An active buyer with open capacity received no leads.',
    unit: 'Days',
  },
  delivery_failing: {
    title: 'Delivery failing',
    about:
      'A delivery failed permanently, or a channel is paused. At most one alert per hour for each buyer and channel.',
  },
  leads_waiting: { title: 'Leads waiting', about: 'A pending lead is older than this.', unit: 'Hours' },
  claims_waiting: {
    title: 'Claims waiting',
    about: 'A claim has been open for longer than this.',
    unit: 'Working days',
  },
  replacements_owed: {
    title: 'Replacements owed',
    about: 'A replacement has been owed for longer than this.',
    unit: 'Days',
  },
  source_silent: { title: 'Source silent', about: 'A live source sends fewer leads than usual.' },
  daily_summary: {
    title: 'Daily summary',
    about: 'Yesterday’s leads by buyer, revenue and open items.',
    unit: 'Hour (Berlin time)',
  },
};

/** The kinds with their texts; those with a threshold have `limits`. */
export const ALERTS: readonly (Shown & {
  readonly kind: AlertKind;
  readonly limits: AlertThreshold | null;
})[] = ALERT_KINDS.map((kind) => ({ kind, limits: ALERT_THRESHOLDS[kind], ...SHOWN[kind] }));

/** The error of a typed number; null if it is valid. */
export function numberProblem({ min, max }: AlertThreshold, text: string): string | null {
  const isWhole = /^\d{1,4}$/.test(text.trim());
  return isWhole && Number(text) >= min && Number(text) <= max
    ? null
    : `A whole number from ${min} to ${max}`;
}
