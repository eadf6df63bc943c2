import * as z from 'zod/mini';
import { mapSettings } from '#shared/channels/channels';
import { addressState } from '#shared/contract/rows/address-state';
import { answerRule, pair } from '#shared/contract/rows/channel-values';
import { paceRow, scheduleRow } from '#shared/contract/rows/pace';
import {
  BUYER_TYPES,
  DEFAULT_DECISIONS,
  DELIVERY_PROBLEMS,
  ON_REFUSAL,
  RENEWALS,
} from '#shared/rules/constants';

const buyerSettings = z.object({
  buyer_id: z.string(),
  buyer_email: z.string(),
  probability: z.number(),
  min_investment: z.nullable(z.number()),
  max_investment: z.nullable(z.number()),
  min_term: z.nullable(z.number()),
  max_term: z.nullable(z.number()),
  sources_allowed: z.array(z.number()),
  sources_excluded: z.array(z.number()),
  price_per_lead: z.nullable(z.number()),
  buyer_type: z.enum(BUYER_TYPES),
  ...mapSettings({
    flag: () => z.boolean(),
    text: () => z.nullable(z.string()),
    choice: () => z.nullable(z.string()),
    host: () => z.nullable(z.string()),
    address: () => z.nullable(z.string()),
    area: () => z.nullable(z.string()),
    secret: () => z.nullable(z.string()),
    template: () => z.nullable(z.string()),
    mapping: () => z.record(z.string(), z.string()),
    pairs: () => z.array(pair),
    rules: () => z.array(answerRule),
  }),
  manual_review: z.boolean(),
  requires_consent: z.boolean(),
  on_refusal: z.enum(ON_REFUSAL),
  auto_decide_claims: z.boolean(),
  max_claim_days: z.number(),
  decision_days: z.nullable(z.number()),
  default_decision: z.enum(DEFAULT_DECISIONS),
  claim_quota_percent: z.nullable(z.number()),
  link_code: z.boolean(),
  link_days: z.nullable(z.number()),
  notify_claim_decided: z.boolean(),
  notify_order_nearly_full: z.boolean(),
  notify_weekly_statement: z.boolean(),
  schedule: z.nullable(scheduleRow),
  min_days_for_ne: z.number(),
});

/** With the state of its open order, or else its latest. */
export const buyerRow = z.extend(buyerSettings, {
  buyer_name: z.string(),
  email_state: z.nullable(addressState),
  /** Why its settings prevent delivery. */
  delivery_problem: z.nullable(
    z.object({
      kind: z.enum(DELIVERY_PROBLEMS),
      blocks: z.boolean(),
      text: z.string(),
      template_id: z.nullable(z.string()),
    }),
  ),
  active: z.union([z.literal(0), z.literal(1)]),
  deleted: z.boolean(),
  order_id: z.nullable(z.number()),
  buyer_order_number: z.nullable(z.number()),
  order_status: z.nullable(z.string()),
  order_created_at: z.nullable(z.string()),
  lead_limit: z.number(),
  leads_received: z.number(),
  original_leads_received: z.number(),
  excel_link: z.nullable(z.string()),
  reimbursement_delivered: z.number(),
  reimbursement_pending: z.number(),
  balance_count: z.number(),
  total_claims: z.number(),
  approved_claims: z.number(),
  total_revenue: z.number(),
  renewal: z.nullable(z.enum(RENEWALS)),
  reorder: z.nullable(z.object({ lead_limit: z.number(), requested_at: z.string() })),
  ...paceRow,
});
