/** One small batch on the in-memory table, step by step: what is read, chosen, stored and recorded. */

import { describe, expect, it } from 'vitest';
import * as batchStore from '#functions/data/distribution/batch-store';
import { EMPTY_LEDGER } from '#functions/data/distribution/ledger';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import { type Item, type Table, type TransactionItem } from '#functions/data/table/table';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { assignByHand } from '#functions/domain/distribution/distribution';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { createOrder } from '#functions/domain/orders/orders';
import { aReceivedLead } from '#test/factories/leads';
import { aSource } from '#test/factories/sources';
import {
  addBuyers,
  adminOn,
  type BuyerPlan,
  changedTable,
  distributionOn,
  PASSING_CHECKS,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-05-04T12:00:00.000Z');
const ANNA: BuyerPlan = { id: 'anna', probability: 60, limit: 9 };

/** A batch with stored leads, and the context that distributes it. */
async function aBatch(leads: readonly Partial<Lead>[], plans: readonly BuyerPlan[] = [ANNA]) {
  const table = memoryTable();
  await addBuyers(table, plans);
  const slept: number[] = [];
  const distances: number[] = [];
  const runtime = {
    ...quietRuntime,
    now: () => NOW,
    random: () => 0.5,
    sleep: async (milliseconds: number) => void slept.push(milliseconds),
    metrics: {
      record: (name: string, value: number) => void (name === 'ShareDistance' && distances.push(value)),
    },
  };
  const deps = distributionOn(table, { runtime });
  const all = leads.map((lead, at) => ({
    ...aReceivedLead({ lead_id: `lead-${at}`, received_at: NOW.toISOString(), ...lead }),
    batch_id: 'batch',
  }));
  await batchStore.open(deps, { batch_id: 'batch', received_at: NOW.toISOString(), leads: all });
  for (const lead of all) await leadStore.receiveInBatch(deps, lead);
  const run = (change: Partial<DistributionContext> = {}, absent?: readonly number[]) =>
    distributeBatch({ ...deps, ...change }, 'batch', absent);
  /** The same, with some methods of the table replaced. */
  const runWith = (calls: Partial<Table>, absent?: readonly number[]) =>
    distributeBatch(distributionOn(changedTable(table, calls), { runtime }), 'batch', absent);
  const get = async (at: number) => (await leadStore.get(deps, `lead-${at}`))!;
  const decision = async (at: number) => (await leadStore.details(deps, `lead-${at}`))?.decision;
  const verifyNothing = async () =>
    table.put({
      put: {
        ...keys.verificationSwitches(),
        email_verification: false,
        phone_verification: false,
        name_verification: false,
      },
    });
  return { table, deps, run, runWith, get, decision, slept, distances, verifyNothing };
}

/** The record of a pass in a transaction. */
const passOf = (items: readonly TransactionItem[]): Item | undefined => {
  const [first] = items;
  return first !== undefined && 'put' in first && first.put.sk.startsWith('PASS#') ? first.put : undefined;
};

describe('a batch', () => {
  it('is finished when none of its leads is in flight', async () => {
    const { deps, run, get } = await aBatch([{}, {}]);
    // For other choices of this process: its own count from when they are made.
    const taking = [{ order_id: 1 }, { order_id: 1 }];
    const left = async () =>
      (await deps.ledger.ahead.within((read) => ({ taking, left: read.get(1)?.leads }))).left;
    const seen: unknown[] = [];
    const reserveMany: typeof deps.reservations.reserveMany = async (...args) => {
      seen.push(await left());
      return deps.reservations.reserveMany(...args);
    };
    const reservations = { ...deps.reservations, reserveMany };
    expect(await run({ reservations })).toEqual({ assigned: 2, pending: 0, left: 0 });
    expect([...seen, await left()]).toEqual([7, 7]);
    expect(await get(1)).toMatchObject({ status: 'assigned', sequence: 2, assigned_at: NOW.toISOString() });
    expect(await batchStore.openSince(deps, '2027', 9)).toEqual([]);
    expect(await run()).toBeUndefined();
    expect(await distributeBatch(deps, 'unknown')).toBeUndefined();
  });

  it('leaves each unassigned lead pending with its own recorded reason', async () => {
    const { run, get, decision } = await aBatch(
      [
        { anlagebetrag: 1_000_000 },
        { anlagebetrag: 9_000_000, telefon: '+49 1' },
        { anlagebetrag: 9_000_000 },
      ],
      [{ id: 'careful', probability: 60, limit: 9, review: true, minimum: 50_000 }],
    );
    const phone: (typeof PASSING_CHECKS)['phone'] = async ({ telefon }) =>
      telefon === '+49 1' ? { status: 'invalid', note: 'too short' } : { status: 'valid', note: 'a fax' };
    expect(await run({ checks: { ...PASSING_CHECKS, phone } })).toEqual({ assigned: 0, pending: 3, left: 0 });
    expect(await get(0)).toMatchObject({ status: 'pending', reason: 'below_min_investment' });
    expect(await get(0)).not.toHaveProperty('intended_buyer');
    expect(await decision(0)).toMatchObject({ winner: null, not_eligible: { below_min_investment: [1] } });
    expect(await get(1)).toMatchObject({
      reason: 'phone_verification_failed',
      verification_notes: ['too short'],
    });
    expect(await decision(1)).toBeUndefined();
    expect(await get(2)).toMatchObject({
      reason: 'manual_review',
      intended_buyer: 1,
      verification_notes: ['a fax'],
    });
    expect(await decision(2)).toMatchObject({
      winner: 1,
      mode: 'weights',
      eligible: [[1, 6000, 0]],
      distribution_attempt: 1,
      decided_at: NOW.toISOString(),
    });
  });

  it('skips the leads that its message lists as absent, because their caller decides about them', async () => {
    const { run, get } = await aBatch([{}, {}, {}]);
    expect(await run({}, [1])).toEqual({ assigned: 2, pending: 0, left: 0 });
    expect((await get(1)).status).toBe('received');
    expect([(await get(0)).sequence, (await get(2)).sequence]).toEqual([1, 2]);
  });

  it('that is new is distributed without reading its leads if no verification is active', async () => {
    for (const isVerified of [true, false]) {
      const { table, runWith, verifyNothing } = await aBatch([{}]);
      if (!isVerified) await verifyNothing();
      let reads = 0;
      const getMany: Table['getMany'] = async (wanted, options) => {
        if (wanted.some(({ sk }) => sk === keys.lead('').sk)) reads += 1;
        return table.getMany(wanted, options);
      };
      expect(await runWith({ getMany }, [])).toMatchObject({ assigned: 1 });
      expect(reads).toBe(isVerified ? 1 : 0);
    }
  });

  it('skips leads that are no longer in flight', async () => {
    const { deps, run, get } = await aBatch([{}, {}, {}]);
    const [pending, gone] = [await get(0), await get(1)];
    await leadStore.markPending(deps, pending, { reason: 'limits_reached', notes: [] });
    await leadStore.noteEarlier(deps, gone, ['earlier'], NOW.toISOString());
    expect(await run()).toEqual({ assigned: 1, pending: 0, left: 0 });
    expect([(await get(0)).status, (await get(1)).status, (await get(2)).status]).toEqual([
      'pending',
      'received',
      'assigned',
    ]);
    await assignByHand(deps, 'ada', 'lead-0', { person: {}, buyerId: 'anna' });
  });

  it('rereads the pool before leads become pending, in case a buyer has a new order', async () => {
    const { table, runWith, get } = await aBatch([{}], [{ id: 'anna', probability: 60 }]);
    /** Counts reads of the pool; something happens after each. */
    const readingPool = (of: Table, afterwards: (times: number) => Promise<unknown>): Table['queryAll'] => {
      let times = 0;
      return async (query) => {
        const items = await of.queryAll(query);
        if (query.partition === keys.pool()) await afterwards((times += 1));
        return items;
      };
    };
    const queryAll = readingPool(
      table,
      async (times) =>
        times === 1 && createOrder(adminOn(table), 'ada', { buyerId: 'anna', leadLimit: 1, balance: 0 }),
    );
    expect(await runWith({ queryAll })).toEqual({ assigned: 1, pending: 0, left: 0 });
    expect(await get(0)).toMatchObject({ status: 'assigned' });
    const other = await aBatch([{}], []);
    let reads = 0;
    const counted = readingPool(other.table, async (times) => void (reads = times));
    expect(await other.runWith({ queryAll: counted })).toMatchObject({ pending: 1 });
    expect(reads).toBe(2);
  });

  it('chooses no more leads for an order than its remaining capacity, then treats it as full', async () => {
    const { deps, run, get, decision } = await aBatch(
      [{}, {}, {}, {}, {}],
      [
        { id: 'anna', probability: 60, limit: 1 },
        { id: 'ben', probability: 10, limit: 9 },
        { id: 'cleo', probability: 30, limit: 9, caps: { daily_cap: 1 } },
      ],
    );
    expect(await run()).toEqual({ assigned: 5, pending: 0, left: 0 });
    const winners = await Promise.all([0, 1, 2, 3, 4].map(async (at) => (await get(at)).buyer));
    for (const at of winners.keys()) {
      expect(await get(at)).toMatchObject({ distribution_attempt: 1 });
      const { eligible = [], not_eligible = {} } = (await decision(at)) ?? {};
      const full = new Set([1, 3].filter((buyer) => winners.indexOf(buyer) < at));
      expect(eligible.map(([buyer]) => buyer)).toEqual([1, 2, 3].filter((buyer) => !full.has(buyer)));
      expect(not_eligible.limit_reached).toEqual(full.has(1) ? [1] : undefined);
      expect(not_eligible.daily_cap_reached).toEqual(full.has(3) ? [3] : undefined);
    }
    expect((await poolStore.read(deps)).ledger.deficits[1]).toBe(
      winners.slice(0, winners.indexOf(1) + 1).length * 0.6 * LEAD - LEAD,
    );
  });

  it('chooses again in another pass for leads that did not fit into an order', async () => {
    const { table, deps, runWith, get, decision } = await aBatch(
      [{ anlagebetrag: 1 }, {}, {}, {}],
      [
        { id: 'anna', probability: 55, limit: 2, minimum: 100 },
        { id: 'ben', probability: 45, limit: 9, minimum: 100 },
      ],
    );
    // After this choice, another process takes one of the last two slots of the order.
    const transact: Table['transact'] = async (items) => {
      if (passOf(items))
        await deps.reservations.reserve(1, { lead_id: 'other', distribution_attempt: 1 }, { at: NOW });
      return table.transact(items);
    };
    expect(await runWith({ transact })).toEqual({ assigned: 3, pending: 1, left: 0 });
    const leads = await Promise.all([0, 1, 2, 3].map(get));
    // Ben has capacity for it, even after another lead of the same pass.
    expect(leads.map(({ buyer }) => buyer).toSorted((one = 0, other = 0) => one - other)).toEqual([
      1,
      2,
      2,
      undefined,
    ]);
    const later = leads.findIndex(({ distribution_attempt }) => distribution_attempt === 2);
    expect(await decision(later)).toMatchObject({
      distribution_attempt: 2,
      winner: 2,
      not_eligible: { limit_reached: [1] },
    });
    expect(await poolStore.entry(deps, 1)).toMatchObject({ has_capacity: false });
    expect(await poolStore.entry(deps, 2)).toMatchObject({ has_capacity: true });
  });

  it('resolves the persons of its leads if the ingesting process may have died before', async () => {
    const person = { source: 1, fingerprints: ['phone'] };
    const { table, run, get } = await aBatch([person, person, {}]);
    await table.transact(
      sourceStore.created(aSource({ source: 1, window_days: 30, on_duplicate: 'refuse' })),
    );
    expect(await run()).toEqual({ assigned: 2, pending: 0, left: 0 });
    const statuses = [(await get(0)).status, (await get(1)).status];
    expect(statuses.toSorted()).toEqual(['assigned', 'duplicate']);
  });

  it('stays open while another process has one of its leads in flight', async () => {
    const { table, deps, runWith, get } = await aBatch([{}, {}, {}]);
    const transact: Table['transact'] = async (items) => {
      if (passOf(items) === undefined) return table.transact(items);
      const takeOver = async (at: number) => leadStore.takeOver(deps, await get(at), NOW.toISOString());
      await takeOver(0);
      // Assigned elsewhere, by the number that it gets here.
      const other = { buyer: 2, order_id: 2, sequence: 2, lead_type: 'original' } as const;
      const assigned = leadStore.assigned((await takeOver(1))!, other, [], NOW.toISOString(), { notes: [] });
      return table.transact([...items, ...assigned]);
    };
    expect(await runWith({ transact })).toEqual({ assigned: 1, pending: 0, left: 1 });
    expect(await batchStore.openSince(deps, '2027', 9)).toEqual(['batch']);
    expect((await orderStore.get(deps, 1))?.leads_received).toBe(1);
  });
});

describe('a batch pass', () => {
  /** A table where another process changes the ledger before each of the first passes; records the written passes. */
  const conflicting = (table: Table, times: number, deficits: Record<string, number> = {}) => {
    const rounds: Item[] = [];
    const ledgers: unknown[] = [];
    const transact: Table['transact'] = async (items) => {
      const round = passOf(items);
      if (round === undefined) return table.transact(items);
      rounds.push(round);
      ledgers.push(items[1]);
      if (rounds.length <= times)
        await table.put({
          put: { ...keys.ledger(), ...EMPTY_LEDGER, version: 7 + rounds.length, deficits },
        });
      return table.transact(items);
    };
    return { passes: rounds, ledgers, transact };
  };
  /** Position and winner of a pass's leads, and the draw if there was one. */
  const choicesOf = ({ leads }: Item) => JSON.parse(String(leads)) as unknown;
  const TWO: readonly BuyerPlan[] = [ANNA, { id: 'ben', probability: 40, limit: 9 }];

  it('uses the newest ledger after each conflict, and draws after four', async () => {
    const { table, runWith, slept, decision, distances } = await aBatch([{}], TWO);
    const settling = conflicting(table, 4, { 1: -2 * LEAD, 2: LEAD });
    await runWith({ transact: settling.transact });
    expect(settling.passes.map(choicesOf)).toEqual([
      [[0, 1, null]],
      ...Array.from({ length: 3 }, () => [[0, 2, null]]),
      [[0, 2, 0.5]],
    ]);
    expect(settling.passes.at(-1)).toMatchObject({ deficits: { 1: -2 * LEAD, 2: LEAD }, full: [] });
    expect(slept).toEqual([6, 6, 6, 6]);
    expect(await decision(0)).toMatchObject({
      mode: 'drawn',
      draw: 0.5,
      winner: 2,
      eligible: [[1], [2]].map(([buyer = 0]) => [
        buyer,
        buyer === 1 ? 6000 : 4000,
        buyer === 1 ? -2 * LEAD : LEAD,
      ]),
    });
    // Anna is credited 0.6 of a lead: -1.4.
    expect(distances).toEqual([expect.closeTo(1.4)]);
  });

  it('is abandoned after sixteen conflicts, and the batch stays open', async () => {
    // More buyers than fit into one write, so no choice can be drawn.
    const { table, deps, runWith } = await aBatch(
      [{}],
      Array.from({ length: 51 }, (_, at) => ({ id: `b${at}`, probability: 1, limit: 1 })),
    );
    const settling = conflicting(table, 99);
    await expect(runWith({ transact: settling.transact })).rejects.toThrow(
      'The ledger changed before every write',
    );
    expect(settling.passes).toHaveLength(16);
    for (const round of settling.passes) expect(choicesOf(round)).toEqual([[0, expect.any(Number), null]]);
    expect(await batchStore.openSince(deps, '2027', 9)).toEqual(['batch']);
  });

  it('by another process is carried out unchanged', async () => {
    const { table, deps, runWith, get } = await aBatch([{}, {}], TWO);
    let winner: unknown;
    const transact: Table['transact'] = async (items) => {
      const round = passOf(items);
      if (round !== undefined && winner === undefined) {
        // The other process knew only the first lead.
        const leads = (JSON.parse(String(round.leads)) as unknown[][]).slice(0, 1);
        winner = leads[0]?.[1];
        await table.put({
          put: { ...round, pk: String(round.pk), sk: String(round.sk), leads: JSON.stringify(leads) },
        });
      }
      return table.transact(items);
    };
    expect(await runWith({ transact })).toEqual({ assigned: 2, pending: 0, left: 0 });
    expect((await get(0)).buyer).toBe(winner);
    await batchStore.reopen(deps, 'batch', NOW.toISOString());
    const { passes: rounds = [] } = (await batchStore.read(deps, 'batch')) ?? {};
    expect(rounds.map(({ pass: round, leads }) => [round, leads.map(({ position }) => position)])).toEqual([
      [1, [0]],
      [2, [1]],
    ]);
  });

  it('does not change the ledger if nobody is chosen', async () => {
    const { table, deps, runWith } = await aBatch([{}], []);
    const settling = conflicting(table, 0);
    expect(await runWith({ transact: settling.transact })).toMatchObject({ pending: 1 });
    expect(settling.ledgers).toEqual([undefined]);
    expect((await poolStore.read(deps)).ledger).toEqual(EMPTY_LEDGER);
  });
});
