import * as z from 'zod/mini';

/**
 * How far each buyer is behind (positive) or ahead, in parts of a lead (`LEAD` of
 * `functions/domain/distribution/share-rule.ts` is one lead). An attribute of another shape is read as empty, so that
 * an unreadable ledger never stops distribution; the next write repairs the item.
 */
export const ledgerSchema = z.object({
  version: z.catch(z.int().check(z.nonnegative()), 0),
  /** By internal buyer id. */
  deficits: z.catch(z.record(z.string(), z.int()), {}),
  /**
   * The last writers, each with the version it wrote last. After a lost answer, a process finds here whether its
   * write took effect: it makes one write at a time, so an unknown version under its name is that write.
   */
  writers: z.catch(z.record(z.string(), z.int()), {}),
});
export type Ledger = z.output<typeof ledgerSchema>;

export const EMPTY_LEDGER: Ledger = { version: 0, deficits: {}, writers: {} };

export function ledgerAfter(ledger: Ledger, changes: ReadonlyMap<number, number>): Ledger {
  const deficits = { ...ledger.deficits };
  for (const [buyer, change] of changes) deficits[buyer] = (deficits[buyer] ?? 0) + change;
  return { ...ledger, version: ledger.version + 1, deficits };
}
