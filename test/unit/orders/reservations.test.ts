/** Reservations of an order against a model of it, and what becomes of those whose attempt is over. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_ROOM, type Order } from '#functions/data/orders/order';
import {
  createReservationStore,
  type Reservation,
  type ReservationStore,
  reservationsOf,
} from '#functions/data/orders/reservation-store';
import { keys } from '#functions/data/table/keys';
import {
  releaseReservation,
  requireNoReservations,
  resolveReservations,
} from '#functions/domain/orders/reservations';
import type { LeadType } from '#shared/contract/constants';
import { aReceivedLead } from '#test/factories/leads';
import { addBuyers, adminOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** An order of a buyer, changed past the stores. */
async function anOrder(changes: Partial<Order> = {}) {
  const table = memoryTable();
  const orders = await addBuyers(table, [{ id: 'a', probability: 10, limit: 5 }]);
  const admin = adminOn(table);
  const orderId = orders.get('a')?.order_id ?? 0;
  const put = async (fields: Partial<Order>) => {
    await table.put({ put: { ...(await table.get(keys.order(orderId))), ...fields } as never });
  };
  await put(changes);
  const order = async () => {
    const found = await admin.orders.get(orderId);
    if (found === undefined) throw new Error('The order is gone');
    return found;
  };
  return { table, admin, orderId, put, order };
}

/** Of orders without caps. */
const TERMS = { at: new Date('2026-03-02T09:00:00Z') };
const attemptOf = (lead: number, distribution_attempt = 1) => ({
  lead_id: `lead${lead}`,
  distribution_attempt,
});
const nameOf = (lead: number) => `lead${lead}.1`;

/** What the stores do to one order, without a table. */
class Model {
  received = 0;
  delivered = 0;
  last = 0;
  readonly notes = new Map<string, { sequence: number; lead_type: LeadType }>();
  readonly confirmed: [string[], string[]] = [[], []];

  constructor(
    public limit: number,
    public owed: number,
    public deleted = false,
  ) {}

  take(name: string) {
    const known = this.notes.get(name);
    if (known !== undefined) return known;
    if (this.deleted || (this.owed === 0 && this.received >= this.limit)) return undefined;
    const lead_type: LeadType = this.owed > 0 ? 'reimbursement' : 'original';
    if (lead_type === 'original') this.received += 1;
    else [this.owed, this.delivered] = [this.owed - 1, this.delivered + 1];
    this.last += 1;
    const note = { sequence: this.last, lead_type };
    this.notes.set(name, note);
    return note;
  }

  release(name: string): boolean {
    const note = this.notes.get(name);
    if (note === undefined) return false;
    this.notes.delete(name);
    if (note.lead_type === 'original') this.received -= 1;
    else [this.owed, this.delivered] = [this.owed + 1, this.delivered - 1];
    return true;
  }

  /** Notes that are confirmed go with the next write of the process that confirmed them. */
  forget(process: number, most: number) {
    for (const name of this.confirmed[process]?.splice(0, most) ?? []) this.notes.delete(name);
  }

  get counters() {
    const of = (lead_type: LeadType) =>
      Object.fromEntries(
        [...this.notes].flatMap(([name, note]) =>
          note.lead_type === lead_type ? [[name, note.sequence]] : [],
        ),
      );
    return {
      leads_received: this.received,
      reimbursement_pending: this.owed,
      reimbursement_delivered: this.delivered,
      last_sequence: this.last,
      reservations: of('original'),
      replacement_reservations: of('reimbursement'),
    };
  }
}

type Step =
  | { readonly does: 'one'; readonly process: number; readonly lead: number }
  | { readonly does: 'many'; readonly process: number; readonly leads: readonly number[] }
  | { readonly does: 'release'; readonly process: number; readonly lead: number }
  | { readonly does: 'confirm'; readonly process: number; readonly lead: number }
  | { readonly does: 'change'; readonly limit: number; readonly owed: number; readonly deleted: boolean };

const process = fc.nat({ max: 1 });
const lead = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('one'), process, lead }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('many'),
      process,
      leads: fc.uniqueArray(fc.nat({ max: 130 }), { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('release'), process, lead }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('confirm'), process, lead }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('change'),
      limit: fc.nat({ max: 20 }),
      owed: fc.nat({ max: 4 }),
      deleted: fc.boolean(),
    }),
  },
);

const MOST_NOTES_OF_ONE = 16;
const MOST_NOTES_OF_MANY = 50;

async function run(steps: readonly Step[], limit: number, owed: number) {
  const { table, orderId, put, order } = await anOrder({ lead_limit: limit, reimbursement_pending: owed });
  const model = new Model(limit, owed);
  const stores = [createReservationStore(table), createReservationStore(table)];
  const storeOf = (one: number) => stores[one] as ReservationStore;
  /** Whose lead was assigned reserves no more, and is not released. */
  const isOver = (lead: number) => model.confirmed.some((names) => names.includes(nameOf(lead)));
  for (const one of steps) {
    switch (one.does) {
      case 'one': {
        if (isOver(one.lead)) break;
        const isNew = !model.notes.has(nameOf(one.lead));
        const expected = model.take(nameOf(one.lead));
        const result = await storeOf(one.process).reserve(orderId, attemptOf(one.lead), TERMS);
        expect(result).toMatchObject({
          reserved: expected !== undefined,
          ...expected,
          order: { order_id: orderId },
        });
        if (isNew && expected !== undefined) model.forget(one.process, MOST_NOTES_OF_ONE);
        break;
      }
      case 'many': {
        const leads = one.leads.filter((lead) => !isOver(lead));
        const wanted = leads.map(nameOf);
        const before = new Set(model.notes.keys());
        const expected = wanted.map((name) => model.take(name));
        const { order: after, reserved } = await storeOf(one.process).reserveMany(
          orderId,
          leads.map((lead) => attemptOf(lead)),
          TERMS,
        );
        expect(reserved).toEqual(expected);
        if (wanted.some((name) => model.notes.has(name) && !before.has(name)))
          model.forget(one.process, MOST_NOTES_OF_MANY);
        expect(after).toMatchObject({ leads_received: model.received, reimbursement_pending: model.owed });
        break;
      }
      case 'release': {
        const note = model.notes.get(nameOf(one.lead));
        if (isOver(one.lead)) break;
        const reservation: Reservation = {
          ...attemptOf(one.lead),
          order_id: orderId,
          sequence: note?.sequence ?? 1,
          lead_type: note?.lead_type ?? 'original',
        };
        const released = await storeOf(one.process).release(reservation);
        expect(released !== undefined).toBe(model.release(nameOf(one.lead)));
        break;
      }
      case 'confirm': {
        const note = model.notes.get(nameOf(one.lead));
        if (note === undefined || isOver(one.lead)) break;
        const reservation = { ...attemptOf(one.lead), order_id: orderId, ...note };
        storeOf(one.process).confirm(reservation);
        storeOf(one.process).confirm(reservation);
        model.confirmed[one.process]?.push(nameOf(one.lead));
        break;
      }
      case 'change': {
        // A limit does not fall below what was received.
        model.limit = Math.max(one.limit, model.received);
        [model.owed, model.deleted] = [one.owed, one.deleted];
        await put({
          lead_limit: model.limit,
          reimbursement_pending: model.owed,
          deleted_at: model.deleted ? '2026-03-02T09:00:00Z' : null,
        });
        break;
      }
    }
    expect(await order()).toMatchObject(model.counters);
    expect(Object.keys((await order()).reservations).toSorted()).toEqual(
      Object.keys(model.counters.reservations).toSorted(),
    );
  }
}

describe('reservations of an order', () => {
  it('are what a model of it says, one at a time and many, from two processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.nat({ max: 20 }),
        fc.nat({ max: 3 }),
        run,
      ),
      { numRuns: 60 },
    );
  });

  it('of more leads than one write takes are made by several, as many as there is room for', async () => {
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

  it('are none of an order that is not there', async () => {
    const { table } = await anOrder();
    const store = createReservationStore(table);
    expect(await store.reserve(99, attemptOf(1), TERMS)).toEqual({
      reserved: false,
      order: undefined,
      refusal: 'limit_reached',
    });
    expect(await store.reserveMany(99, [attemptOf(1)], TERMS)).toEqual({
      order: undefined,
      refusal: 'limit_reached',
      reserved: [undefined],
    });
  });

  it('forget notes in writes of sixteen', async () => {
    const { table, orderId, order } = await anOrder({ lead_limit: 40 });
    const store = createReservationStore(table);
    await store.reserveMany(
      orderId,
      Array.from({ length: 40 }, (_, at) => attemptOf(at)),
      TERMS,
    );
    const [kept, ...assigned] = reservationsOf(await order());
    await store.removeConfirmed(orderId, assigned);
    expect(reservationsOf(await order())).toEqual([kept]);
    await store.removeConfirmed(orderId, []);
    expect((await order()).leads_received).toBe(40);
  });
});

describe('a reservation whose attempt is over', () => {
  async function held() {
    const world = await anOrder({ lead_limit: 1 });
    const { admin, orderId } = world;
    const lead = aReceivedLead({ lead_id: 'lead1' });
    await admin.leads.receive(lead);
    const reserved = await admin.reservations.reserve(orderId, attemptOf(1), TERMS);
    if (!reserved.reserved) throw new Error('There was room');
    const entry = async () => (await admin.pool.read()).entries[0];
    const seen = await entry();
    if (seen === undefined) throw new Error('There is an entry');
    await admin.pool.noteRoom(seen, NO_ROOM);
    const reservation: Reservation = { ...attemptOf(1), ...reserved, order_id: orderId };
    return { ...world, reservation, entry, lead };
  }

  it('stays while the lead is in flight, and is released when a later attempt has it', async () => {
    const { admin, order, entry, lead } = await held();
    expect(await resolveReservations(admin, await order())).toBe(0);
    expect((await entry())?.has_capacity).toBe(false);
    await admin.leads.takeOver(lead, quietRuntime.now().toISOString());
    expect(await resolveReservations(admin, await order())).toBe(1);
    expect((await order()).leads_received).toBe(0);
    expect((await entry())?.has_capacity).toBe(true);
    // Nothing is left to be released, nor noted.
    const version = (await entry())?.version;
    expect(await resolveReservations(admin, await order())).toBe(0);
    expect((await entry())?.version).toBe(version);
  });

  it('notes capacity only where there is some, and only for the order of the entry', async () => {
    const full = await held();
    await full.put({ lead_limit: 0 });
    await releaseReservation(full.admin, full.reservation);
    expect((await full.entry())?.has_capacity).toBe(false);

    const other = await held();
    const entry = await other.entry();
    if (entry === undefined) throw new Error('There is an entry');
    await other.admin.pool.noteRoom(entry, NO_ROOM);
    await other.table.put({ put: { ...keys.poolEntry(entry.buyer), ...entry, order_id: 99 } });
    await releaseReservation(other.admin, other.reservation);
    expect((await other.entry())?.has_capacity).toBe(false);

    const noted = await held();
    const seen = await noted.entry();
    if (seen === undefined) throw new Error('There is an entry');
    await noted.table.put({ put: { ...keys.poolEntry(seen.buyer), ...seen, has_capacity: true } });
    await releaseReservation(noted.admin, noted.reservation);
    expect((await noted.entry())?.version).toBe(seen.version);
  });

  it('is waited for, five times a tenth of a second apart', async () => {
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
      if (slept.length === 2) await admin.leads.takeOver(lead, quietRuntime.now().toISOString());
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
