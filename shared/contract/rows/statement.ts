/** The statement of a buyer. Money in euro. */
import * as z from 'zod/mini';
import { BUYER_TYPES } from '#shared/rules/constants';

const figures = {
  /** Original leads, which are billed. */
  delivered: z.number(),
  replaced: z.number(),
  claimed: z.number(),
  approved: z.number(),
  rejected: z.number(),
  pending: z.number(),
  sum: z.nullable(z.number()),
};

const statementLine = z.object({
  /** Of Berlin; null for what is not counted yet. */
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
  owed: z.number(),
});
export type StatementOrderRow = z.output<typeof statementOrder>;

export const statementRow = z.object({
  orders: z.array(statementOrder),
  sum: z.number(),
  /** Replacements owed by no order. */
  balance: z.number(),
  /** In the order of their delivery. */
  owed: z.array(
    z.object({
      position: z.number(),
      claim_id: z.number(),
      since: z.string(),
      /** Calendar days in Berlin. */
      days: z.number(),
    }),
  ),
});
export type StatementRow = z.output<typeof statementRow>;
