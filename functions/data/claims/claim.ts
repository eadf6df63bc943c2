import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { CLAIM_REASONS, CLAIM_RULES, CLAIM_STATUSES, DEFAULT_DECISIONS } from '#shared/rules/constants';

/** Changes only together with its lead, because the outbox notifies people of the lead's status. */
export const claimSchema = z.object({
  /** Claims are numbered in the order of filing. */
  claim_id: z.int(),
  claim_status: z.enum(CLAIM_STATUSES),
  created_at: z.string(),
  processed_at: z.nullable(z.string()),
  admin_notes: personal(z.nullable(z.string())),
  claim_reason: personal(z.string()),
  claim_reason_code: z.enum(CLAIM_REASONS),
  lead_id: z.string(),
  buyer: z.int(),
  order_id: z.int(),
  sequence: z.int(),
  /** The deadline (Berlin day) and the decision that applies then; both or none. */
  decide_by: z.optional(z.string()),
  default_decision: z.optional(z.enum(DEFAULT_DECISIONS)),
  /** Absent if an admin decided. */
  rule: z.optional(z.enum(CLAIM_RULES)),
  /** When an admin reversed the product's decision. */
  reversed_at: z.optional(z.string()),
  /** As packed by `claim-lists.ts`. */
  row: personal(z.string(), { kept: 'packed again from the lead and the claim when they are blank' }),
  /** Counts edits of the lead's data; selects one of two sets that hold the row. */
  row_edition: z.int(),
});
export type Claim = z.output<typeof claimSchema>;
