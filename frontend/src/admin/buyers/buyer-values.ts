import { ALL_CHANNELS } from '#shared/channels/channels';
import type { Sent } from '#shared/contract/schemas';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import {
  DEFAULT_MAX_CLAIM_DAYS,
  DEFAULT_MIN_DAYS_FOR_NE,
  NOTIFICATION_DEFAULTS,
} from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { type ChannelValues, channelFieldsOf, channelValuesOf, EMPTY_CHANNELS } from './channel-form';
import { type HoursValues, scheduleOf } from './hours';
import { type SourceValues, sourceFieldsOf, sourceValuesOf } from './source-values';

/** Settings that have the same type in the table, the request and the form, with their defaults. */
const PLAIN = {
  manual_review: false,
  requires_consent: false,
  on_refusal: 'keep',
  default_decision: 'none',
  auto_decide_claims: false,
  link_code: false,
  notify_claim_decided: NOTIFICATION_DEFAULTS.claim_decided,
  notify_order_nearly_full: NOTIFICATION_DEFAULTS.order_nearly_full,
  notify_weekly_statement: NOTIFICATION_DEFAULTS.weekly_statement,
} as const satisfies Partial<BuyerRow>;
/** Whole numbers; no value is null in the table and empty in the form. */
const COUNTS = [
  'max_claim_days',
  'min_days_for_ne',
  'decision_days',
  'claim_quota_percent',
  'link_days',
  'min_term',
  'max_term',
] as const;
const AMOUNTS = ['min_investment', 'max_investment', 'price_per_lead'] as const;

type PlainName = keyof typeof PLAIN;
type NumberName = (typeof COUNTS)[number] | (typeof AMOUNTS)[number];

/** The values of the buyer form, with numbers as typed. */
export interface BuyerValues
  extends ChannelValues,
    SourceValues,
    Pick<BuyerRow, PlainName>,
    Record<NumberName, string> {
  buyer_id: string;
  buyer_email: string;
  probability: string;
  /** Null: always. */
  schedule: HoursValues | null;
}

export const EMPTY_BUYER: BuyerValues = {
  buyer_id: '',
  buyer_email: '',
  probability: '',
  min_investment: '',
  max_investment: '',
  min_term: '',
  max_term: '',
  sources_allowed: null,
  sources_excluded: null,
  price_per_lead: '',
  buyer_type: 'prepay',
  ...EMPTY_CHANNELS,
  send_email: true,
  ...PLAIN,
  max_claim_days: String(DEFAULT_MAX_CLAIM_DAYS),
  min_days_for_ne: String(DEFAULT_MIN_DAYS_FOR_NE),
  decision_days: '',
  claim_quota_percent: '',
  link_days: '',
  schedule: null,
};

export const BUYER_LABELS: Readonly<Record<string, string>> = {
  buyer_id: 'Buyer ID',
  buyer_email: 'Buyer email',
  probability: 'Probability (%)',
  buyer_type: 'Buyer type',
  min_investment: 'Min investment (€)',
  max_investment: 'Max investment (€)',
  min_term: 'Min term (months)',
  max_term: 'Max term (months)',
  sources_allowed: 'Only these sources',
  sources_excluded: 'All sources except',
  price_per_lead: 'Price per lead (€)',
  manual_review: 'Manual review',
  requires_consent: 'Requires consent',
  on_refusal: 'If the partner refuses a lead',
  max_claim_days: 'Maximum claim days',
  min_days_for_ne: 'Minimum days for NE',
  decision_days: 'Working days to decide a claim',
  default_decision: 'If a claim is not decided in time',
  claim_quota_percent: 'Claim quota (%)',
  auto_decide_claims: 'Decide clear claims automatically',
  link_code: 'E-mail code to open a link',
  link_days: 'Link lifetime (days)',
  notify_claim_decided: 'Claim decided',
  notify_order_nearly_full: 'Order nearly full',
  notify_weekly_statement: 'Weekly statement',
  schedule: 'Hours',
  ...Object.fromEntries(
    ALL_CHANNELS.flatMap(({ flag, form, fields }) => [
      [flag, form.toggle],
      ...fields.map(({ name, label }) => [name, label]),
    ]),
  ),
};

/** A stored buyer as form values. */
export function valuesOf(buyer: BuyerRow): BuyerValues {
  const { buyer_id, buyer_email, buyer_type, schedule } = buyer;
  return {
    buyer_id,
    buyer_email,
    probability: formatNumber(buyer.probability),
    buyer_type,
    ...channelValuesOf(buyer),
    ...plainOf(buyer),
    ...forEach(AMOUNTS, (name) => amountText(buyer[name])),
    ...forEach(COUNTS, (name) => String(buyer[name] ?? '')),
    ...sourceValuesOf(buyer),
    schedule,
  };
}

/** The plain settings of a stored buyer, or of the form. */
function plainOf(from: Pick<BuyerRow, PlainName>): Pick<BuyerRow, PlainName>;
function plainOf(from: Pick<BuyerRow, PlainName>): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name in PLAIN));
}

function forEach<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value>;
function forEach(names: readonly string[], valueOf: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** `45,50`, `25.000`, or empty. */
function amountText(amount: number | null): string {
  if (amount === null) return '';
  return Number.isInteger(amount) ? formatNumber(amount) : amount.toFixed(2).replace('.', ',');
}

/** The fields of the request, except the ID. */
export function buyerFieldsOf(values: BuyerValues) {
  return {
    buyer_email: values.buyer_email.trim(),
    probability: values.probability,
    buyer_type: values.buyer_type === 'postpay' ? ('postpay' as const) : ('prepay' as const),
    ...channelFieldsOf(values),
    ...plainOf(values),
    ...forEach([...AMOUNTS, ...COUNTS], (name) => (values[name].trim() === '' ? null : values[name])),
    ...sourceFieldsOf(values),
    max_claim_days: values.max_claim_days,
    min_days_for_ne: values.min_days_for_ne,
    schedule: values.schedule && scheduleOf(values.schedule),
  };
}

/** @param exclusive the admin agreed that all others go to 0 % */
export function newBuyerOf(values: BuyerValues, exclusive: boolean): Sent<'createBuyer', 'body'> {
  return {
    ...buyerFieldsOf(values),
    ...(exclusive && { confirm_exclusive: true }),
    buyer_id: values.buyer_id.trim(),
  };
}
