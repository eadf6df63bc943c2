/** The statement of a buyer, as its page and admins see it. Money in euro. */
import * as z from 'zod/mini';
import { BUYER_TYPES } from '#shared/rules/constants';

const figures = {
  /** Original leads, which are billed. */
  delivered: z.number(),
  /** Replacements, which are not. */
  replaced: z.number(),
  claimed: z.number(),
  approved: z.number(),
  rejected: z.number(),
  /** Claims that nobody has decided yet. */
  pending: z.number(),
  /** The delivered leads at the price of the order; null where it has none. */
  sum: z.nullable(z.number()),
};

const statementLine = z.object({
  /** `2026-11`, of Berlin: when leads were delivered and claims filed; null for what is not counted in its month yet. */
  month: z.nullable(z.string()),
  ...figures,
});
export type StatementLineRow = z.output<typeof statementLine>;

const statementOrder = z.object({
  buyer_order_number: z.number(),
  order_created_at: z.string(),
  deleted: z.boolean(),
  buyer_type: z.enum(BUYER_TYPES),
  price_per_lead: z.nullable(z.number()),
  lines: z.array(statementLine),
  total: z.object(figures),
  /** Replacements that the order still has to deliver. */
  owed: z.number(),
});
export type StatementOrderRow = z.output<typeof statementOrder>;

export const statementRow = z.object({
  orders: z.array(statementOrder),
  /** Of all orders. */
  sum: z.number(),
  /** Replacements owed that belong to no order yet. */
  balance: z.number(),
  /** Every replacement that is owed: the next to come first. */
  owed: z.array(
    z.object({
      position: z.number(),
      claim_id: z.number(),
      /** When the claim was approved. */
      since: z.string(),
      /** Calendar days from then to today, in Berlin. */
      days: z.number(),
    }),
  ),
});
export type StatementRow = z.output<typeof statementRow>;
