import * as z from 'zod/mini';
import { CHECK_KINDS, CHECK_RESULTS, CHECKERS } from '#shared/rules/constants';

/** A check of a lead's data, stored as it is shown. */
export const checkRow = z.object({
  kind: z.enum(CHECK_KINDS),
  by: z.enum(CHECKERS),
  /** `dead`: there is no such mailbox or number. */
  result: z.enum(CHECK_RESULTS),
  at: z.string(),
});
