import * as z from 'zod/mini';
import { CHECK_KINDS, CHECK_RESULTS, CHECKERS } from '#shared/rules/constants';

export const checkRow = z.object({
  kind: z.enum(CHECK_KINDS),
  by: z.enum(CHECKERS),
  /** `dead`: there is no such mailbox or number. */
  result: z.enum(CHECK_RESULTS),
  at: z.string(),
});
