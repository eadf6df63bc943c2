/** Editing, discarding, deleting, erasing and showing leads, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import { editOf } from '#functions/api/common/person';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as claimStore from '#functions/data/claims/claim-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { assignmentOf, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import { refusalPut } from '#functions/data/leads/refusals';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import * as callbackStore from '#functions/data/sources/callback-store';
import { keys } from '#functions/data/table/keys';
import type { Table, TransactionItem } from '#functions/data/table/table';
import { decideClaim } from '#functions/domain/claims/claims';
import { noteEvent } from '#functions/domain/common/addresses';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { eraseLead } from '#functions/domain/leads/erasure';
import { leadDetails } from '#functions/domain/leads/lead-details';
import { deleteLead, discardLead, editLead } from '#functions/domain/leads/leads';
import { viewLeads } from '#functions/domain/leads/leads-view';
import type { ListTag } from '#functions/domain/leads/list-tag';
import { allPending, listPending } from '#functions/domain/leads/pending-leads';
import { createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { createErasure } from '#functions/platform/erasure';
import { leadSchemas } from '#shared/contract/schemas/leads';
import { aDelivery } from '#test/factories/deliveries';
import { aLead, aReceivedLead, LEAD_ID } from '#test/factories/leads';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  interruptedTable,
  itemsOf,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';
import { MINUTE_MS } from '#test/harness/time';

/** A buyer with an order of this size, and a clock that advances a minute with each lead. */
async function anOrderOf(limit: number, buyer: { review?: boolean } = {}) {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'a', probability: 60, limit, ...buyer }]);
  let now = new Date('2026-03-02T09:00:00Z');
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const runtime = { ...quietRuntime, now: () => now, sleep: async () => undefined };
  const deps = {
    ...distributionOn(table, { runtime }),
    ...adminOn(table, runtime),
  };
  const take = async (person: object = {}) => {
    later(MINUTE_MS);
    return (await ingest(deps, { ...aPerson(), ...person }, undefined)).lead_id;
  };
  const claim = async (leadId: string, status?: 'approved' | 'rejected') =>
    (await claimLead(deps, leadId, status && { status })).claim_id;
  /** The same, but another change comes before the first write. */
  const disturbed = () => {
    const writes: (readonly TransactionItem[])[] = [];
    const transact: typeof table.transact = async (items, ...more) => {
      writes.push(items);
      return writes.length === 1 ? { ok: false as const, failed: [] } : table.transact(items, ...more);
    };
    return { ...deps, writes, table: changedTable(deps.table, { transact }) };
  };
  const lead = async (id: string) => (await leadStore.get(deps, id))!;
  const order = async (id = 1) => (await orderStore.get(deps, id))!;
  const entry = async () => (await poolStore.entry(deps, 1))!;
  const auditOf = async (entityId: string) =>
    (await auditStore.list(deps, { entity: 'lead', entityId }, { limit: 200 })).entries;
  return { table, deps, take, claim, disturbed, lead, order, entry, auditOf, later };
}

describe('editing a lead', () => {
  it('requires an existing lead that is not in flight, discarded or deleted', async () => {
    const { deps, take } = await anOrderOf(5);
    await expect(editLead(deps, 'test', 'nothing', { vorname: 'X' })).rejects.toMatchObject({
      kind: 'not_found',
    });
    const id = await take();
    await leadStore.receive(deps, {
      ...(await leadStore.get(deps, id))!,
      lead_id: 'other',
      status: 'received',
    });
    await expect(editLead(deps, 'test', 'other', { vorname: 'X' })).rejects.toMatchObject({
      code: 'lead_not_editable',
    });
    await deleteLead(deps, 'test', id);
    for (const change of [editLead(deps, 'test', id, { vorname: 'X' }), deleteLead(deps, 'test', id)])
      await expect(change).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('changes only the given fields, requires the expected values, and is retried after a conflict', async () => {
    const { deps, take, disturbed, lead, auditOf, claim } = await anOrderOf(5);
    const id = await take({ vorname: 'Eva', nachname: 'Alt' });
    await claim(id);
    await editLead(deps, 'test', id, {});
    expect(await auditOf(id)).toEqual([]);
    await expect(
      editLead(deps, 'test', id, { nachname: 'Neu' }, { nachname: 'Uralt' }),
    ).rejects.toMatchObject({
      code: 'edited_meanwhile',
    });
    const again = disturbed();
    await editLead(again, 'anna', id, { nachname: 'Neu' }, { nachname: 'Alt' });
    expect(again.writes).toHaveLength(2);
    expect(await lead(id)).toMatchObject({ vorname: 'Eva', nachname: 'Neu' });
    expect(await auditOf(id)).toMatchObject([
      { who: 'anna', action: 'updated', changes: [{ field: 'nachname', from: 'Alt', to: 'Neu' }] },
    ]);
    const found = async (word: string) =>
      (await claimStore.search(deps, [[[{ tier: word.length, prefix: word, exact: true }]]])).size;
    expect([await found('alt'), await found('neu')]).toEqual([0, 1]);
  });

  it.each([null, ''])('clears an optional field with %j', async (empty) => {
    const { deps, take, lead, auditOf } = await anOrderOf(5, { review: true });
    const id = await take({ clickId: 'c-1', src: 'page' });
    const asked = (body: object) => editOf(leadSchemas.updateLead.body.parse(body));
    const edit = (now: string | null, seen: string | null) =>
      editLead(deps, 'anna', id, asked({ clickId: now }), asked({ clickId: seen }));
    await edit(empty, 'c-1');
    expect(await lead(id)).not.toHaveProperty('clickId');
    expect(await auditOf(id)).toMatchObject([{ changes: [{ field: 'clickId', from: 'c-1', to: null }] }]);
    await expect(edit('c-2', 'c-1')).rejects.toMatchObject({ code: 'edited_meanwhile' });
    await edit('c-2', empty);
    await expect(edit('c-3', empty)).rejects.toMatchObject({ code: 'edited_meanwhile' });
    await assignByHand(deps, 'anna', id, { person: asked({ src: empty }), buyerId: 'a' });
    expect(await lead(id)).toMatchObject({ status: 'assigned', clickId: 'c-2' });
    expect(await lead(id)).not.toHaveProperty('src');
  });
});

describe('discarding a lead', () => {
  it('removes a field that was filled during the discard', async () => {
    const { deps, take, lead, auditOf } = await anOrderOf(5, { review: true });
    const id = await take({ clickId: undefined });
    const edit = () => editLead(deps, 'ben', id, { clickId: 'c-1' });
    await discardLead({ ...deps, table: interruptedTable(deps.table, 'transact', edit) }, 'anna', id);
    const notified = await auditOf(id);
    expect(notified.map(({ action }) => action)).toEqual(['discarded', 'updated']);
    expect(JSON.stringify([await lead(id), notified])).not.toContain('c-1');
  });

  it('requires a pending lead, and removes all personal data, even from a long audit trail', async () => {
    const { deps, take, lead, auditOf, disturbed } = await anOrderOf(1);
    const assigned = await take();
    await expect(discardLead(deps, 'test', assigned)).rejects.toMatchObject({ kind: 'conflict' });
    const id = await take({ nachname: 'Name 0' });
    for (let edit = 1; edit <= 95; edit += 1) await editLead(deps, 'test', id, { nachname: `Name ${edit}` });
    const again = disturbed();
    await discardLead(again, 'anna', id);
    expect(again.writes.length).toBeGreaterThan(2);
    expect(Math.max(...again.writes.map((items) => items.length))).toBeLessThanOrEqual(100);
    expect(await lead(id)).toMatchObject({
      status: 'discarded',
      deleted_at: expect.any(String),
      nachname: '',
    });
    const notified = await auditOf(id);
    expect(notified).toHaveLength(96);
    expect(notified[0]).toMatchObject({
      who: 'anna',
      action: 'discarded',
      changes: expect.arrayContaining([{ field: 'status', from: 'pending', to: 'discarded' }]),
    });
    expect(JSON.stringify(notified)).not.toContain('Name');
    await expect(discardLead(deps, 'test', id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

it('the assignment of a lead exists only with all of its parts', () => {
  const lead = aLead();
  const { buyer, order_id, sequence, lead_type, assigned_at } = lead;
  expect(assignmentOf(lead)).toEqual({ buyer, order_id, sequence, lead_type, assigned_at });
  for (const part of ['buyer', 'order_id', 'sequence', 'lead_type', 'assigned_at'])
    expect(assignmentOf({ ...lead, [part]: undefined }), part).toBeUndefined();
});

describe('deleting a lead', () => {
  it('requires an assigned lead', async () => {
    const { deps, take, lead } = await anOrderOf(1);
    await take();
    const pending = await take();
    await expect(deleteLead(deps, 'test', pending)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await lead(pending)).toMatchObject({ status: 'pending' });
    await editLead(deps, 'test', pending, { vorname: 'Eva' });
    expect(await lead(pending)).toMatchObject({ status: 'pending', vorname: 'Eva' });
  });

  it('reopens its full order, and is audited', async () => {
    const { take, order, entry, lead, auditOf, disturbed } = await anOrderOf(1);
    const id = await take();
    expect([await order(), await entry()]).toMatchObject([{ leads_received: 1 }, { has_capacity: false }]);
    const again = disturbed();
    await deleteLead(again, 'anna', id);
    expect(again.writes).toHaveLength(2);
    expect([await order(), await entry()]).toMatchObject([{ leads_received: 0 }, { has_capacity: true }]);
    expect(await lead(id)).toMatchObject({ status: 'deleted', deleted_at: '2026-03-02T09:01:00.000Z' });
    expect(await auditOf(id)).toMatchObject([
      { who: 'anna', action: 'deleted', changes: [{ field: 'status', from: 'assigned', to: 'deleted' }] },
    ]);
  });

  it('does not reopen an order with a successor', async () => {
    const { deps, take, order, entry } = await anOrderOf(1);
    const id = await take();
    await createOrder(deps, 'test', { buyerId: 'a', leadLimit: 1, balance: 0 });
    await take();
    await deleteLead(deps, 'test', id);
    expect(await order()).toMatchObject({ leads_received: 0 });
    expect(await entry()).toMatchObject({ order_id: 2, has_capacity: false });
  });

  it('does not reopen a deleted order', async () => {
    const { deps, take, order, entry } = await anOrderOf(1);
    const id = await take();
    await deleteOrder(deps, 'test', 'a', 1);
    await deleteLead(deps, 'test', id);
    expect(await order()).toMatchObject({ leads_received: 0, deleted_at: expect.any(String) });
    expect(await entry()).toMatchObject({ has_capacity: false });
  });

  it('requires a decided claim, and releases no capacity for a compensated lead', async () => {
    const { deps, take, claim, order, entry } = await anOrderOf(1);
    const id = await take();
    const claimId = await claim(id);
    await expect(deleteLead(deps, 'test', id)).rejects.toMatchObject({ code: 'claim_pending' });
    await decideClaim(deps, { who: 'test', claimId, status: 'approved', notes: '' });
    const replacement = await take();
    expect(await leadStore.get(deps, replacement)).toMatchObject({ lead_type: 'reimbursement' });
    await deleteLead(deps, 'test', id);
    expect(await order()).toMatchObject({
      leads_received: 1,
      compensated_deletions: 1,
      reimbursement_pending: 0,
    });
    expect(await entry()).toMatchObject({ has_capacity: false });
  });

  it('restores an owed replacement to its order if that is current, otherwise to the balance', async () => {
    for (const follows of [false, true]) {
      const { table, deps, take, claim, order, entry } = await anOrderOf(1);
      await claim(await take(), 'approved');
      const replacement = await take();
      if (follows) await createOrder(deps, 'test', { buyerId: 'a', leadLimit: 1, balance: 0 });
      await deleteLead(deps, 'test', replacement);
      expect(await order()).toMatchObject({
        leads_received: 1,
        reimbursement_delivered: 0,
        reimbursement_pending: follows ? 0 : 1,
      });
      expect((await buyerStore.get(deps, 1))?.balance_count).toBe(follows ? 1 : 0);
      expect(await entry()).toMatchObject({ has_capacity: true, order_id: follows ? 2 : 1 });
      expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
    }
  });
});

describe('the details of a lead', () => {
  it('contain the compensation of a claim, and the claim that a replacement compensates', async () => {
    const { table, deps, take, claim } = await anOrderOf(2);
    const [claimed, other] = [await take(), await take()];
    expect(await leadDetails(deps, claimed)).toMatchObject({
      order: { order_id: 1 },
      decision: { winner: 1 },
      compensation: undefined,
      replaces: undefined,
    });
    const claimId = await claim(claimed, 'approved');
    expect((await leadDetails(deps, claimed)).compensation).toMatchObject({
      credit: { order_id: 1, delivery: null },
      lead: undefined,
    });
    const replacement = await take();
    expect((await leadDetails(deps, claimed)).compensation).toMatchObject({ lead: { lead_id: replacement } });
    expect((await leadDetails(deps, replacement)).replaces).toMatchObject({ claim_id: claimId });
    await claim(other, 'rejected');
    // The ledger is read only for leads that can occur in it.
    const unread = changedTable(table, {
      queryAll: async (query) => {
        expect(query.partition).not.toBe(keys.replacements(1));
        return table.queryAll(query);
      },
    });
    expect(await leadDetails({ ...deps, table: unread }, other)).toMatchObject({
      compensation: undefined,
      replaces: undefined,
    });
    await expect(leadDetails(deps, 'nothing')).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('contain the e-mail address state, and other leads of its person if that was checked', async () => {
    const { table, deps, take, lead } = await anOrderOf(3);
    const [id, other, third] = [await take(), await take(), await take()];
    expect(await leadDetails(deps, id)).toMatchObject({ samePerson: undefined, emailState: undefined });
    const bounce = { id: 'e', state: 'bounced_hard', by: 'smtp', code: '550', diagnostic: null } as const;
    await noteEvent(deps, (await lead(id)).email, { ...bounce, at: '2026-03-02T09:00:00.000Z' });
    expect((await leadDetails(deps, id)).emailState).toMatchObject({ state: 'bounced_hard' });
    const samePerson = async (change: Partial<Lead>, of = id) => {
      await table.put({ put: { ...keys.lead(of), ...(await lead(of)), ...change } });
      return (await leadDetails(deps, of)).samePerson?.map(({ lead_id }) => lead_id);
    };
    expect(await samePerson({ fingerprints: [] }, other)).toEqual([]);
    expect(await samePerson({ duplicate_of: other })).toEqual([other]);
    const more = { fingerprints: ['x'], earlier_leads: ['gone'], later_leads: new Set([third]) };
    expect(await samePerson(more)).toEqual([other, third]);
  });

  it('contain each related buyer, and when the list was first opened with the lead', async () => {
    const { table, deps, take, order } = await anOrderOf(1);
    const first = await take();
    expect((await leadDetails(deps, first)).openedAt).toBeUndefined();
    const { token } = await order();
    await viewLeads(deps, token, aVisitor({ admin: false }));
    expect((await leadDetails(deps, first)).openedAt).toBe('2026-03-02T09:01:00.000Z');
    await addBuyers(table, [
      { id: 'b', probability: 20, limit: 1 },
      { id: 'c', probability: 10 },
    ]);
    const second = await leadDetails(deps, await take());
    expect([...second.buyers.values()].map(({ buyer_id }) => buyer_id).toSorted()).toEqual(['a', 'b', 'c']);
    const pending = await leadDetails(deps, await take());
    expect(pending).toMatchObject({ order: undefined, openedAt: undefined });
    expect(pending.buyers.size).toBe(3);
  });
});

describe('the list of a link', () => {
  it('has the leads of its order, newest first, all or a limited number', async () => {
    const { deps, take, order } = await anOrderOf(3);
    const ids = [await take(), await take(), await take()].toReversed();
    const { token } = await order();
    const all = await viewLeads(deps, token, aVisitor({ admin: true }));
    expect(all.view?.leads.map(({ lead }) => lead.lead_id)).toEqual(ids);
    expect(all.view).toMatchObject({ complete: true, status: 'Completed', buyer: { buyer_id: 'a' } });
    const part = await viewLeads(deps, token, aVisitor({ admin: true }), { newest: 2 });
    expect(part.view?.leads.map(({ lead }) => lead.lead_id)).toEqual(ids.slice(0, 2));
    expect(part).toMatchObject({ view: { complete: false }, tag: undefined });
    const enough = await viewLeads(deps, token, aVisitor({ admin: true }), { newest: 4 });
    expect(enough).toMatchObject({ view: { complete: true }, tag: expect.anything() });
    await expect(viewLeads(deps, 'nothing', aVisitor({ admin: true }))).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('is recorded as viewed once for each new lead, and never for an admin', async () => {
    const { table, deps, take, order, later } = await anOrderOf(3);
    const first = await take();
    const { token } = await order();
    const opened: string[] = [];
    const noted = changedTable(table, {
      put: (write) => {
        if (write.put.pk === keys.listViews(1)) opened.push(write.put.sk);
        return table.put(write);
      },
    });
    const seen = { ...deps, table: noted };
    const see = (admin: boolean) => viewLeads(seen, token, aVisitor({ admin }));
    await see(true);
    expect(opened).toEqual([]);
    await see(false);
    await see(false);
    expect(opened).toHaveLength(1);
    const openedAt = async (id: string) => (await leadDetails(deps, id)).openedAt;
    const before = await openedAt(first);
    const second = await take();
    expect(await openedAt(second)).toBeUndefined();
    later(MINUTE_MS);
    await see(false);
    expect(opened).toHaveLength(2);
    expect([await openedAt(first), await openedAt(second)]).toEqual([before, '2026-03-02T09:03:00.000Z']);
  });

  const broken = () => Promise.reject(new Error('The table does not answer'));
  it.each<[string, Partial<Table>, number]>([
    ['cannot read', { query: broken }, 1],
    ['cannot write', { put: broken }, 1],
    ['never ends', { put: () => new Promise<never>(() => undefined) }, 0],
  ])('is shown even if recording the view %s', async (_, faults, warnings) => {
    const { table, deps, take, order, later } = await anOrderOf(3);
    await take();
    const warned: string[] = [];
    const log = { ...deps.runtime.log, warn: (message: string) => void warned.push(message) };
    const faulty = { table: changedTable(table, faults), runtime: { ...deps.runtime, log } };
    await reconcile(deps, -1000);
    const see = async (known?: ListTag) =>
      viewLeads(faulty, (await order()).token, aVisitor({ admin: false }), { known });
    const { view, tag } = await see();
    expect(view?.leads).toHaveLength(1);
    expect(warned).toHaveLength(warnings);
    // Until the view is recorded, the list is read again.
    later(6000);
    expect(await see(tag)).toMatchObject({ view: undefined, tag: { settled: false } });
    expect(await table.queryAll({ partition: keys.listViews(1) })).toEqual([]);
  });

  it('is not sent again to a client that has it, and not read again once it is settled', async () => {
    const { table, deps, take, order, later } = await anOrderOf(3);
    await take();
    await reconcile(deps, -1000);
    const { token } = await order();
    const first = await viewLeads(deps, token, aVisitor({ admin: true }));
    const second = await viewLeads(deps, token, aVisitor({ admin: true }), { known: first.tag });
    expect(second).toMatchObject({ view: undefined, tag: { settled: false } });
    const outdated = { known: { ...first.tag!, content: 'other' } };
    expect(await viewLeads(deps, token, aVisitor({ admin: true }), outdated)).toMatchObject({ view: {} });
    later(6000);
    const settled = await viewLeads(deps, token, aVisitor({ admin: true }), { known: second.tag });
    expect(settled).toMatchObject({ view: undefined, tag: { settled: true } });
    const unread = changedTable(table, { queryAll: () => Promise.reject(new Error('read')) });
    const known = { known: settled.tag };
    expect(await viewLeads({ ...deps, table: unread }, token, aVisitor({ admin: true }), known)).toEqual({
      orderId: 1,
      view: undefined,
      tag: settled.tag,
    });
    await take();
    expect((await viewLeads(deps, token, aVisitor({ admin: true }), known)).view?.leads).toHaveLength(2);
  });
});

it('the pending leads are listed newest first up to a limit, or all oldest first, with the intended buyers', async () => {
  const { deps, take } = await anOrderOf(5, { review: true });
  const ids = [await take(), await take(), await take()];
  const some = await listPending(deps, 2);
  expect(some.leads.map(({ lead, intendedBuyer }) => [lead.lead_id, intendedBuyer?.buyer_id])).toEqual([
    [ids[2], 'a'],
    [ids[1], 'a'],
  ]);
  expect(some.total).toBe(3);
  const all = await allPending(deps);
  expect(all.leads.map(({ lead_id }) => lead_id)).toEqual(ids);
  expect(all.buyerIds).toEqual(new Map([[1, 'a']]));
});

describe('erasing a lead', () => {
  it('removes personal data from lead, claim and audit trail, and writes nothing when repeated', async () => {
    const { deps: before, take, claim, lead, auditOf } = await anOrderOf(2);
    const deps = { ...before, ...createErasure(before.table, before.runtime) };
    const id = await take({ nachname: 'Geheim', email: 'geheim@example.org' });
    const claimId = await claim(id, 'rejected');
    await editLead(deps, 'test', id, { vorname: 'Geheim' });
    expect(await eraseLead(deps, 'anna', 'nothing', 'request')).toBe(false);
    const busy = changedTable(deps.table, { transact: async () => ({ ok: false as const, failed: [] }) });
    await expect(eraseLead({ ...deps, table: busy }, 'anna', id, 'request')).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
    await eraseLead(deps, 'anna', id, 'request');
    await expect(editLead(deps, 'test', id, { vorname: 'Geheim' })).rejects.toMatchObject({
      code: 'person_erased',
    });
    const left = [await lead(id), await claimStore.get(deps, claimId), await auditOf(id)];
    expect(JSON.stringify(left).toLowerCase()).not.toContain('geheim');
    expect((await auditOf(id))[0]).toMatchObject({ who: 'anna', action: 'erased' });
    expect(await lead(id)).toMatchObject({ status: 'assigned', erased_at: expect.any(String) });
    const none = changedTable(deps.table, {
      transact: () => Promise.reject(new Error('nothing is left to write')),
    });
    await eraseLead({ ...deps, table: none }, 'anna', id, 'request');
  });

  it('does not restore words of a claim that another process erases concurrently', async () => {
    const { deps: before, take, claim } = await anOrderOf(1);
    const deps = { ...before, ...createErasure(before.table, before.runtime) };
    const id = await take({ nachname: 'Geheim', email: 'geheim@example.org' });
    await claim(id, 'rejected');
    // It reads the lead before the other call's erasure and the claim after it, then dies.
    const slowTable = changedTable(before.table, {
      get: async (key, options) => {
        if (key.sk === keys.claim(0).sk) await eraseLead(deps, 'ben', id, 'request');
        return before.table.get(key, options);
      },
      delete: () => Promise.reject(new Error('died')),
    });
    const slow = { ...deps, table: slowTable };
    await expect(eraseLead(slow, 'anna', id, 'request')).rejects.toThrow('died');
    const words = (await itemsOf(deps.table)).filter(({ pk }) => String(pk).startsWith('CLAIMWORDS'));
    expect(JSON.stringify(words)).not.toContain('geheim');
  });

  it('starts again if the lead or its claim has changed', async () => {
    const { deps, take, claim, disturbed } = await anOrderOf(1);
    const id = await take({ nachname: 'Geheim', email: 'geheim@example.org' });
    await claim(id, 'rejected');
    const again = disturbed();
    expect(await eraseLead(createErasure(again.table, deps.runtime), 'anna', id, 'request')).toBe(true);
    expect(again.writes.length).toBeGreaterThan(1);
    expect(JSON.stringify(await itemsOf(deps.table)).toLowerCase()).not.toContain('geheim');
  });

  it.each(['received', 'pending'] as const)(
    'of a lead that is %s discards it, and erases what was sent to its source and a buyer that refused it',
    async (status) => {
      const table = memoryTable();
      const deps = createErasure(table, quietRuntime);
      const lead = aReceivedLead({ status, source: 1, distribution_attempt: 2 });
      const at = lead.received_at;
      const of = { lead_id: LEAD_ID, source: 1, received_at: at, external_id: 'geheim' };
      const callback = (attempt: number, change: object) => {
        const sent = { ...of, event: 'lead.pending', distribution_attempt: attempt } as const;
        const { put } = callbackStore.created(sent, 'webhook', new Date(at));
        return { put: { ...put, ...change } };
      };
      const refused = { buyer: 7, order_id: 12, sequence: 3, lead_type: 'original', refused_at: at } as const;
      await table.transact([
        { put: { ...keys.lead(LEAD_ID), ...lead } },
        refusalPut({ ...refused, lead_id: LEAD_ID, distribution_attempt: 1, assigned_at: at }),
        { put: { ...keys.refusedDelivery(LEAD_ID, 1, 'email'), ...aDelivery({ external_id: 'geheim' }) } },
        callback(1, { status: 'delivered' }),
        callback(2, { status: 'retrying' }),
        callback(3, { external_id: undefined }),
      ]);
      await eraseLead(deps, 'anna', LEAD_ID, 'request');
      expect(JSON.stringify(await itemsOf(table))).not.toContain('geheim');
      const { callbacks, refusals } = (await leadStore.details(deps, LEAD_ID))!;
      expect(callbacks.map((one) => one.status)).toEqual(['delivered', 'failed', 'failed']);
      expect(refusals).toMatchObject([{ buyer: 7, deliveries: [{ external_id: null }] }]);
      const { entries } = await auditStore.list(deps, { entity: 'lead', entityId: LEAD_ID }, { limit: 1 });
      const none = changedTable(table, { transact: () => Promise.reject(new Error('nothing is left')) });
      await eraseLead({ ...deps, table: none }, 'anna', LEAD_ID, 'request');
      expect(entries).toMatchObject([{ changes: [{ to: 'request' }, { from: status, to: 'discarded' }] }]);
    },
  );

  it('keeps the fingerprint for the other leads of its person, in order of arrival', async () => {
    const { deps, take } = await anOrderOf(3);
    const at = deps.runtime.now().toISOString();
    const [first, second, third] = [await take(), await take(), await take()];
    const text = (lead: string) => `${at}#1#${lead}`;
    const leads = { [text(third)]: 2, [text(second)]: 1, [text(first)]: 0 };
    await deps.table.put({ put: { ...keys.person('hash'), leads, last: 2, expires_at: 9_999_999_999 } });
    const remaining = async () =>
      (await personFingerprintStore.get(deps, 'hash'))?.leads.map(({ lead_id }) => lead_id);
    expect(await remaining()).toEqual([first, second, third]);
    const values = { ':all': ['hash'] };
    await deps.table.update({ key: keys.lead(first), update: 'SET fingerprints = :all', values });
    await eraseLead(createErasure(deps.table, deps.runtime), 'anna', first, 'request');
    expect(await remaining()).toEqual([second, third]);
  });
});
