/** Reservations of an order, and their release after the attempt has ended. */

import { describe, expect, it } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { NO_CAPACITY, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as reservationStore from '#functions/data/orders/reservation-store';
import {
  createReservationStore,
  type Reservation,
  reservationsOf,
} from '#functions/data/orders/reservation-store';
import { keys } from '#functions/data/table/keys';
import {
  releaseReservation,
  requireNoReservations,
  resolveReservations,
} from '#functions/domain/orders/reservations';
import type { LeadType } from '#shared/rules/constants';
import { aReceivedLead } from '#test/factories/leads';
import { addBuyers, adminOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Changes a buyer's order without the stores. */
async function anOrder(changes: Partial<Order> = {}) {
  const table = memoryTable();
  const orders = await addBuyers(table, [{ id: 'a', probability: 10, limit: 5 }]);
  const admin = adminOn(table);
  const orderId = orders.get('a')?.order_id ?? 0;
  const put = async (fields: Partial<Order>) => {
    await table.put({ put: { ...(await table.get(keys.order(orderId))), ...fields } as never });
  };
  await put(changes);
  const order = async () => (await orderStore.get(admin, orderId))!;
  return { table, admin, orderId, put, order };
}

const TERMS = { at: new Date('2026-03-02T09:00:00Z') };
const attemptOf = (lead: number, distribution_attempt = 1) => ({
  lead_id: `lead${lead}`,
  distribution_attempt,
});
const nameOf = (lead: number) => `lead${lead}.1`;

describe('reservations of an order', () => {
  it.for<readonly [string, Partial<Order>, LeadType | undefined]>([
    ['is an original below the limit', { leads_received: 1 }, 'original'],
    ['is rejected at the limit', { leads_received: 2 }, undefined],
    ['is a replacement if one is owed', { leads_received: 1, reimbursement_pending: 1 }, 'reimbursement'],
    ['is a replacement even at the limit', { leads_received: 2, reimbursement_pending: 1 }, 'reimbursement'],
    ['is rejected by a deleted order', { deleted_at: '2026-03-02T09:00:00Z' }, undefined],
  ])('one %s, is the same when repeated, and is released once', async ([, changes, lead_type]) => {
    for (const isBatch of [false, true]) {
      const { table, orderId, order } = await anOrder({ lead_limit: 2, last_sequence: 4, ...changes });
      const before = await order();
      const reserve = async () => {
        // Every round is a new process.
        const store = createReservationStore(table);
        if (isBatch) return (await store.reserveMany(orderId, [attemptOf(1)], TERMS)).reserved[0];
        const { reserved, ...found } = await store.reserve(orderId, attemptOf(1), TERMS);
        return reserved ? found : undefined;
      };
      const taken = lead_type && { sequence: 5, lead_type };
      const [originals, replacements] = [
        lead_type === 'original' ? 1 : 0,
        lead_type === 'reimbursement' ? 1 : 0,
      ];
      for (let time = 0; time < 2; time += 1) {
        const found = await reserve();
        if (taken === undefined) expect(found).toBeUndefined();
        else expect(found).toMatchObject(taken);
        expect(await order()).toMatchObject({
          leads_received: before.leads_received + originals,
          reimbursement_pending: before.reimbursement_pending - replacements,
          reimbursement_delivered: replacements,
          last_sequence: 4 + originals + replacements,
        });
      }
      if (taken === undefined) continue;
      const reservation = { ...attemptOf(1), order_id: orderId, ...taken };
      expect(await reservationStore.release({ table }, reservation)).toBeDefined();
      expect(await reservationStore.release({ table }, reservation)).toBeUndefined();
      expect(await order()).toEqual({ ...before, last_sequence: 5 });
    }
  });

  it('need several writes for many leads, up to the capacity', async () => {
    const { table, orderId, order } = await anOrder({ lead_limit: 120, reimbursement_pending: 3 });
    const store = createReservationStore(table);
    const earlier = await store.reserve(orderId, attemptOf(500), TERMS);
    if (earlier.reserved) store.confirm({ ...attemptOf(500), ...earlier, order_id: orderId });
    const { reserved, order: after } = await store.reserveMany(
      orderId,
      Array.from({ length: 130 }, (_, at) => attemptOf(at)),
      TERMS,
    );
    expect(reserved.map((one) => one?.sequence)).toEqual([
      ...Array.from({ length: 122 }, (_, at) => at + 2),
      ...Array.from({ length: 8 }, () => undefined),
    ]);
    expect(after).toMatchObject({
      leads_received: 120,
      reimbursement_pending: 0,
      reimbursement_delivered: 3,
    });
    expect(reservationsOf(await order()).map(({ lead_id }) => lead_id)).not.toContain('lead500');
    expect(reservationsOf(await order())).toHaveLength(122);
  });

  it('remove confirmed entries sixteen at a time', async () => {
    const { table, orderId, order } = await anOrder({ lead_limit: 40 });
    const store = createReservationStore(table);
    await store.reserveMany(
      orderId,
      Array.from({ length: 40 }, (_, at) => attemptOf(at)),
      TERMS,
    );
    const [kept, ...assigned] = reservationsOf(await order());
    await reservationStore.removeConfirmed({ table }, orderId, assigned);
    expect(reservationsOf(await order())).toEqual([kept]);
    await reservationStore.removeConfirmed({ table }, orderId, []);
    expect((await order()).leads_received).toBe(40);
  });
});

describe('the table calls of reservations', () => {
  const PACE = {
    daily_cap: 3,
    weekly_cap: 5,
    ends_on: null,
    of_day: '2026-03-02',
    day_from: 0,
    day_received: 0,
    day_allowance: 3,
    of_week: '2026-03-02',
    week_from: 0,
    week_received: 0,
    week_allowance: 5,
  };
  /** Counts the table calls for an order; `before` runs before each write. */
  async function counted(changes: Partial<Order> = {}) {
    const world = await anOrder(changes);
    const calls = { reads: 0, writes: 0 };
    const before = { next: async () => {} };
    const table = {
      get: async (key: never) => {
        calls.reads += 1;
        return world.table.get(key);
      },
      update: async (write: never) => {
        calls.writes += 1;
        const happens = before.next;
        before.next = async () => {};
        await happens();
        return world.table.update(write);
      },
    };
    const store = createReservationStore(table as never);
    const reserve = async (lead: number, terms: object = {}) =>
      store.reserve(world.orderId, attemptOf(lead), { ...TERMS, ...terms });
    const many = async (leads: readonly number[], at = TERMS.at) =>
      store.reserveMany(
        world.orderId,
        leads.map((lead) => attemptOf(lead)),
        { at },
      );
    /** The number of reads and writes during an action. */
    const during = async (act: () => Promise<unknown>) => {
      Object.assign(calls, { reads: 0, writes: 0 });
      await act();
      return [calls.reads, calls.writes];
    };
    return { ...world, store, reserve, many, during, before };
  }

  it('are one write for a lead, even with caps if they are known', async () => {
    const plain = await counted();
    expect(await plain.during(() => plain.reserve(1))).toEqual([0, 1]);
    expect(await plain.during(() => plain.reserve(1))).toEqual([0, 1]);
    const paced = await counted({ pace: PACE });
    expect(await paced.during(() => paced.reserve(1, { paced: true }))).toEqual([0, 1]);
    expect(await paced.during(() => paced.reserve(2))).toEqual([0, 2]);
    expect((await paced.order()).pace).toMatchObject({ day_received: 2, week_received: 2 });
    expect(await paced.during(() => paced.reserve(3, { paced: true }))).toEqual([0, 1]);
    expect(await paced.during(() => paced.reserve(4, { paced: true }))).toEqual([0, 1]);
    expect(await paced.reserve(4, { paced: true })).toMatchObject({ refusal: 'daily_cap_reached' });
    // A manual assignment ignores the caps, but is counted.
    expect(await paced.reserve(4, { paced: true, byHand: true })).toMatchObject({ sequence: 4 });
    expect((await paced.order()).pace).toMatchObject({ day_received: 4, week_received: 4 });
  });

  it('start a day and a week with their first lead', async () => {
    const { reserve, during, order } = await counted({ pace: PACE, last_sequence: 7 });
    await reserve(1, { paced: true });
    const tomorrow = { at: new Date('2026-03-03T09:00:00Z') };
    expect(await during(() => reserve(2, { ...tomorrow, paced: true }))).toEqual([0, 2]);
    expect((await order()).pace).toMatchObject({
      of_day: '2026-03-03',
      day_from: 8,
      day_received: 1,
      week_from: 0,
      week_received: 2,
    });
    await reserve(3, { at: new Date('2026-03-09T09:00:00Z') });
    expect((await order()).pace).toMatchObject({ of_week: '2026-03-09', week_from: 9, week_received: 1 });
  });

  it('are one write for many leads of a known order', async () => {
    const { many, during } = await counted({ lead_limit: 20 });
    expect(await during(() => many([1, 2]))).toEqual([1, 1]);
    expect(await during(() => many([3, 4]))).toEqual([0, 1]);
    expect(await during(() => many([3, 4]))).toEqual([0, 1]);
    const { order } = await many([3, 4]);
    expect(order).toMatchObject({ leads_received: 4, last_sequence: 4 });
  });

  it('reread an order that was full or was read on another day', async () => {
    const { many, during, put, order } = await counted({ lead_limit: 2, pace: PACE });
    await many([1, 2]);
    expect(await during(() => many([3]))).toEqual([1, 0]);
    await put({ lead_limit: 9 });
    expect(await during(() => many([3]))).toEqual([1, 1]);
    expect(await during(() => many([4], new Date('2026-03-03T09:00:00Z')))).toEqual([1, 1]);
    expect((await order()).pace).toMatchObject({
      of_day: '2026-03-03',
      day_from: 3,
      day_received: 1,
      week_received: 4,
    });
    await many([5, 6], new Date('2026-03-09T09:00:00Z'));
    expect((await order()).pace).toMatchObject({ of_week: '2026-03-09', week_from: 4, week_received: 2 });
  });

  it('are repeated if the order has changed', async () => {
    const { many, reserve, during, put, before, order, orderId, table } = await counted({ lead_limit: 5 });
    before.next = async () => put({ lead_limit: 2, leads_received: 1 });
    expect(await during(() => many([1, 2]))).toEqual([1, 2]);
    expect(await order()).toMatchObject({ leads_received: 2 });
    await put({ lead_limit: 3 });
    before.next = async () => put({ reimbursement_pending: 1, lead_limit: 9 });
    expect((await many([3, 4])).reserved).toMatchObject([
      { lead_type: 'reimbursement' },
      { lead_type: 'original' },
    ]);
    before.next = async () => table.delete({ delete: keys.order(orderId) }).then(() => undefined);
    expect(await many([5])).toEqual({ order: undefined, refusal: 'limit_reached', reserved: [undefined] });
    expect(await during(() => many([5]))).toEqual([1, 0]);
    expect(await reserve(5)).toEqual({ order: undefined, refusal: 'limit_reached', reserved: false });
  });

  it('remove confirmed entries, even after a failed write', async () => {
    const { store, many, reserve, put, before, order, orderId } = await counted({ lead_limit: 9 });
    const confirm = async (lead: number) => {
      const one = await reserve(lead);
      if (!one.reserved) throw new Error('There is room');
      store.confirm({ ...attemptOf(lead), ...one, order_id: orderId });
      store.confirm({ ...attemptOf(lead), ...one, order_id: orderId });
    };
    await confirm(1);
    before.next = async () => put({ lead_limit: 8 });
    await many([2]);
    expect(Object.keys((await order()).reservations)).toEqual([nameOf(2)]);
    await confirm(3);
    // Temporarily deleted, so that the write fails.
    await put({ deleted_at: '2026-03-02T09:00:00.000Z' });
    expect(await reserve(4)).toMatchObject({ reserved: false });
    expect((await many([4])).reserved).toEqual([undefined]);
    await put({ deleted_at: null });
    await reserve(5);
    expect(Object.keys((await order()).reservations).toSorted()).toEqual([nameOf(2), nameOf(5)]);
    // One write cannot both add and remove the same entry.
    await confirm(6);
    await many([6, 7]);
    expect((await order()).leads_received).toBe(6);
  });

  it('release capacity of the day and the week in which it was reserved', async () => {
    const pace = { ...PACE, day_from: 4, day_received: 2, week_from: 2, week_received: 4 };
    for (const [sequence, day, week] of [
      [5, 1, 3],
      [4, 2, 3],
      [2, 2, 4],
    ] as const) {
      const { table, order, orderId } = await counted({
        pace,
        leads_received: 3,
        reservations: { [nameOf(1)]: sequence },
      });
      const reservation = { ...attemptOf(1), order_id: orderId, sequence, lead_type: 'original' as const };
      expect(await reservationStore.release({ table }, reservation)).toMatchObject({
        leads_received: 2,
        reservations: {},
      });
      expect((await order()).pace).toMatchObject({ day_received: day, week_received: week });
      expect(await reservationStore.release({ table }, reservation)).toBeUndefined();
      expect(await order()).toMatchObject({ leads_received: 2 });
    }
  });

  it('fail if the order changes before every write', async () => {
    const { table, order, orderId } = await counted({
      pace: PACE,
      reservations: { [nameOf(1)]: 1 },
    });
    let writes = 0;
    const moving = {
      update: async (write: never) => {
        writes += 1;
        const { pace, ...rest } = await order();
        await table.put({
          put: { ...keys.order(orderId), ...rest, pace: { ...pace, day_from: writes } },
        });
        return table.update(write);
      },
    };
    const reservation = { ...attemptOf(1), order_id: orderId, sequence: 1, lead_type: 'original' as const };
    await expect(reservationStore.release({ table: moving as never }, reservation)).rejects.toThrow(
      'The order changed before every write',
    );
    expect(writes).toBe(6);
    expect(await reservationStore.release({ table }, reservation)).toMatchObject({ reservations: {} });
  });
});

describe('a reservation of a finished attempt', () => {
  async function held() {
    const world = await anOrder({ lead_limit: 1 });
    const { admin, orderId } = world;
    const lead = aReceivedLead({ lead_id: 'lead1' });
    await leadStore.receive(admin, lead);
    const reserved = await admin.reservations.reserve(orderId, attemptOf(1), TERMS);
    if (!reserved.reserved) throw new Error('There was room');
    const entry = async () => (await poolStore.read(admin)).entries[0]!;
    await poolStore.noteCapacity(admin, await entry(), NO_CAPACITY);
    const reservation: Reservation = { ...attemptOf(1), ...reserved, order_id: orderId };
    return { ...world, reservation, entry, lead };
  }

  it('stays while the lead is in flight, and is released when a later attempt takes over', async () => {
    const { admin, order, entry, lead } = await held();
    expect(await resolveReservations(admin, await order())).toBe(0);
    expect((await entry()).has_capacity).toBe(false);
    await leadStore.takeOver(admin, lead, quietRuntime.now().toISOString());
    expect(await resolveReservations(admin, await order())).toBe(1);
    expect((await order()).leads_received).toBe(0);
    expect((await entry()).has_capacity).toBe(true);
    // Nothing is left to release.
    const version = (await entry()).version;
    expect(await resolveReservations(admin, await order())).toBe(0);
    expect((await entry()).version).toBe(version);
  });

  it('updates the pool entry only if there is capacity, and only for the order of the entry', async () => {
    const full = await held();
    await full.put({ lead_limit: 0 });
    await releaseReservation(full.admin, full.reservation);
    expect((await full.entry()).has_capacity).toBe(false);

    const other = await held();
    const entry = await other.entry();
    await poolStore.noteCapacity(other.admin, entry, NO_CAPACITY);
    await other.table.put({ put: { ...keys.poolEntry(entry.buyer), ...entry, order_id: 99 } });
    await releaseReservation(other.admin, other.reservation);
    expect((await other.entry()).has_capacity).toBe(false);

    const noted = await held();
    const seen = await noted.entry();
    await noted.table.put({ put: { ...keys.poolEntry(seen.buyer), ...seen, has_capacity: true } });
    await releaseReservation(noted.admin, noted.reservation);
    expect((await noted.entry()).version).toBe(seen.version);
  });

  it('is checked five times, a tenth of a second apart', async () => {
    const { admin, order, lead } = await held();
    const slept: number[] = [];
    const sleep = async (milliseconds: number) => {
      slept.push(milliseconds);
    };
    const deps = { ...admin, runtime: { ...quietRuntime, sleep } };
    await expect(requireNoReservations(deps, await order())).rejects.toMatchObject({ code: 'order_in_use' });
    expect(slept).toEqual([100, 100, 100, 100]);
    slept.length = 0;
    const ends = async (milliseconds: number) => {
      slept.push(milliseconds);
      if (slept.length === 2) await leadStore.takeOver(admin, lead, quietRuntime.now().toISOString());
    };
    const after = await requireNoReservations(
      { ...admin, runtime: { ...quietRuntime, sleep: ends } },
      await order(),
    );
    expect(after).toMatchObject({ leads_received: 0, reservations: {} });
    expect(slept).toHaveLength(2);
    expect(await requireNoReservations(deps, await order(), () => [])).toMatchObject({ leads_received: 0 });
  });
});
