import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { pendingLead } from '#shared/contract/rows/pending-lead';
import { leadEdit } from '#shared/contract/schemas/leads';
import { EXPORT_FORMATS, PENDING_LEADS_LIMIT, PENDING_REASONS } from '#shared/rules/constants';

export type PendingLead = z.output<typeof pendingLead>;

const leadPath = z.object({ leadId: field.leadId });

export const pendingLeadSchemas = {
  listPendingLeads: {
    summary: 'List pending leads',

    query: z.object({ limit: z._default(field.integer(1, PENDING_LEADS_LIMIT), PENDING_LEADS_LIMIT) }),
    answer: z.object({ ineligible_leads: z.array(pendingLead), total: z.number() }),
  },
  discardPendingLead: {
    summary: 'Discard a pending lead',
    params: leadPath,
    answer: z.object({ message: z.string() }),
  },
  assignPendingLead: {
    summary: 'Assign a pending lead to a buyer, optionally edited',

    params: leadPath,
    body: z.object({ ...leadEdit.shape, buyer_id: field.buyerId }),
    answer: z.object({
      message: z.string(),
      buyer: z.string(),
      excel_link: z.nullable(z.string()),
      display_id: z.string(),
    }),
  },
  distributePendingLead: {
    summary: 'Redistribute a pending lead by the share rule',

    params: leadPath,
    answer: z.object({
      /** `ineligible`: still pending. */
      status: z.enum(['assigned', 'ineligible']),
      message: z.string(),
      buyer: z.optional(z.string()),
      display_id: z.optional(z.string()),
      reason: z.optional(z.enum(PENDING_REASONS)),
    }),
  },
  resendConfirmation: {
    summary: 'Repeat the e-mail by which the person confirms the consent',
    params: leadPath,
    answer: z.object({ message: z.string() }),
  },
  exportPendingLeads: {
    summary: 'Download the pending leads',
    params: z.object({ format: z.enum(EXPORT_FORMATS) }),
    answer: 'file',
  },
} as const;
