/** The terms of one buyer in What-if, with numbers as typed. */
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import { MAX_TERM } from '#shared/rules/constants';
import { formatNumber, isAmountOrEmpty } from '#shared/rules/formats';
import { type SourceValues, sourceValuesOf } from '../buyers/source-values';
import { INVALID } from '../invalid-texts';

const AMOUNT = { inputMode: 'decimal', isValid: isAmountOrEmpty, error: INVALID.amount } as const;
const TERM = { inputMode: 'numeric', isValid: isTerm, error: INVALID.wholeNumber } as const;
const LIMIT = { inputMode: 'numeric', isValid: isLimit, error: INVALID.limit } as const;

export const FIELDS = [
  { name: 'min_investment', label: 'Min investment (€)', ...AMOUNT },
  { name: 'max_investment', label: 'Max investment (€)', ...AMOUNT },
  { name: 'min_term', label: 'Min months', ...TERM },
  { name: 'max_term', label: 'Max months', ...TERM },
  { name: 'lead_limit', label: 'Lead limit', ...LIMIT },
] as const;

export interface Scenario extends Readonly<SourceValues & Record<(typeof FIELDS)[number]['name'], string>> {
  readonly probability: number;
  readonly requires_consent: boolean;
}

type Terms = Pick<
  BuyerRow,
  | 'probability'
  | 'requires_consent'
  | 'sources_allowed'
  | 'sources_excluded'
  | (typeof FIELDS)[number]['name']
>;

export function scenarioOf(buyer: Terms): Scenario {
  return {
    probability: buyer.probability,
    min_investment: buyer.min_investment === null ? '' : formatNumber(buyer.min_investment),
    max_investment: buyer.max_investment === null ? '' : formatNumber(buyer.max_investment),
    min_term: String(buyer.min_term ?? ''),
    max_term: String(buyer.max_term ?? ''),
    ...sourceValuesOf(buyer),
    lead_limit: String(buyer.lead_limit),
    requires_consent: buyer.requires_consent,
  };
}

/** Initial terms of one buyer from the address, set by the links in the buyer's checklist. An empty term is any. */
export function proposedIn(
  search: string,
  buyers: readonly (Terms & Pick<BuyerRow, 'buyer_id'>)[],
): Readonly<Record<string, Scenario>> {
  const params = new URLSearchParams(search);
  const buyer = buyers.find(({ buyer_id }) => buyer_id === params.get('buyer'));
  if (buyer === undefined) return {};
  const present = scenarioOf(buyer);
  const text = (name: (typeof FIELDS)[number]['name']) => params.get(name) ?? present[name];
  const probability = Number(params.get('probability') ?? present.probability);
  const consent = params.get('requires_consent');
  return {
    [buyer.buyer_id]: {
      ...present,
      probability: probability >= 0 && probability <= 100 ? probability : present.probability,
      min_investment: text('min_investment'),
      max_investment: text('max_investment'),
      min_term: text('min_term'),
      max_term: text('max_term'),
      lead_limit: text('lead_limit'),
      requires_consent: consent === null ? present.requires_consent : consent === 'true',
    },
  };
}

function isTerm(value: string): boolean {
  return /^\d*$/.test(value.trim()) && Number(value) <= MAX_TERM;
}

function isLimit(value: string): boolean {
  return /^\d+$/.test(value.trim()) && Number(value) <= 1_000_000;
}
