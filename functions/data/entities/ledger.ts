import * as z from 'zod';

/**
 * How far each buyer is behind or ahead, in shares (`LEAD` of `functions/domain/share-rule.ts` is one lead). One small
 * item, changed by a condition on its version.
 */
export const ledgerSchema = z.object({
  version: z.number().int(),
  /** By internal buyer id. */
  deficits: z.record(z.string(), z.number().int()),
  /**
   * Tags of the last writes, newest first. A write whose answer was lost and that is repeated finds its own tag here
   * and knows that it has already counted.
   */
  recent: z.array(z.string()),
});
export type Ledger = z.output<typeof ledgerSchema>;

export const EMPTY_LEDGER: Ledger = { version: 0, deficits: {}, recent: [] };
