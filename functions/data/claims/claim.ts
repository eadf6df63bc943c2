import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { CLAIM_REASONS, CLAIM_RULES, CLAIM_STATUSES, ON_SILENCE } from '#shared/rules/constants';

/**
 * A buyer's claim about one lead. The lead carries the status as well, and the outbox tells people by the change of
 * the lead, so a claim changes only together with its lead.
 */
export const claimSchema = z.object({
  /** From one counter, so that the order of numbers is the order of filing. */
  claim_id: z.int(),
  claim_status: z.enum(CLAIM_STATUSES),
  created_at: z.string(),
  processed_at: z.nullable(z.string()),
  admin_notes: personal(z.nullable(z.string())),
  /** The text to show; for `other` what the buyer wrote. */
  claim_reason: personal(z.string()),
  claim_reason_code: z.enum(CLAIM_REASONS),
  lead_id: z.string(),
  buyer: z.int(),
  order_id: z.int(),
  /** The lead's number within the order. */
  sequence: z.int(),
  /** The last day (Berlin) for its decision, and what silence stands for then; both or none. */
  decide_by: z.optional(z.string()),
  on_silence: z.optional(z.enum(ON_SILENCE)),
  /** The rule by which the product decided it; absent where an admin did. */
  rule: z.optional(z.enum(CLAIM_RULES)),
  /** When an admin reversed that decision; it is final since. */
  reversed_at: z.optional(z.string()),
  /** The claim's row in the lists, as packed by `functions/data/claims/claim-lists.ts`. */
  row: personal(z.string(), { kept: 'packed again from the lead and the claim when they are blank' }),
  /** How often the lead's data were edited since; tells in which of two sets of its block the row stands. */
  row_edition: z.int(),
});
export type Claim = z.output<typeof claimSchema>;
