/**
 * People who withdrew their consent, or whom a list of known people names, by the same keyed hashes as in
 * `person-fingerprint-store.ts`. A withdrawal may mark both hashes together. One item of a hash has both, because every lead
 * reads it. The marks outlive an erasure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { readMany } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Update } from '#functions/data/table/table';

export const doNotContactSchema = z.object({
  withdrawn_at: z.optional(z.string()),
  withdrawal_id: z.optional(z.string()),
  /** `{buyer}#{list}`; buyer 0 stands for nobody. */
  known: z.optional(z.set(z.string())),
});
export type DoNotContact = z.output<typeof doNotContactSchema>;
export type Withdrawn = Required<Pick<DoNotContact, 'withdrawn_at' | 'withdrawal_id'>>;

/** Names only leads with the same phone number and the same e-mail address. */
export const pairOf = (hashes: readonly string[]): string =>
  createHash('sha256').update(hashes.toSorted().join(' ')).digest('base64url');

/** All marks that can refuse a lead with these fingerprints. */
export const marksFor = (hashes: readonly string[]): readonly string[] =>
  hashes.length === 0 ? [] : [...hashes, pairOf(hashes)];

/**
 * In the order of the hashes. Consistent: with an eventually consistent read a lead that arrives right after the withdrawal
 * could still be assigned.
 */
export const ofEach = (context: DataContext, hashes: readonly string[]) =>
  readMany(context, hashes.map(keys.doNotContact), doNotContactSchema);

/** Fails if the mark is not as it was read. */
export const marked = (hash: string, mark: Withdrawn, expected: DoNotContact | undefined): Update => ({
  key: keys.doNotContact(hash),
  update: 'SET withdrawn_at = :at, withdrawal_id = :id',
  condition:
    expected?.withdrawal_id === undefined
      ? 'attribute_not_exists(withdrawal_id)'
      : 'withdrawal_id = :expected',
  values: {
    ':at': mark.withdrawn_at,
    ':id': mark.withdrawal_id,
    ...(expected?.withdrawal_id !== undefined && { ':expected': expected.withdrawal_id }),
  },
});

/** The buyers that know one of these people. */
export const knownTo = (marks: readonly (DoNotContact | undefined)[]): number[] => [
  ...new Set(marks.flatMap((mark) => Array.from(mark?.known ?? [], (text) => Number(text.split('#')[0])))),
];

/** Repeatable. */
export const know = (hash: string, by: string): Update => ({
  key: keys.doNotContact(hash),
  update: 'ADD known :by',
  values: { ':by': new Set([by]) },
});

/** Repeatable. The item goes with its last mark. */
export async function unknow({ table }: DataContext, hash: string, by: string): Promise<void> {
  const key = keys.doNotContact(hash);
  const values = { ':by': new Set([by]) };
  await table.update({ key, update: 'DELETE known :by', condition: 'attribute_exists(pk)', values });
  await table.delete({
    delete: key,
    condition: 'attribute_not_exists(known) AND attribute_not_exists(withdrawal_id)',
  });
}
