/** The audit trail, the consents of leads, and the chain that seals both. */
import { createHash } from 'node:crypto';
import {
  type Change,
  hold,
  type Item,
  instant,
  MINUTE_MS,
  number,
  text,
} from '#test/simulation/referee/facts';

/** Older entries are in the chain, unless they were written late. */
const SEALED_AFTER_MS = 5 * MINUTE_MS;
const LATE_MS = 10 * MINUTE_MS;
const SALT_LENGTH = 22;

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
const isEntry = (pk: string) => pk.startsWith('AUDIT#') || pk.startsWith('ACCESS#');
const isConsent = ({ pk, sk }: Item) => sk === 'CONSENT' && text({ pk }, 'pk').startsWith('LEAD#');
/** A consent is sealed from when it is listed: its person may have to confirm it first. */
const isSealed = (item: Item) => isConsent(item) && item.gsi1pk !== undefined;

type Leaf = readonly [pk: string, sk: string, leaf: string];

/** The root of the Merkle tree (RFC 6962, section 2.1). */
function rootOf(leaves: readonly Leaf[]): Buffer {
  const [only] = leaves;
  const sum = createHash('sha256');
  if (only === undefined) return sum.digest();
  if (leaves.length === 1) return sum.update('\0').update(JSON.stringify(only)).digest();
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sum
    .update('\u0001')
    .update(rootOf(leaves.slice(0, half)))
    .update(rootOf(leaves.slice(half)))
    .digest();
}

/** The highest power of two that divides a link's number is how far it looks back. */
function skippedBy(link: number): number {
  let back = 1;
  while (link % (back * 2) === 0) back *= 2;
  return link - back;
}

/** Erasing a consent leaves its salted hash. */
function leafOfConsent({ lead_id, recorded_at, seed, person, consent, commitment }: Item): string {
  return hash(['consent', lead_id, recorded_at, commitment ?? hash([seed, person, consent])]);
}

/** The hash of a whole entry, with a salted hash in place of each change's values. */
function leafOf({ seed, changes, at, who, action, entity, entity_id, label }: Item): string {
  const committed = (JSON.parse(String(changes)) as Item[]).map(
    ({ field, from, to, salt, commitment }, index) => [
      field,
      commitment ?? hash([salt ?? hash([seed, index]).slice(0, SALT_LENGTH), field, from, to]),
    ],
  );
  return hash([at, who, action, entity, entity_id, label, committed]);
}

const writtenAt = (item: Item | undefined) =>
  instant(item, item?.recorded_at === undefined ? 'at' : 'recorded_at');

export function createTrail() {
  /** Entries written long after their timestamp. */
  const late = new Set<string>();

  return {
    follow(changes: readonly Change[], now: number): void {
      for (const { pk, sk, before, after } of changes) {
        if (pk === 'AUDITCHAIN')
          hold(before === undefined, () => `link ${sk} of the audit trail is written again`);
        const isListed = after !== undefined && isSealed({ pk, sk, ...after });
        const wasListed = before !== undefined && isSealed({ pk, sk, ...before });
        if (!isEntry(pk) && !isListed && !wasListed) continue;
        hold(after !== undefined, () => `the entry ${pk} ${sk} is removed`);
        const isNew = isEntry(pk) ? before === undefined : !wasListed;
        if (isNew && now - writtenAt(after) > LATE_MS) late.add(`${pk} ${sk}`);
      }
    },

    /** @param restedAt when the audit trail was last sealed */
    broken(items: readonly Item[], restedAt: number): string[] {
      const found: string[] = [];
      const sealed = new Map<string, string>();
      const hashes = [''];
      const links = items.filter(({ pk }) => pk === 'AUDITCHAIN');
      links.sort((one, other) => number(one, 'link') - number(other, 'link'));
      for (const [at, item] of links.entries()) {
        const leaves = JSON.parse(text(item, 'leaves')) as Leaf[];
        const [previous, skip] = [hashes[at], hashes[skippedBy(at + 1)]];
        const root = rootOf(leaves).toString('base64url');
        const header = [at + 1, previous, skip, item.sealed_at, item.up_to, root];
        if (item.link !== at + 1 || item.previous !== previous || item.hash !== hash(header))
          found.push(`link ${at + 1} of the audit trail does not follow from those before`);
        hashes.push(text(item, 'hash'));
        for (const [pk, sk, leaf] of leaves) {
          if (sealed.has(`${pk} ${sk}`)) found.push(`${pk} ${sk} is sealed twice`);
          sealed.set(`${pk} ${sk}`, leaf);
        }
      }
      for (const item of items.filter((one) => isEntry(text(one, 'pk')) || isSealed(one))) {
        const name = `${text(item, 'pk')} ${text(item, 'sk')}`;
        const leaf = sealed.get(name);
        sealed.delete(name);
        const mayWait = writtenAt(item) >= restedAt - SEALED_AFTER_MS || late.has(name);
        if (leaf === undefined && !mayWait) found.push(`the entry ${name} is in no link`);
        if (leaf !== undefined && leaf !== (isConsent(item) ? leafOfConsent(item) : leafOf(item)))
          found.push(`the entry ${name} is not what was sealed`);
      }
      return [...found, ...[...sealed.keys()].map((name) => `${name} is sealed, and missing`)];
    },
  };
}
