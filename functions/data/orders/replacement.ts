import * as z from 'zod/mini';
import { REPLACEMENT_KINDS } from '#shared/rules/constants';

/** An entry is never changed and never removed. */
export const replacementSchema = z.object({
  buyer: z.int(),
  at: z.string(),
  /**
   * `credit`: a claim was approved; to an order, or to the balance if `order_id` is null. `attach`: from the balance to
   * a new order. `return`: from a deleted or closed order to the balance. `take_back`: a restored order took what was
   * still in the balance. `delivery`: a replacement was delivered. `delivery_undone`: a delivered replacement was
   * deleted and is owed again. `credit_undone`: an approval was reversed before its replacement was delivered.
   */
  kind: z.enum(REPLACEMENT_KINDS),
  amount: z.int().check(z.positive()),
  order_id: z.nullable(z.int()),
  claim_id: z.nullable(z.int()),
  lead_id: z.nullable(z.string()),
  balance_after: z.nullable(z.int()),
  owed_after: z.nullable(z.int()),
});
export type Replacement = z.output<typeof replacementSchema>;
