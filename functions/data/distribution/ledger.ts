import * as z from 'zod/mini';

/**
 * How far each buyer is behind or ahead, in shares (`LEAD` of `functions/domain/distribution/share-rule.ts` is one lead). One small
 * item, changed by a condition on its version.
 *
 * What cannot be read of it, because it is of another shape, counts as nothing: nobody is owed a lead then, and no lead
 * waits for a ledger. The next write puts it right.
 */
export const ledgerSchema = z.object({
  version: z.catch(z.int().check(z.nonnegative()), 0),
  /** By internal buyer id. */
  deficits: z.catch(z.record(z.string(), z.int()), {}),
  /**
   * Who wrote last, and which version each of them wrote. A process whose answer was lost finds here whether its write
   * has counted: it writes one at a time, so a number that it does not know can only be that write.
   */
  writers: z.catch(z.record(z.string(), z.int()), {}),
});
export type Ledger = z.output<typeof ledgerSchema>;

export const EMPTY_LEDGER: Ledger = { version: 0, deficits: {}, writers: {} };
