/** A full order gets exactly one successor, even if the process dies or several processes run concurrently. */

import { describe, expect, it } from 'vitest';
import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { type Caps } from '#functions/data/orders/pace';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { firstPace } from '#functions/domain/orders/caps';
import { createOrder } from '#functions/domain/orders/orders';
import {
  changeRenewal,
  decideReorder,
  renewOrder,
  renewOrders,
  reorderOf,
  requestReorder,
} from '#functions/domain/orders/renewal';
import { aReceivedLead } from '#test/factories/leads';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import {
  addBuyers,
  adminOn,
  distributionOn,
  interruptedTable,
  itemsOf,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';
import { HOUR_MS } from '#test/harness/time';

const depsOn = (table: Table) => ({ ...adminOn(table), ...distributionOn(table) });

it('a full order gets a successor even if a replacement has reopened an earlier order', async () => {
  const table = memoryTable();
  const deps = depsOn(table);
  await addBuyers(table, [{ id: 'prepaid', probability: 100, limit: 1 }]);
  const confirmed = async (order: number) => {
    const reorder = wish({ lead_limit: 1, state: 'confirmed', decided_at: NOW.toISOString() } as never);
    await table.transact(orderStore.reorderChanged((await orderStore.get(deps, order))!, reorder));
    return renewOrder(deps, 1);
  };
  const { lead_id: leadId } = await ingest(deps, aPerson(), undefined);
  expect(await confirmed(1)).toMatchObject({ order_id: 2 });
  await ingest(deps, aPerson(), undefined);
  await claimLead(deps, leadId, { status: 'approved' });
  expect(await confirmed(2)).toBeUndefined();
  await ingest(deps, aPerson(), undefined);
  expect(await orderStore.get(deps, 1)).toMatchObject({ reimbursement_delivered: 1, renewed_as: 2 });
  expect(await renewOrders(deps)).toBe(1);
  expect(await orderStore.get(deps, 2)).toMatchObject({ renewed_as: 3 });
  expect(await poolStore.entry(deps, 1)).toMatchObject({ order_id: 3, has_capacity: true });
});

const NOW = new Date('2026-11-20T10:00:00.000Z');

/** A postpaid buyer with one order, with functions to change and read it. */
async function anOrder({ limit = 1, given = 1, weight = 100 } = {}) {
  const table = memoryTable();
  const clock = { now: NOW };
  const warned: unknown[] = [];
  const runtime = {
    ...quietRuntime,
    now: () => clock.now,
    log: { ...quietRuntime.log, warn: (text: string, fields?: object) => void warned.push([text, fields]) },
  };
  const deps = { ...adminOn(table, runtime), ...distributionOn(table, { runtime }) };
  await addBuyers(table, [{ id: 'north', probability: weight }], runtime);
  const change = async (changes: Partial<Buyer>) =>
    table.transact([buyerStore.changed((await buyerStore.get(deps, 1))!, changes)]);
  await change({ buyer_type: 'postpay', price_per_lead: 2500 });
  await createOrder(deps, 'test', { buyerId: 'north', leadLimit: limit, balance: 0 });
  for (let lead = 0; lead < given; lead += 1) await ingest(deps, aPerson(), undefined);
  const order = async (id = 1) => (await orderStore.get(deps, id))!;
  const set = async (changes: Partial<Order>, id = 1) =>
    table.put({ put: { ...keys.order(id), ...(await table.get(keys.order(id))), ...changes } });
  const audited = async () =>
    (await itemsOf(table)).flatMap(({ who, action, entity, changes }) =>
      entity === 'order' && who !== 'test' ? [{ who, action, changes: JSON.parse(String(changes)) }] : [],
    );
  return { table, deps, clock, warned, change, order, set, audited };
}

const paceOf = (caps: Caps) => firstPace(caps, 1, undefined, NOW)!;

const wish = (changes: Partial<NonNullable<Order['reorder']>> = {}) => ({
  lead_limit: 5,
  requested_at: NOW.toISOString(),
  state: 'open' as const,
  decided_at: null,
  ...changes,
});

describe('the next order', () => {
  it('has the same size and current terms, but no end date', async () => {
    const { table, deps, change, set, order, audited } = await anOrder();
    const pace = { daily_cap: 7, weekly_cap: 9, ends_on: '2026-11-20' };
    await set({ renewal: 'auto', pace: paceOf(pace) });
    await change({ price_per_lead: 3000, max_claim_days: 11 });
    expect(await renewOrder(deps, 1)).toMatchObject({
      order_id: 2,
      lead_limit: 1,
      price_per_lead: 3000,
      max_claim_days: 11,
      renewal: 'auto',
      pace: { daily_cap: 7, weekly_cap: 9, ends_on: null },
    });
    expect(await order()).toMatchObject({ renewed_as: 2 });
    expect(await audited()).toMatchObject([{ who: 'system', action: 'created' }]);
    const notifications = (await itemsOf(table)).filter(({ about }) => about === 'order_renewed');
    expect(notifications).toMatchObject([{ order_id: 2, request: 'renewed-2' }]);
    expect(await renewOrder(deps, 1)).toBeUndefined();
  });

  it('has the requested size, even for a prepay buyer', async () => {
    const { deps, change, set } = await anOrder();
    await change({ buyer_type: 'prepay' });
    await set({ renewal: 'ask', reorder: wish({ state: 'confirmed' }) });
    expect(await renewOrder(deps, 1)).toMatchObject({ order_id: 2, lead_limit: 5, renewal: 'ask' });
  });

  it.each<readonly [string, (world: Awaited<ReturnType<typeof anOrder>>) => Promise<unknown>]>([
    ['renewal is off', async ({ set }) => set({ renewal: 'none' })],
    ['an admin must confirm', async ({ set }) => set({ renewal: 'ask' })],
    ['nobody has decided', async ({ set }) => set({ renewal: 'ask', reorder: wish() })],
    ['it was declined', async ({ set }) => set({ renewal: 'ask', reorder: wish({ state: 'declined' }) })],
    ['there is room', async ({ set }) => set({ lead_limit: 2 })],
    ['a replacement is owed', async ({ set }) => set({ reimbursement_pending: 1, buyer_type: 'prepay' })],
    ['its successor was deleted', async ({ set }) => set({ renewed_as: 7 })],
    ['it is deleted', async ({ set }) => set({ deleted_at: NOW.toISOString() })],
    [
      'the buyer is paused',
      async ({ table, deps }) => {
        const entry = (await poolStore.entry(deps, 1))!;
        await table.transact([poolStore.entryChanged(entry, { ...entry, active: false })]);
      },
    ],
    ['the buyer is now prepay', async ({ change }) => change({ buyer_type: 'prepay' })],
    [
      'the buyer was deleted',
      async ({ table }) =>
        table.update({
          key: keys.buyer(1),
          update: 'SET deleted_at = :at',
          values: { ':at': NOW.toISOString() },
        }),
    ],
  ])('is not opened if %s', async (_, prepare) => {
    const world = await anOrder();
    await world.set({ renewal: 'auto' });
    await prepare(world);
    expect(await renewOrder(world.deps, 1)).toBeUndefined();
    expect(await renewOrders(world.deps)).toBe(0);
    expect(await orderStore.get(world.deps, 2)).toBeUndefined();
    expect(world.warned).toEqual([]);
  });

  it('is not opened if renewal is concurrently turned off or declined', async () => {
    for (const [before, after] of [
      [{ renewal: 'auto' }, { renewal: 'none' }],
      [{ renewal: 'ask', reorder: wish({ state: 'confirmed' }) }, { reorder: wish({ state: 'declined' }) }],
    ] as const) {
      const world = await anOrder();
      await world.set(before);
      const table = interruptedTable(world.table, 'transact', () => world.set(after));
      expect(await renewOrder({ ...world.deps, table }, 1)).toBeUndefined();
      expect(await orderStore.get(world.deps, 2)).toBeUndefined();
      expect(await world.order()).not.toHaveProperty('renewed_as');
    }
  });

  it('is not opened for a buyer that has no order or does not exist', async () => {
    const table = memoryTable();
    await addBuyers(table, [{ id: 'new', probability: 100 }]);
    expect(await renewOrder(depsOn(table), 1)).toBeUndefined();
    expect(await renewOrder(depsOn(table), 9)).toBeUndefined();
    expect(await renewOrders(depsOn(table))).toBe(0);
  });

  it('waits for a lead in flight, and does not delay other buyers', async () => {
    const { deps, set, warned } = await anOrder({ weight: 50 });
    await addBuyers(deps.table, [{ id: 'south', probability: 50 }], deps.runtime);
    const south = (await buyerStore.get(deps, 2))!;
    await deps.table.transact([buyerStore.changed(south, { buyer_type: 'postpay' })]);
    await createOrder(deps, 'test', { buyerId: 'south', leadLimit: 1, balance: 0, renewal: 'auto' });
    await ingest(deps, aPerson(), undefined);
    await set({ renewal: 'auto', reservations: { 'other.1': 2 } });
    await leadStore.receive(deps, {
      ...aReceivedLead({ lead_id: 'other' }),
      in_flight_since: NOW.toISOString(),
    });
    await expect(renewOrder(deps, 1)).rejects.toMatchObject({ code: 'order_in_use' });
    expect(await renewOrders(deps)).toBe(1);
    expect(warned).toMatchObject([['order could not be renewed', { buyer: 1 }]]);
    expect(await orderStore.get(deps, 2)).toMatchObject({ buyer: 2, renewed_as: 3 });
  });
});

describe('the renewal of an order', () => {
  it('can be changed and is audited', async () => {
    const { deps, order, audited } = await anOrder();
    expect(await changeRenewal(deps, 'anna', 1, 'auto', { renewal: 'none' })).toMatchObject({
      renewal: 'auto',
    });
    expect(await order()).toMatchObject({ renewal: 'auto' });
    expect(await audited()).toEqual([
      { who: 'anna', action: 'updated', changes: [{ field: 'renewal', from: 'none', to: 'auto' }] },
    ]);
    await expect(changeRenewal(deps, 'anna', 1, 'ask', { renewal: 'none' })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(await order()).toMatchObject({ renewal: 'auto' });
  });

  it.each<readonly [string, Partial<Order>, object]>([
    ['deleted', { deleted_at: NOW.toISOString() }, { kind: 'not_found' }],
    ['followed', { renewed_as: 2 }, { code: 'order_followed' }],
    ['paid in advance', { buyer_type: 'prepay' }, { kind: 'invalid' }],
  ])('cannot be changed if it is %s', async (_, changes, error) => {
    const { deps, set, order, audited } = await anOrder();
    await set(changes);
    await expect(changeRenewal(deps, 'anna', 1, 'auto')).rejects.toMatchObject(error);
    expect(await order()).toMatchObject({ renewal: 'none' });
    expect(await audited()).toEqual([]);
  });

  it('belongs to the last order', async () => {
    const { deps } = await anOrder();
    await createOrder(deps, 'test', { buyerId: 'north', leadLimit: 1, balance: 0 });
    await expect(changeRenewal(deps, 'anna', 1, 'ask')).rejects.toMatchObject({ code: 'order_followed' });
    await expect(changeRenewal(deps, 'anna', 9, 'ask')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await changeRenewal(deps, 'anna', 2, 'ask')).toMatchObject({ order_id: 2, renewal: 'ask' });
  });
});

describe('the request for the next order', () => {
  const ask = async (
    { deps, order }: Awaited<ReturnType<typeof anOrder>>,
    limit?: number,
    visitor = aVisitor(),
  ) => requestReorder(deps, visitor, (await order()).token ?? '', limit, async () => []);

  it('is offered from eight of ten leads on, and then shows its state', async () => {
    const { order } = await anOrder({ limit: 10, given: 0 });
    const buyer = { last_order_id: 1, deleted_at: null };
    const asking = { ...(await order()), renewal: 'ask' as const };
    const possible = { state: 'possible', lead_limit: 10 };
    expect(reorderOf({ ...asking, leads_received: 7 }, buyer)).toBeUndefined();
    expect(reorderOf({ ...asking, leads_received: 8 }, buyer)).toEqual(possible);
    expect(reorderOf({ ...asking, leads_received: 8, renewal: 'auto' }, buyer)).toBeUndefined();
    expect(reorderOf({ ...asking, reorder: wish() }, buyer)).toMatchObject({ state: 'open', lead_limit: 5 });
    const full = { ...asking, leads_received: 10 };
    expect(reorderOf(full, { ...buyer, last_order_id: 2 })).toBeUndefined();
    expect(reorderOf(full, { ...buyer, deleted_at: NOW.toISOString() })).toBeUndefined();
    expect(reorderOf({ ...full, deleted_at: NOW.toISOString() }, buyer)).toBeUndefined();
    expect(reorderOf({ ...full, renewed_as: 2 }, buyer)).toBeUndefined();
  });

  it('is stored once, together with the alert to admins', async () => {
    const world = await anOrder();
    await world.set({ renewal: 'ask' });
    const { token } = await world.order();
    const notified: unknown[] = [];
    const asked = await requestReorder(world.deps, aVisitor(), token ?? '', undefined, async (order, id) => {
      notified.push([order.reorder?.state, id]);
      return [{ put: { pk: 'TOLD', sk: 'TOLD' } }];
    });
    const reorder = wish({ lead_limit: 1 });
    expect(asked.reorder).toEqual(reorder);
    expect((await world.order()).reorder).toEqual(reorder);
    expect(notified).toEqual([['open', 'north']]);
    expect(await world.table.get({ pk: 'TOLD', sk: 'TOLD' })).toBeDefined();
    expect(await world.audited()).toEqual([
      { who: 'link', action: 'reorder_requested', changes: [{ field: 'lead_limit', from: null, to: 1 }] },
    ]);
    await expect(ask(world, 3)).rejects.toMatchObject({ code: 'already_requested' });
    await world.set({ reorder: undefined });
    await ask(world, 3, aVisitor({ admin: true, who: 'anna' }));
    expect((await world.audited()).map(({ who }) => who)).toContain('anna');
    await world.set({ reorder: wish({ state: 'confirmed' }) });
    await expect(ask(world, 3)).rejects.toMatchObject({ code: 'already_requested' });
  });

  it('is possible again a day after it was declined, with another size', async () => {
    const world = await anOrder();
    await world.set({ renewal: 'ask', reorder: wish({ state: 'declined' }) });
    world.clock.now = new Date(NOW.getTime() + 24 * HOUR_MS - 1500);
    await expect(ask(world, 3)).rejects.toMatchObject({
      kind: 'too_many',
      code: 'too_many_attempts',
      retryAfter: 2,
    });
    world.clock.now = new Date(NOW.getTime() + 24 * HOUR_MS);
    expect((await ask(world, 3)).reorder).toMatchObject({ state: 'open', lead_limit: 3 });
  });

  it('is rejected if it is not offered or the link does not open', async () => {
    const world = await anOrder();
    await expect(ask(world)).rejects.toMatchObject({ code: 'no_reorder' });
    await world.set({ reorder: wish({ state: 'declined', requested_at: '2026-01-01T00:00:00.000Z' }) });
    await expect(ask(world)).rejects.toMatchObject({ code: 'no_reorder' });
    await world.set({ renewal: 'ask' });
    await expect(requestReorder(world.deps, aVisitor(), 'unknown', 1, async () => [])).rejects.toMatchObject({
      kind: 'not_found',
    });
    await world.change({ link_code: true });
    await expect(ask(world)).rejects.toMatchObject({ code: 'link_code_required' });
    expect((await ask(world, 4, aVisitor({ knows: async () => true }))).reorder).toMatchObject({
      lead_limit: 4,
    });
  });

  it('is decided once, and opens the next order when the current one is full', async () => {
    const world = await anOrder({ limit: 2 });
    await expect(decideReorder(world.deps, 'anna', 1, 'confirmed')).rejects.toMatchObject({
      code: 'reorder_decided',
    });
    await world.set({ renewal: 'ask', reorder: wish() });
    const decided = await decideReorder(world.deps, 'anna', 1, 'confirmed');
    expect(decided.next).toBeUndefined();
    const confirmed = wish({ state: 'confirmed', decided_at: NOW.toISOString() } as never);
    expect(decided.order.reorder).toEqual(confirmed);
    expect((await world.order()).reorder).toEqual(confirmed);
    expect(await world.audited()).toEqual([
      { who: 'anna', action: 'reorder_confirmed', changes: [{ field: 'lead_limit', from: null, to: 5 }] },
    ]);
    await expect(decideReorder(world.deps, 'anna', 1, 'declined')).rejects.toMatchObject({
      code: 'reorder_decided',
    });
    await ingest(world.deps, aPerson(), undefined);
    expect(await renewOrder(world.deps, 1)).toMatchObject({ lead_limit: 5 });
  });

  it('opens the next order immediately if the current one is full, and none if declined', async () => {
    const world = await anOrder();
    await world.set({ renewal: 'ask', reorder: wish() });
    const { order, next } = await decideReorder(world.deps, 'anna', 1, 'declined');
    expect([order.reorder?.state, next]).toEqual(['declined', undefined]);
    await world.set({ reorder: wish() });
    expect((await decideReorder(world.deps, 'anna', 1, 'confirmed')).next).toMatchObject({ order_id: 2 });
  });
});
