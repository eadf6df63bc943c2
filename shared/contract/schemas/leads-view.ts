import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { leadPerson } from '#shared/contract/rows/lead-person';
import { orderTerms } from '#shared/contract/rows/order-terms';
import { statementRow } from '#shared/contract/rows/statement';
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
  /** Only of a person who was erased, of whom nothing is left but the number. */
  erased: z.optional(z.literal(true)),
  delivery_timestamp: z.string(),
  delivery_timestamp_formatted: z.string(),
  delivered_at: z.string(),
  lead_type: z.enum(LEAD_TYPES),
  claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
  claim_id: z.nullable(z.number()),
  claim_reason: z.nullable(z.string()),
  /** The last day (Berlin) for the decision of its claim; there only while one is agreed and awaited. */
  decide_by: z.optional(z.string()),
  /** What the buyer said of it; left out while it said nothing. */
  feedback: z.optional(z.enum(FEEDBACKS)),
});
export type ViewedLead = z.output<typeof viewedLead>;

/** Whole leads only, of whole days: what happens to single leads of others must not show. */
const shareOfDays = z.object({
  /** Berlin days, both included. */
  from: z.string(),
  to: z.string(),
  /** By its share of the leads that it was eligible for. */
  entitled: z.number(),
  /** Of these leads. */
  received: z.number(),
  /** `received - entitled`. */
  distance: z.number(),
  /** Percent: the share agreed, times `received / entitled`; null where nothing was due. */
  received_share: z.nullable(z.number()),
  /** Received besides, because an admin chose the buyer. */
  by_hand: z.number(),
  /** How many leads were not for the buyer, by the reason; the reasons are its own. */
  missed: z.array(z.object({ reason: z.enum(MISSED_REASONS), leads: z.number() })),
});
export type ShareOfDays = z.output<typeof shareOfDays>;

const MAX_NEWEST_LEADS = 1000;

const tokenPath = z.object({ token: field.token });

export const leadsViewSchemas = {
  viewLeads: {
    summary: 'Read an order and its leads by the buyer’s link',

    params: tokenPath,
    query: z.object({
      /** Only so many leads, the newest: for a page that shows the first rows before all have come. */
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
      /** Whether the next order can be asked for, or what became of that; null for neither. */
      reorder: z.nullable(
        z.object({ state: z.enum(['possible', ...REORDER_STATES]), lead_limit: z.number() }),
      ),
      leads: z.object({ original: z.array(viewedLead), reimbursement: z.array(viewedLead) }),
      summary: z.object({
        pending_reimbursements: z.number(),
        delivered_reimbursements: z.number(),
        last_lead_at: z.nullable(z.string()),
      }),
      /** There only where the newest were asked for, and the order has more leads. */
      partial: z.optional(z.literal(true)),
      /** Whether the caller has an admin session, with which the page offers to edit and delete leads. */
      admin: z.boolean(),
      /** The server's time, from which the page computes claim windows. */
      now: z.string(),
    }),
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
      /** Percent of all leads. */
      agreed_share: z.number(),
      /** The last whole day (Berlin) that is counted. */
      as_of: z.string(),
      /** Null until the order has been open for a whole day. */
      order: z.nullable(shareOfDays),
      last_days: z.nullable(shareOfDays),
    }),
  },
  /** Of all orders of the buyer, not only of the link's. */
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
