import * as z from 'zod/mini';
import { REPLACEMENT_KINDS } from '#shared/rules/constants';

/** An entry of the replacement ledger; never changed and never removed. */
export const replacementSchema = z.object({
  buyer: z.int(),
  at: z.string(),
  /**
   * - `credit`: a claim was approved; to an order, or to the balance where `order_id` is null
   * - `attach`: from the balance to a new order
   * - `return`: from an order that was deleted, or that will not deliver any more, to the balance
   * - `take_back`: the order was restored and took what was still in the balance
   * - `delivery`: a replacement was delivered
   * - `delivery_undone`: a delivered replacement was deleted and is owed again
   * - `credit_undone`: an approval was reversed before its replacement was delivered; from the order that owes it, or from
   *   the balance where `order_id` is null
   */
  kind: z.enum(REPLACEMENT_KINDS),
  /** How many replacements moved; always positive. */
  amount: z.int().check(z.positive()),
  order_id: z.nullable(z.int()),
  /** Of a credit, and of one undone: the claim. */
  claim_id: z.nullable(z.int()),
  /** Of a delivery, and of one undone. */
  lead_id: z.nullable(z.string()),
  /** The buyer's `balance_count` after the entry; null where the entry does not touch it. */
  balance_after: z.nullable(z.int()),
  /** The order's `reimbursement_pending` after the entry; null where the entry touches no order. */
  owed_after: z.nullable(z.int()),
});
export type Replacement = z.output<typeof replacementSchema>;
