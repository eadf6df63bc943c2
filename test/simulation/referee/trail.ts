/** The audit trail and its chain. */
import { createHash } from 'node:crypto';
import { type Change, hold, type Item, instant, number, text } from '#test/simulation/referee/facts';

const MINUTE_MS = 60_000;
/** Older entries are in the chain, unless they were written late. */
const SEALED_AFTER_MS = 5 * MINUTE_MS;
const LATE_MS = 10 * MINUTE_MS;
const SALT_LENGTH = 22;

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
const isEntry = (pk: string) => pk.startsWith('AUDIT#') || pk.startsWith('LOOKS#');

/** The hash of all of an entry, with a salted one in place of the values of each change. */
function leafOf(entry: Item): string {
  const changes = JSON.parse(text(entry, 'changes')) as Item[];
  const committed = changes.map(({ field, from, to, salt, commitment }, at) => [
    field,
    commitment ?? hash([salt ?? hash([entry.seed, at]).slice(0, SALT_LENGTH), field, from, to]),
  ]);
  return hash([entry.at, entry.who, entry.action, entry.entity, entry.entity_id, entry.label, committed]);
}

export class Trail {
  /** Entries that were written long after the instant that they name. */
  readonly #late = new Set<string>();

  follow(changes: readonly Change[], now: number): void {
    for (const { pk, sk, before, after } of changes) {
      if (pk === 'AUDITCHAIN')
        hold(before === undefined, () => `link ${sk} of the audit trail is written again`);
      if (!isEntry(pk)) continue;
      hold(after !== undefined, () => `the entry ${pk} ${sk} is removed`);
      if (before === undefined && now - instant(after, 'at') > LATE_MS) this.#late.add(`${pk} ${sk}`);
    }
  }

  /** @param restedAt when the audit trail was last sealed */
  broken(items: readonly Item[], restedAt: number): string[] {
    const links = items
      .filter(({ pk }) => pk === 'AUDITCHAIN')
      .sort((a, b) => number(a, 'link') - number(b, 'link'));
    const sealed = new Map<string, string>();
    const found: string[] = [];
    let previous = '';
    for (const [at, item] of links.entries()) {
      const { link, sealed_at, up_to } = item;
      const leaves = JSON.parse(text(item, 'leaves')) as [string, string, string][];
      if (
        link !== at + 1 ||
        item.previous !== previous ||
        item.hash !== hash([link, previous, sealed_at, up_to, leaves])
      )
        found.push(`link ${at + 1} of the audit trail does not follow from the one before`);
      previous = text(item, 'hash');
      for (const [pk, sk, leaf] of leaves) {
        if (sealed.has(`${pk} ${sk}`)) found.push(`${pk} ${sk} is sealed twice`);
        sealed.set(`${pk} ${sk}`, leaf);
      }
    }
    for (const item of items) {
      const name = `${text(item, 'pk')} ${text(item, 'sk')}`;
      if (!isEntry(name)) continue;
      const leaf = sealed.get(name);
      sealed.delete(name);
      if (
        leaf === undefined
          ? instant(item, 'at') < restedAt - SEALED_AFTER_MS && !this.#late.has(name)
          : leaf !== leafOf(item)
      )
        found.push(`the entry ${name} is ${leaf === undefined ? 'in no link' : 'not what was sealed'}`);
    }
    for (const name of sealed.keys()) found.push(`${name} is sealed, and not there`);
    return found;
  }
}
