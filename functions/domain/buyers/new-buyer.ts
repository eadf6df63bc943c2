import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import { DEFAULT_MAX_CLAIM_DAYS, DEFAULT_MIN_DAYS_FOR_NE } from '#shared/rules/constants';

/** With the default of every setting. */
export const newBuyer = (buyer: number, buyerId: string, at: string): Buyer =>
  buyerSchema.parse({
    buyer,
    buyer_id: buyerId,
    buyer_email: '',
    probability: 0,
    min_investment: null,
    max_investment: null,
    min_term: null,
    max_term: null,
    sources_allowed: [],
    sources_excluded: [],
    price_per_lead: null,
    buyer_type: 'prepay',
    manual_review: false,
    requires_consent: false,
    max_claim_days: DEFAULT_MAX_CLAIM_DAYS,
    min_days_for_ne: DEFAULT_MIN_DAYS_FOR_NE,
    active: false,
    deleted_at: null,
    created_at: at,
    last_order_id: null,
    order_count: 0,
    balance_count: 0,
    total_claims: 0,
    approved_claims: 0,
    rejected_claims: 0,
    version: 1,
  });
