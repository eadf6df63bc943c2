import type { Buyer } from '#functions/data/buyers/buyer';
import { mapSettings } from '#shared/channels/channels';
import { DEFAULT_MAX_CLAIM_DAYS, DEFAULT_MIN_DAYS_FOR_NE, NEWS_PRESETS } from '#shared/rules/constants';

/** A buyer with default settings. */
export function newBuyer(internal: number, buyerId: string, at: string): Buyer {
  return {
    buyer: internal,
    buyer_id: buyerId,
    buyer_email: '',
    probability: 0,
    min_investment: null,
    price_per_lead: null,
    buyer_type: 'prepay',
    ...mapSettings({
      flag: () => false,
      text: ({ defaultValue = null }) => defaultValue,
      choice: ({ defaultValue }) => defaultValue,
      host: () => null,
      address: () => null,
      area: () => null,
      secret: () => null,
      template: () => null,
      mapping: () => ({}),
      pairs: () => [],
      rules: () => [],
    }),
    manual_review: false,
    on_refusal: 'keep',
    auto_decide_claims: false,
    max_claim_days: DEFAULT_MAX_CLAIM_DAYS,
    min_days_for_ne: DEFAULT_MIN_DAYS_FOR_NE,
    decision_days: null,
    on_silence: 'none',
    claim_quota_percent: null,
    link_code: false,
    link_days: null,
    news_claim_decided: NEWS_PRESETS.claim_decided,
    news_order_nearly_full: NEWS_PRESETS.order_nearly_full,
    news_weekly_statement: NEWS_PRESETS.weekly_statement,
    schedule: null,
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
  };
}
