import type { Item } from '#functions/data/table/table';
import type { SimulatedWorld } from '#test/simulation/world';

/** The entry that a successful action leaves in the audit trail. An edit without a difference leaves none. */
const ENTRIES: Readonly<Record<string, { readonly entity: string; readonly actions: readonly string[] }>> = {
  'create buyer': { entity: 'buyer', actions: ['created'] },
  'delete buyer': { entity: 'buyer', actions: ['deleted'] },
  'create order': { entity: 'order', actions: ['created'] },
  'delete order': { entity: 'order', actions: ['deleted'] },
  'restore order': { entity: 'order', actions: ['restored'] },
  'renew link': { entity: 'order', actions: ['token_renewed'] },
  'assign by hand': { entity: 'lead', actions: ['assigned'] },
  'discard lead': { entity: 'lead', actions: ['discarded'] },
  'delete lead': { entity: 'lead', actions: ['deleted'] },
  'file claim': { entity: 'claim', actions: ['filed'] },
  'reverse decision': { entity: 'claim', actions: ['decision_reversed'] },
  'address works again': { entity: 'buyer', actions: ['address_confirmed'] },
  'create template': { entity: 'template', actions: ['created'] },
  'delete template': { entity: 'template', actions: ['deleted'] },
  'send statement': { entity: 'buyer', actions: ['statement_sent'] },
  'create source': { entity: 'source', actions: ['created'] },
  'create key': { entity: 'source', actions: ['key_created'] },
  'revoke key': { entity: 'source', actions: ['key_revoked'] },
  'decide claim': { entity: 'claim', actions: ['approved', 'rejected'] },
};

/** Its entry is written with the assignment, which the reconciliation may do after the admin got an error. */
const FINISHED_BY_OTHERS: ReadonlySet<string> = new Set(['assign by hand']);
/** Buyers who claim have no name. */
const NAMELESS: ReadonlySet<string> = new Set(['file claim']);

/** Contradictions between requests, answers and the audit trail. */
export function auditEntriesOf(world: SimulatedWorld, items: readonly Item[]): string[] {
  const trail = items.filter(({ pk }) => String(pk).startsWith('AUDIT#'));
  const lost = world.faults.unanswered.some((name) => name.startsWith('api'));
  const found: string[] = [];
  for (const { who, name, outcome } of world.asked) {
    const expected = ENTRIES[name];
    if (expected === undefined || NAMELESS.has(name)) continue;
    const noted = trail.filter(
      (entry) =>
        entry.who === who &&
        String(entry.pk).startsWith(`AUDIT#${expected.entity}#`) &&
        expected.actions.includes(String(entry.action)),
    ).length;
    if (outcome === 'done' && noted === 0) found.push(`"${name}" was done, but is not in the audit trail`);
    if (noted > 1) found.push(`"${name}" was asked for once and done ${noted} times`);
    if (outcome === 'refused' && noted > 0 && !lost && !FINISHED_BY_OTHERS.has(name))
      found.push(`"${name}" was refused, and done`);
  }
  return found;
}
