/**
 * What the audit chain commits to: the whole entry, but only salted hashes of its values, so that a value can be erased
 * and the chain stays valid. Each entry has one random seed, from which the salts of its changes follow. An erasure
 * removes the seed: erased changes keep their commitment, the others their own salt.
 */
import { createHash } from 'node:crypto';

export interface StoredChange {
  readonly field: string;
  readonly from: string | number | boolean | null;
  readonly to: string | number | boolean | null;
  readonly salt?: string | undefined;
  readonly commitment?: string | undefined;
}

export interface Committed {
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly entity: string;
  readonly entity_id: string;
  readonly label: string;
  /** 128 bits, base64url; absent if the entry has no changes. */
  readonly seed?: string | undefined;
  readonly changes: readonly StoredChange[];
}

const SALT_CHARACTERS = 22;

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** @param token at least 128 random bits, base64url */
export const seedFrom = (token: string): string => token.slice(0, SALT_CHARACTERS);

const saltOf = (seed: string, at: number) => hashOf([seed, at]).slice(0, SALT_CHARACTERS);

/** Undefined for an erased change, and for an entry older than the chain. */
function saltAt({ seed, changes }: Pick<Committed, 'seed' | 'changes'>, at: number): string | undefined {
  return changes[at]?.salt ?? (seed === undefined ? undefined : saltOf(seed, at));
}

function commitmentAt(entry: Pick<Committed, 'seed' | 'changes'>, at: number): string | undefined {
  const change = entry.changes[at];
  if (change === undefined || change.commitment !== undefined) return change?.commitment;
  const salt = saltAt(entry, at);
  return salt === undefined ? undefined : hashOf([salt, change.field, change.from, change.to]);
}

/** False for an entry that is older than the chain and in none of its links. */
export function isCommitted(entry: Committed): boolean {
  return entry.changes.every((_, at) => commitmentAt(entry, at) !== undefined);
}

export function leafOf(entry: Committed): string {
  const { at, who, action, entity, entity_id, label, changes } = entry;
  const committed = changes.map(({ field }, at) => [field, commitmentAt(entry, at) ?? null]);
  return hashOf([at, who, action, entity, entity_id, label, committed]);
}

/** An entry's changes without the values of these fields; stored without the seed. */
export function erasedChanges(entry: Committed, fields: readonly string[]): StoredChange[] {
  return entry.changes.map((change, at) => {
    if (change.commitment !== undefined) return change;
    if (fields.includes(change.field)) {
      const commitment = commitmentAt(entry, at);
      return { field: change.field, from: null, to: null, ...(commitment !== undefined && { commitment }) };
    }
    const salt = saltAt(entry, at);
    return { ...change, ...(salt !== undefined && { salt }) };
  });
}
