import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { companyRow } from '#shared/contract/rows/company';
import { consentView } from '#shared/contract/rows/consent-view';
import { leadPerson } from '#shared/contract/rows/lead-person';
import { orderTerms } from '#shared/contract/rows/order-terms';
import { statementRow } from '#shared/contract/rows/statement';
import { MAX_PROOF_FILES, PROOF_FORMATS } from '#shared/rules/consent';
import {
  CLAIM_STATUSES,
  EXPORT_FORMATS,
  FEEDBACKS,
  LEAD_TYPES,
  MISSED_REASONS,
  ORDER_STATUSES,
  REORDER_STATES,
} from '#shared/rules/constants';

export const viewedLead = z.object({
  lead_id: z.string(),
  display_id: z.string(),
  ...leadPerson,
  /** The person was erased; only the number is left. */
  erased: z.optional(z.literal(true)),
  /** The person agreed to be contacted; see `viewLeadConsent`. */
  consent: z.optional(z.literal(true)),
  /** The person must no longer be contacted. */
  withdrawn_at: z.optional(z.string()),
  delivery_timestamp: z.string(),
  delivery_timestamp_formatted: z.string(),
  delivered_at: z.string(),
  lead_type: z.enum(LEAD_TYPES),
  claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
  claim_id: z.nullable(z.number()),
  claim_reason: z.nullable(z.string()),
  /** A Berlin day, while a deadline is agreed and the claim pending. */
  decide_by: z.optional(z.string()),
  feedback: z.optional(z.enum(FEEDBACKS)),
  /** Entries of `viewFeedback`; missing without any. */
  feedback_entries: z.optional(z.int()),
});
export type ViewedLead = z.output<typeof viewedLead>;

/** Whole leads and whole days only, so that no single lead of another buyer is disclosed. */
const shareOfDays = z.object({
  from: z.string(),
  to: z.string(),
  /** By its share of the leads that it was eligible for. */
  entitled: z.number(),
  received: z.number(),
  distance: z.number(),
  /** Percent: the agreed share times `received / entitled`; null if nothing was due. */
  received_share: z.nullable(z.number()),
  /** Also received, because an admin chose the buyer. */
  by_hand: z.number(),
  /** By the buyer's own reasons. */
  missed: z.array(z.object({ reason: z.enum(MISSED_REASONS), leads: z.number() })),
});
export type ShareOfDays = z.output<typeof shareOfDays>;

const MAX_NEWEST_LEADS = 1000;

const tokenPath = z.object({ token: field.token });

export const leadsViewSchemas = {
  getCompany: {
    summary: 'Read who runs this system; empty texts are not shown',
    answer: companyRow,
  },
  viewLeads: {
    summary: 'Read an order and its leads by the buyer’s link',

    params: tokenPath,
    query: z.object({
      /** For a page that shows the first rows before the others arrive. */
      newest: z.optional(field.integer(1, MAX_NEWEST_LEADS)),
    }),
    answer: z.object({
      order: z.object({
        order_id: z.number(),
        /** Required by `POST /api/lead-claims`. */
        buyer_id: z.string(),
        buyer_order_number: z.number(),
        lead_limit: z.number(),
        leads_received: z.number(),
        status: z.enum(ORDER_STATUSES),
        order_created_at: z.string(),
        comments: z.string(),
        ...orderTerms,
      }),
      /** Null: the buyer cannot ask for another order. */
      reorder: z.nullable(
        z.object({ state: z.enum(['possible', ...REORDER_STATES]), lead_limit: z.number() }),
      ),
      leads: z.object({ original: z.array(viewedLead), reimbursement: z.array(viewedLead) }),
      summary: z.object({
        pending_reimbursements: z.number(),
        delivered_reimbursements: z.number(),
        last_lead_at: z.nullable(z.string()),
      }),
      partial: z.optional(z.literal(true)),
      admin: z.boolean(),
      /** Claim windows follow the server's time. */
      now: z.string(),
    }),
  },
  viewLeadConsent: {
    summary: 'Read the consent of a lead, by the buyer’s link',
    params: z.object({ token: field.token, leadId: field.leadId }),
    answer: consentView,
  },
  exportConsentProof: {
    summary: 'Read the proof of a consent by the buyer’s link, as a page or as JSON',
    params: z.object({ token: field.token, leadId: field.leadId, format: z.enum(PROOF_FORMATS) }),
    answer: 'file',
  },
  exportConsentProofs: {
    summary: 'Download all proofs of an order’s consents, for 1,000 leads at a time',
    params: z.object({ token: field.token, part: field.integer(1, MAX_PROOF_FILES) }),
    answer: 'file',
  },
  exportLeads: {
    summary: 'Download all leads of an order',
    params: z.object({ token: field.token, format: z.enum(EXPORT_FORMATS) }),
    answer: 'file',
  },
  exportLeadsPart: {
    summary: 'Download the original or the replacement leads of an order',

    params: z.object({ token: field.token, format: z.enum(EXPORT_FORMATS), part: z.enum(LEAD_TYPES) }),
    answer: 'file',
  },
  viewShare: {
    summary: 'Compare agreed share and received leads, by the buyer’s link',

    params: tokenPath,
    answer: z.object({
      agreed_share: z.number(),
      as_of: z.string(),
      /** Null on the first day of an order. */
      order: z.nullable(shareOfDays),
      last_days: z.nullable(shareOfDays),
    }),
  },
  /** All orders of the buyer, not only the link's. */
  viewStatement: {
    summary: 'Read the statement by order and month, by the buyer’s link',
    params: tokenPath,
    answer: statementRow,
  },
  exportStatement: {
    summary: 'Download the statement, by the buyer’s link',

    params: z.object({ token: field.token, format: z.enum(EXPORT_FORMATS) }),
    answer: 'file',
  },
} as const;
