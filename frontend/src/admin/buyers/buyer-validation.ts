import { MAX_DECISION_DAYS, MAX_TERM } from '#shared/rules/constants';
import { isAmountOrEmpty, parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';
import { INVALID } from '../invalid-texts';
import type { BuyerValues } from './buyer-values';
import { channelErrors } from './channel-form';
import { hoursErrors } from './hours';
import { lacksSources } from './source-values';
import { checkTypedProbability, type Weights } from './weights';

type BuyerErrors = Partial<Record<keyof BuyerValues, string>>;

/**
 * One text per field that cannot be saved.
 * @param stored the values when the form was opened
 */
export function validateBuyer(values: BuyerValues, weights: Weights, stored: BuyerValues): BuyerErrors {
  return {
    ...identityErrors(values, weights),
    ...claimErrors(values),
    ...linkErrors(values),
    ...hoursErrors(values.schedule),
    ...channelErrors(values, stored),
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
  if (!isAmountOrEmpty(values.max_investment)) errors.max_investment = INVALID.amount;
  else if (isBelow(values.max_investment, values.min_investment)) errors.max_investment = INVALID.maxBelowMin;
  for (const name of ['min_term', 'max_term'] as const)
    if (!isWholeOrEmpty(values[name], 0, MAX_TERM)) errors[name] = INVALID.countFrom(0, MAX_TERM);
  if (isBelow(values.max_term, values.min_term)) errors.max_term ??= INVALID.maxBelowMin;
  if (lacksSources(values)) errors.sources_allowed = INVALID.sources;
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
  if (!isWholeOrEmpty(values.decision_days, 1, MAX_DECISION_DAYS))
    errors.decision_days = INVALID.decisionDays;
  if (!isWholeOrEmpty(values.claim_quota_percent, 0, 100)) errors.claim_quota_percent = INVALID.quota;
  return errors;
}

function linkErrors({ link_days }: BuyerValues): BuyerErrors {
  return isWholeOrEmpty(link_days, 1, 3650) ? {} : { link_days: INVALID.days };
}

const isBelow = (max: string, min: string): boolean =>
  (parseGermanNumber(max) ?? Infinity) < (parseGermanNumber(min) ?? 0);

function isWholeOrEmpty(value: string, min: number, max: number): boolean {
  const text = value.trim();
  const number = Number(text);
  return text === '' || (Number.isInteger(number) && number >= min && number <= max);
}

function daysOf(value: string): number | undefined {
  const days = Number(value.trim());
  return value.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= 30 ? days : undefined;
}
