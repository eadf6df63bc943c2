import type { Item } from '#functions/data/table/table';
import type { SimulatedWorld } from '#test/simulation/world';

/** The entry that a successful action leaves in the audit trail. An edit leaves none where nothing differed. */
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
  'decide claim': { entity: 'claim', actions: ['approved', 'rejected'] },
};

/** What was done and is not in the audit trail. */
export function auditEntriesOf(world: SimulatedWorld, items: readonly Item[]): string[] {
  const trail = items.filter(({ pk }) => String(pk).startsWith('AUDIT#'));
  return Object.entries(ENTRIES).flatMap(([name, { entity, actions }]) => {
    const done = world.done.get(name) ?? 0;
    const noted = trail.filter(
      (entry) => String(entry.pk).startsWith(`AUDIT#${entity}#`) && actions.includes(String(entry.action)),
    ).length;
    return noted < done ? [`${done} times "${name}" was done, and the audit trail has ${noted}`] : [];
  });
}
