/**
 * Uploads and deletes lists of known people in parts that the browser sends sequentially. See
 * `docs/adr/0067-known-people.md`.
 */
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import type { KnownList, KnownPart } from '#functions/data/leads/known-people-store';
import * as knownPeopleStore from '#functions/data/leads/known-people-store';
import { aboutBuyer, aboutSetting, auditEntry } from '#functions/domain/common/audit';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { conflict, notFound } from '#functions/domain/common/errors';
import { NOBODY } from '#shared/rules/constants';

const MAX_WRITES_AT_ONCE = 50;
/** Of one call, so that it ends well before its timeout. */
const MAX_DELETED_PARTS = 4;

const markOf = ({ buyer, list_id }: KnownList) => `${buyer}#${list_id}`;

/** @param buyerId null: no buyer may get these people @throws DomainError 404 for an unknown buyer */
export async function beginList(
  context: Context,
  who: string,
  { buyerId, ...named }: Pick<KnownList, 'name' | 'file'> & { readonly buyerId: string | null },
) {
  const owner = buyerId === null ? undefined : await buyerStore.byId(context, buyerId);
  if (buyerId !== null && owner === undefined) throw notFound('Buyer');
  const list: KnownList = {
    list_id: context.runtime.newId(),
    buyer: owner?.buyer ?? NOBODY,
    ...named,
    created_at: context.runtime.now().toISOString(),
    created_by: who,
    parts: 0,
    people: 0,
  };
  const about = owner === undefined ? aboutSetting('known_people') : aboutBuyer(owner);
  await context.table.transact([
    knownPeopleStore.begun(list),
    auditEntry(context, { who, action: 'updated', ...about, after: { known_people: named.name } }),
  ]);
  return { list, buyerId };
}

/**
 * Repeatable. The part is stored before its marks, so that a deletion finds every mark.
 * @param upload.last whether the list is finished by it
 * @throws DomainError 404 for an unknown list; 409 if another part is next or the list is being deleted
 */
export async function addPart(
  context: Context,
  listId: string,
  { people, last, ...part }: KnownPart & { readonly people: number; readonly last: boolean },
): Promise<KnownList> {
  const written = await context.table.transact(knownPeopleStore.added(listId, part, people));
  const list = await knownPeopleStore.get(context, listId);
  if (list === undefined) throw notFound('List');
  const by = markOf(list);
  if (!written.ok) {
    const stored = await knownPeopleStore.getPart(context, listId, part.part);
    const isRepeated = stored !== undefined && stored.hashes.join() === part.hashes.join();
    if (!isRepeated || list.deleting)
      throw conflict('other_part_expected', 'Another part of the list is next, or it is being deleted');
  }
  await mapConcurrently(
    part.hashes,
    (hash) => context.table.update(doNotContactStore.know(hash, by)),
    MAX_WRITES_AT_ONCE,
  );
  if (last) await context.table.update(knownPeopleStore.finished(listId, part.part));
  const after = await knownPeopleStore.get(context, listId);
  // A deletion that began meanwhile may have passed this part before it was marked.
  if (after === undefined || after.deleting === true) {
    await unmark(context, part.hashes, by);
    throw notFound('List');
  }
  return after;
}

/** Repeatable. @returns how many parts are left, at least @throws DomainError 404 for an unknown list */
export async function deleteParts(context: Context, who: string, listId: string): Promise<number> {
  const list = await knownPeopleStore.get(context, listId);
  if (list === undefined) throw notFound('List');
  if (list.deleting === undefined) await context.table.update(knownPeopleStore.deleting(listId));
  const parts = await knownPeopleStore.someParts(context, listId, MAX_DELETED_PARTS + 1);
  for (const { part, hashes } of parts.slice(0, MAX_DELETED_PARTS)) {
    await unmark(context, hashes, markOf(list));
    await knownPeopleStore.removePart(context, listId, part);
  }
  const left = Math.max(0, parts.length - MAX_DELETED_PARTS);
  if (left > 0) return left;
  const about =
    list.buyer === NOBODY
      ? aboutSetting('known_people')
      : ({ entity: 'buyer', entityId: list.buyer } as const);
  await context.table.transact([
    knownPeopleStore.removed(listId),
    auditEntry(context, { who, action: 'updated', ...about, before: { known_people: list.name } }),
  ]);
  return 0;
}

async function unmark(context: Context, hashes: readonly string[], by: string): Promise<void> {
  await mapConcurrently(hashes, (hash) => doNotContactStore.unknow(context, hash, by), MAX_WRITES_AT_ONCE);
}
