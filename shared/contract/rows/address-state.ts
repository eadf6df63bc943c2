import * as z from 'zod/mini';
import { ADDRESS_STATES, BOUNCE_REPORTERS } from '#shared/rules/constants';

export const addressState = z.object({
  state: z.enum(ADDRESS_STATES),
  /** At most ten. */
  count: z.number(),
  since: z.string(),
  last_at: z.string(),
  by: z.enum(BOUNCE_REPORTERS),
  code: z.nullable(z.string()),
  /** Without addresses. */
  diagnostic: z.nullable(z.string()),
});
export type AddressStateRow = z.output<typeof addressState>;
