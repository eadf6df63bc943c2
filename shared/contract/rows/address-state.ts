import * as z from 'zod/mini';
import { ADDRESS_STATES, BOUNCE_REPORTERS } from '#shared/rules/constants';

/** What is known against an e-mail address: mails to it come back, or were called spam. */
export const addressState = z.object({
  state: z.enum(ADDRESS_STATES),
  /** How often this was reported, at most ten. */
  count: z.number(),
  /** Instants of the first and the last report. */
  since: z.string(),
  last_at: z.string(),
  by: z.enum(BOUNCE_REPORTERS),
  /** The status that the mail server gave, such as `5.1.1`. */
  code: z.nullable(z.string()),
  /** What it said, without addresses. */
  diagnostic: z.nullable(z.string()),
});
export type AddressStateRow = z.output<typeof addressState>;
