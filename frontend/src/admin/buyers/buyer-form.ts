import {
  DEFAULT_MAX_CLAIM_DAYS,
  DEFAULT_MIN_DAYS_FOR_NE,
  DEFAULT_TRACKBOX_CI,
} from '#shared/contract/constants';
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';
import type { Buyer, BuyerChange, NewBuyer } from '../data/buyers';
import { INVALID } from '../texts';
import { checkTypedProbability, type Weights } from './weights';

/** What the buyer form holds: numbers as people type them. */
export interface BuyerValues {
  buyer_id: string;
  buyer_email: string;
  probability: string;
  min_investment: string;
  price_per_lead: string;
  buyer_type: string;
  send_email: boolean;
  email_template_id: string;
  reimbursement_email_template_id: string;
  use_heroleads_api: boolean;
  heroleads_api_key: string;
  heroleads_lead_type_id: string;
  custom_data_mapping: string;
  use_sellanylead_api: boolean;
  use_trackbox_api: boolean;
  trackbox_username: string;
  trackbox_password: string;
  trackbox_api_key: string;
  trackbox_domain: string;
  trackbox_ai: string;
  trackbox_gi: string;
  trackbox_ci: string;
  trackbox_custom_mapping: string;
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
  send_email: false,
  email_template_id: '',
  reimbursement_email_template_id: '',
  use_heroleads_api: false,
  heroleads_api_key: '',
  heroleads_lead_type_id: '',
  custom_data_mapping: '',
  use_sellanylead_api: false,
  use_trackbox_api: false,
  trackbox_username: '',
  trackbox_password: '',
  trackbox_api_key: '',
  trackbox_domain: '',
  trackbox_ai: '',
  trackbox_gi: '',
  trackbox_ci: DEFAULT_TRACKBOX_CI,
  trackbox_custom_mapping: '',
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
    send_email: buyer.send_email,
    email_template_id: buyer.email_template_id ?? '',
    reimbursement_email_template_id: buyer.reimbursement_email_template_id ?? '',
    use_heroleads_api: buyer.use_heroleads_api,
    heroleads_api_key: buyer.heroleads_api_key ?? '',
    heroleads_lead_type_id: buyer.heroleads_lead_type_id ?? '',
    custom_data_mapping: jsonText(buyer.custom_data_mapping),
    use_sellanylead_api: buyer.use_sellanylead_api,
    use_trackbox_api: buyer.use_trackbox_api,
    trackbox_username: buyer.trackbox_username ?? '',
    trackbox_password: buyer.trackbox_password ?? '',
    trackbox_api_key: buyer.trackbox_api_key ?? '',
    trackbox_domain: buyer.trackbox_domain ?? '',
    trackbox_ai: buyer.trackbox_ai ?? '',
    trackbox_gi: buyer.trackbox_gi ?? '',
    trackbox_ci: buyer.trackbox_ci ?? DEFAULT_TRACKBOX_CI,
    trackbox_custom_mapping: jsonText(buyer.trackbox_custom_mapping),
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

function jsonText(mapping: Readonly<Record<string, string>>): string {
  return Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping, null, 2);
}

/** One text per field that cannot be saved. */
export function validateBuyer(values: BuyerValues, weights: Weights): BuyerErrors {
  return {
    ...identityErrors(values, weights),
    ...claimErrors(values),
    ...deliveryErrors(values),
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

function deliveryErrors(values: BuyerValues): BuyerErrors {
  const errors: BuyerErrors = {};
  if (values.send_email && values.email_template_id === '') errors.email_template_id = INVALID.template;
  if (!isJsonObject(values.custom_data_mapping)) errors.custom_data_mapping = INVALID.json;
  if (values.use_heroleads_api) {
    if (values.heroleads_api_key.trim() === '') errors.heroleads_api_key = INVALID.required('API key');
    if (values.heroleads_lead_type_id.trim() === '')
      errors.heroleads_lead_type_id = INVALID.required('Lead type ID');
  }
  if (values.use_trackbox_api) {
    if (values.trackbox_username.trim() === '') errors.trackbox_username = INVALID.required('Username');
    if (values.trackbox_password === '') errors.trackbox_password = INVALID.required('Password');
    if (values.trackbox_api_key.trim() === '') errors.trackbox_api_key = INVALID.required('API key');
    if (values.trackbox_ai.trim() === '') errors.trackbox_ai = INVALID.required('AI');
    if (values.trackbox_gi.trim() === '') errors.trackbox_gi = INVALID.required('GI');
    if (values.trackbox_domain.trim() === '') errors.trackbox_domain = INVALID.required('Domain');
    else if (/[/\s@]/.test(values.trackbox_domain.trim())) errors.trackbox_domain = INVALID.domain;
    if (!isJsonObject(values.trackbox_custom_mapping)) errors.trackbox_custom_mapping = INVALID.json;
  }
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

function isJsonObject(value: string): boolean {
  if (value.trim() === '') return true;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/** The fields of the request, apart from the id. What a channel that is off hides stays as it is stored. */
function fieldsOf(values: BuyerValues, exclusive: boolean) {
  return {
    buyer_email: values.buyer_email.trim(),
    probability: values.probability,
    min_investment: values.min_investment.trim() === '' ? null : values.min_investment,
    price_per_lead: values.price_per_lead.trim() === '' ? null : values.price_per_lead,
    buyer_type: values.buyer_type === 'postpay' ? ('postpay' as const) : ('prepay' as const),
    send_email: values.send_email,
    email_template_id: values.email_template_id,
    reimbursement_email_template_id:
      values.buyer_type === 'postpay' ? '' : values.reimbursement_email_template_id,
    use_heroleads_api: values.use_heroleads_api,
    ...(values.use_heroleads_api && {
      heroleads_api_key: values.heroleads_api_key,
      heroleads_lead_type_id: values.heroleads_lead_type_id,
    }),
    custom_data_mapping: values.custom_data_mapping,
    use_sellanylead_api: values.use_sellanylead_api,
    use_trackbox_api: values.use_trackbox_api,
    ...(values.use_trackbox_api && {
      trackbox_username: values.trackbox_username,
      trackbox_password: values.trackbox_password,
      trackbox_api_key: values.trackbox_api_key,
      trackbox_domain: values.trackbox_domain.trim(),
      trackbox_ai: values.trackbox_ai,
      trackbox_gi: values.trackbox_gi,
      trackbox_ci: values.trackbox_ci,
      trackbox_custom_mapping: values.trackbox_custom_mapping,
    }),
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
