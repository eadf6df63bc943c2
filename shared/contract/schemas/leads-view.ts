import * as z from 'zod/mini';
import {
  BUYER_TYPES,
  CLAIM_STATUSES,
  EXPORT_FORMATS,
  LEAD_TYPES,
  ORDER_STATUSES,
} from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { leadPerson } from '#shared/contract/rows/lead-person';

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
});
export type ViewedLead = z.output<typeof viewedLead>;

const MAX_NEWEST_LEADS = 1000;

const tokenPath = z.object({ token: field.token });

export const leadsViewSchemas = {
  viewLeads: {
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
        max_claim_days: z.number(),
        min_days_for_ne: z.number(),
        buyer_type: z.enum(BUYER_TYPES),
      }),
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
  exportLeads: { params: z.object({ token: field.token, format: z.enum(EXPORT_FORMATS) }), answer: 'file' },
  exportLeadsPart: {
    params: z.object({ token: field.token, format: z.enum(EXPORT_FORMATS), part: z.enum(LEAD_TYPES) }),
    answer: 'file',
  },
} as const;
