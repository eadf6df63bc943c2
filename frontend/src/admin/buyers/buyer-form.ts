import { DEFAULT_MAX_CLAIM_DAYS, DEFAULT_MIN_DAYS_FOR_NE } from '#shared/contract/constants';
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';
import type { Buyer, BuyerChange, NewBuyer } from '../data/buyers';
import { INVALID } from '../texts';
import {
  type ChannelValues,
  channelErrors,
  channelFieldsOf,
  channelValuesOf,
  EMPTY_CHANNELS,
} from './channel-form';
import { checkTypedProbability, type Weights } from './weights';

/** What the buyer form holds: numbers as people type them. */
export interface BuyerValues extends ChannelValues {
  buyer_id: string;
  buyer_email: string;
  probability: string;
  min_investment: string;
  price_per_lead: string;
  manual_review: boolean;
  max_claim_days: string;
  min_days_for_ne: string;
}

export type BuyerErrors = Partial<Record<keyof BuyerValues, string>>;

export const EMPTY_BUYER: BuyerValues = {
  buyer_id: '',
  buyer_email: '',
  probability: '',
  min_investment: '',
  price_per_lead: '',
  buyer_type: 'prepay',
  ...EMPTY_CHANNELS,
  manual_review: false,
  max_claim_days: String(DEFAULT_MAX_CLAIM_DAYS),
  min_days_for_ne: String(DEFAULT_MIN_DAYS_FOR_NE),
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
    max_claim_days: String(buyer.max_claim_days),
    min_days_for_ne: String(buyer.min_days_for_ne),
  };
}

/** `45,50`, `25.000`, or nothing. */
function amountText(amount: number | null): string {
  if (amount === null) return '';
  return Number.isInteger(amount) ? formatNumber(amount) : amount.toFixed(2).replace('.', ',');
}

/** One text per field that cannot be saved. */
export function validateBuyer(values: BuyerValues, weights: Weights): BuyerErrors {
  return {
    ...identityErrors(values, weights),
    ...claimErrors(values),
    ...channelErrors(values),
  };
}

function identityErrors(values: BuyerValues, weights: Weights): BuyerErrors {
  const errors: BuyerErrors = {};
  const id = values.buyer_id.trim();
  if (id === '') errors.buyer_id = INVALID.buyerId;
  else if (!/^[A-Za-z0-9._-]{1,64}$/.test(id)) errors.buyer_id = INVALID.buyerIdCharacters;
  if (!isEmailAddress(values.buyer_email.trim())) errors.buyer_email = INVALID.email;

  const probability = parseGermanNumber(values.probability);
  if (probability === undefined || probability < 0 || probability > 100)
    errors.probability = INVALID.probability;
  else if (checkTypedProbability(values.probability, weights) === 'exceeds')
    errors.probability = PROBABILITY_TOTAL_TEXT;

  if (values.buyer_type !== 'prepay' && values.buyer_type !== 'postpay')
    errors.buyer_type = INVALID.buyerType;
  if (!isAmountOrEmpty(values.min_investment)) errors.min_investment = INVALID.amount;
  if (!isAmountOrEmpty(values.price_per_lead)) errors.price_per_lead = INVALID.amount;
  return errors;
}

function claimErrors(values: BuyerValues): BuyerErrors {
  const errors: BuyerErrors = {};
  const max = daysOf(values.max_claim_days);
  const min = daysOf(values.min_days_for_ne);
  if (max === undefined) errors.max_claim_days = INVALID.maxClaimDays;
  if (min === undefined) errors.min_days_for_ne = INVALID.minDaysForNe;
  else if (max !== undefined && min > max) errors.min_days_for_ne = INVALID.neAboveMax;
  return errors;
}

function isAmountOrEmpty(value: string): boolean {
  const amount = parseGermanNumber(value);
  return value.trim() === '' || (amount !== undefined && amount >= 0);
}

function daysOf(value: string): number | undefined {
  const days = Number(value.trim());
  return value.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= 30 ? days : undefined;
}

/** The fields of the request, apart from the id. */
function fieldsOf(values: BuyerValues, exclusive: boolean) {
  return {
    buyer_email: values.buyer_email.trim(),
    probability: values.probability,
    min_investment: values.min_investment.trim() === '' ? null : values.min_investment,
    price_per_lead: values.price_per_lead.trim() === '' ? null : values.price_per_lead,
    buyer_type: values.buyer_type === 'postpay' ? ('postpay' as const) : ('prepay' as const),
    ...channelFieldsOf(values),
    manual_review: values.manual_review,
    max_claim_days: values.max_claim_days,
    min_days_for_ne: values.min_days_for_ne,
    ...(exclusive && { confirm_exclusive: true }),
  };
}

/** @param exclusive the admin agreed that all others go to 0 % */
export function newBuyerOf(values: BuyerValues, exclusive: boolean): NewBuyer {
  return { ...fieldsOf(values, exclusive), buyer_id: values.buyer_id.trim() };
}

/** @param buyerId the id so far; another one in the form renames the buyer */
export function changeOf(values: BuyerValues, buyerId: string, exclusive: boolean): BuyerChange {
  const id = values.buyer_id.trim();
  return { ...fieldsOf(values, exclusive), ...(id !== buyerId && { new_buyer_id: id }) };
}
