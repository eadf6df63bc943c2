import { ALL_CHANNELS } from '#shared/channels/channels';
import {
  type ClaimDecisions,
  DEFAULT_MAX_CLAIM_DAYS,
  DEFAULT_MIN_DAYS_FOR_NE,
  NEWS_PRESETS,
  type OnSilence,
} from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import type { Buyer, NewBuyer } from '../data/buyers';
import { type ChannelValues, channelFieldsOf, channelValuesOf, EMPTY_CHANNELS } from './channel-form';
import { type HoursValues, scheduleOf } from './hours';

/** What the buyer form holds: numbers as people type them. */
export interface BuyerValues extends ChannelValues {
  buyer_id: string;
  buyer_email: string;
  probability: string;
  min_investment: string;
  price_per_lead: string;
  manual_review: boolean;
  on_refusal: string;
  max_claim_days: string;
  min_days_for_ne: string;
  decision_days: string;
  on_silence: OnSilence;
  claim_quota_percent: string;
  claim_decisions: ClaimDecisions;
  link_code: boolean;
  link_days: string;
  news_claim_decided: boolean;
  news_order_nearly_full: boolean;
  news_weekly_statement: boolean;
  /** Null: always. */
  schedule: HoursValues | null;
}

export const EMPTY_BUYER: BuyerValues = {
  buyer_id: '',
  buyer_email: '',
  probability: '',
  min_investment: '',
  price_per_lead: '',
  buyer_type: 'prepay',
  ...EMPTY_CHANNELS,
  send_email: true,
  manual_review: false,
  on_refusal: 'keep',
  max_claim_days: String(DEFAULT_MAX_CLAIM_DAYS),
  min_days_for_ne: String(DEFAULT_MIN_DAYS_FOR_NE),
  decision_days: '',
  on_silence: 'none',
  claim_quota_percent: '',
  claim_decisions: 'off',
  link_code: false,
  link_days: '',
  news_claim_decided: NEWS_PRESETS.claim_decided,
  news_order_nearly_full: NEWS_PRESETS.order_nearly_full,
  news_weekly_statement: NEWS_PRESETS.weekly_statement,
  schedule: null,
};

/** The names that the form shows its fields under. */
export const BUYER_LABELS: Readonly<Record<string, string>> = {
  buyer_email: 'Buyer email',
  probability: 'Probability (%)',
  buyer_type: 'Buyer type',
  min_investment: 'Min investment (€)',
  price_per_lead: 'Price per lead (€)',
  manual_review: 'Manual review',
  on_refusal: 'When the partner refuses a lead',
  max_claim_days: 'Maximum claim days',
  min_days_for_ne: 'Minimum days for NE',
  decision_days: 'Claims are decided within working days',
  on_silence: 'When a claim is not decided in time',
  claim_quota_percent: 'Quota of claims (%)',
  claim_decisions: 'When the evidence proves a claim',
  link_code: 'Code by e-mail before a link opens',
  link_days: 'Links expire after days',
  news_claim_decided: 'A claim was decided',
  news_order_nearly_full: 'An order is nearly full',
  news_weekly_statement: 'Weekly statement',
  schedule: 'Hours',
  ...Object.fromEntries(
    ALL_CHANNELS.flatMap(({ flag, form, fields }) => [
      [flag, form.toggle],
      ...fields.map(({ name, label }) => [name, label]),
    ]),
  ),
};

/** A stored buyer as the form shows it. */
export function valuesOf(buyer: Buyer): BuyerValues {
  return {
    buyer_id: buyer.buyer_id,
    buyer_email: buyer.buyer_email,
    probability: formatNumber(buyer.probability),
    min_investment: amountText(buyer.min_investment),
    price_per_lead: amountText(buyer.price_per_lead),
    buyer_type: buyer.buyer_type,
    ...channelValuesOf(buyer),
    manual_review: buyer.manual_review,
    on_refusal: buyer.on_refusal,
    max_claim_days: String(buyer.max_claim_days),
    min_days_for_ne: String(buyer.min_days_for_ne),
    decision_days: buyer.decision_days === null ? '' : String(buyer.decision_days),
    on_silence: buyer.on_silence,
    claim_quota_percent: buyer.claim_quota_percent === null ? '' : String(buyer.claim_quota_percent),
    claim_decisions: buyer.claim_decisions,
    link_code: buyer.link_code,
    news_claim_decided: buyer.news_claim_decided,
    news_order_nearly_full: buyer.news_order_nearly_full,
    news_weekly_statement: buyer.news_weekly_statement,
    link_days: buyer.link_days === null ? '' : String(buyer.link_days),
    schedule: buyer.schedule,
  };
}

/** `45,50`, `25.000`, or nothing. */
function amountText(amount: number | null): string {
  if (amount === null) return '';
  return Number.isInteger(amount) ? formatNumber(amount) : amount.toFixed(2).replace('.', ',');
}

/** The fields of the request, apart from the id. */
export function buyerFieldsOf(values: BuyerValues) {
  return {
    buyer_email: values.buyer_email.trim(),
    probability: values.probability,
    min_investment: values.min_investment.trim() === '' ? null : values.min_investment,
    price_per_lead: values.price_per_lead.trim() === '' ? null : values.price_per_lead,
    buyer_type: values.buyer_type === 'postpay' ? ('postpay' as const) : ('prepay' as const),
    ...channelFieldsOf(values),
    manual_review: values.manual_review,
    on_refusal: values.on_refusal === 'give_on' ? ('give_on' as const) : ('keep' as const),
    max_claim_days: values.max_claim_days,
    min_days_for_ne: values.min_days_for_ne,
    decision_days: values.decision_days.trim() === '' ? null : values.decision_days,
    on_silence: values.on_silence,
    claim_quota_percent: values.claim_quota_percent.trim() === '' ? null : values.claim_quota_percent,
    claim_decisions: values.claim_decisions,
    link_code: values.link_code,
    news_claim_decided: values.news_claim_decided,
    news_order_nearly_full: values.news_order_nearly_full,
    news_weekly_statement: values.news_weekly_statement,
    link_days: values.link_days.trim() === '' ? null : values.link_days,
    schedule: values.schedule && scheduleOf(values.schedule),
  };
}

/** @param exclusive the admin agreed that all others go to 0 % */
export function newBuyerOf(values: BuyerValues, exclusive: boolean): NewBuyer {
  return {
    ...buyerFieldsOf(values),
    ...(exclusive && { confirm_exclusive: true }),
    buyer_id: values.buyer_id.trim(),
  };
}
