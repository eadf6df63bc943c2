import * as z from 'zod/mini';
import { EXPORT_FORMATS, PENDING_LEADS_LIMIT, PENDING_REASONS } from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { leadEdit, leadPerson } from '#shared/contract/schemas/leads';

export const pendingLead = z.object({
  lead_id: z.string(),
  ...leadPerson,
  clickId: z.nullable(z.string()),
  src: z.nullable(z.string()),
  created_at: z.string(),
  created_at_formatted: z.string(),
  reason: z.enum(PENDING_REASONS),
  reason_text: z.string(),
  /** The buyer that a lead under manual review was meant for. */
  buyer_id: z.nullable(z.string()),
});
export type PendingLead = z.output<typeof pendingLead>;

const leadPath = z.object({ leadId: field.leadId });

export const pendingLeadSchemas = {
  listPendingLeads: {
    query: z.object({ limit: z._default(field.integer(1, PENDING_LEADS_LIMIT), PENDING_LEADS_LIMIT) }),
    answer: z.object({ ineligible_leads: z.array(pendingLead), total: z.number() }),
  },
  discardPendingLead: { params: leadPath, answer: z.object({ message: z.string() }) },
  assignPendingLead: {
    params: leadPath,
    body: z.object({ ...leadEdit.shape, buyer_id: field.buyerId }),
    answer: z.object({
      message: z.string(),
      buyer: z.string(),
      excel_link: z.string(),
      display_id: z.string(),
    }),
  },
  exportPendingLeads: { params: z.object({ format: z.enum(EXPORT_FORMATS) }), answer: 'file' },
} as const;
