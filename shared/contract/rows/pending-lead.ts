import * as z from 'zod/mini';
import { leadRow } from '#shared/contract/rows/lead-person';
import { PENDING_REASONS } from '#shared/rules/constants';

export const pendingLead = z.object({
  lead_id: z.string(),
  ...leadRow,
  created_at: z.string(),
  created_at_formatted: z.string(),
  reason: z.enum(PENDING_REASONS),
  reason_text: z.string(),
  /** When a buyer that could otherwise take it opens again. */
  next_opening: z.nullable(z.string()),
  buyer_id: z.nullable(z.string()),
});
