/** The audit trail and its chain. */
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

export function createTrail() {
  /** Entries written long after their timestamp. */
  const late = new Set<string>();

  return {
    follow(changes: readonly Change[], now: number): void {
      for (const { pk, sk, before, after } of changes) {
        if (pk === 'AUDITCHAIN')
          hold(before === undefined, () => `link ${sk} of the audit trail is written again`);
        if (!isEntry(pk)) continue;
        hold(after !== undefined, () => `the entry ${pk} ${sk} is removed`);
        if (before === undefined && now - instant(after, 'at') > LATE_MS) late.add(`${pk} ${sk}`);
      }
    },

    /** @param restedAt when the audit trail was last sealed */
    broken(items: readonly Item[], restedAt: number): string[] {
      const found: string[] = [];
      const sealed = new Map<string, string>();
      let previous = '';
      const links = items.filter(({ pk }) => pk === 'AUDITCHAIN');
      links.sort((one, other) => number(one, 'link') - number(other, 'link'));
      for (const [at, item] of links.entries()) {
        const leaves = JSON.parse(text(item, 'leaves')) as [pk: string, sk: string, leaf: string][];
        const link = [at + 1, previous, item.sealed_at, item.up_to, leaves];
        if (item.link !== at + 1 || item.previous !== previous || item.hash !== hash(link))
          found.push(`link ${at + 1} of the audit trail does not follow from the one before`);
        previous = text(item, 'hash');
        for (const [pk, sk, leaf] of leaves) {
          if (sealed.has(`${pk} ${sk}`)) found.push(`${pk} ${sk} is sealed twice`);
          sealed.set(`${pk} ${sk}`, leaf);
        }
      }
      for (const item of items.filter(({ pk }) => isEntry(String(pk)))) {
        const name = `${text(item, 'pk')} ${text(item, 'sk')}`;
        const leaf = sealed.get(name);
        sealed.delete(name);
        const mayWait = instant(item, 'at') >= restedAt - SEALED_AFTER_MS || late.has(name);
        if (leaf === undefined && !mayWait) found.push(`the entry ${name} is in no link`);
        if (leaf !== undefined && leaf !== leafOf(item))
          found.push(`the entry ${name} is not what was sealed`);
      }
      return [...found, ...[...sealed.keys()].map((name) => `${name} is sealed, and missing`)];
    },
  };
}
