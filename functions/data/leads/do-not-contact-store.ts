/**
 * People who withdrew their consent, by the same keyed hashes as in `person-fingerprint-store.ts`, or by both together. They
 * outlive an erasure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { readMany } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';

export const doNotContactSchema = z.object({ withdrawn_at: z.string(), withdrawal_id: z.string() });
export type DoNotContact = z.output<typeof doNotContactSchema>;

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
export const marked = (hash: string, mark: DoNotContact, expected: DoNotContact | undefined): Put => ({
  put: { ...keys.doNotContact(hash), ...mark },
  ...(expected === undefined
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'withdrawal_id = :expected', values: { ':expected': expected.withdrawal_id } }),
});
