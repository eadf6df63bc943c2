/** Counting, comparing and simulating on the table in memory, whose pages hold two items. */

import { describe, expect, it } from 'vitest';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import {
  COUNTED_BY,
  EMPTY_BUYER_DAY,
  EMPTY_TOTALS,
  FIGURES,
} from '#functions/data/statistics/statistics-store';
import { indexed, keys } from '#functions/data/table/keys';
import type { Query, Table } from '#functions/data/table/table';
import { takeIn } from '#functions/domain/distribution/distribution';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { MAX_LEADS, simulate } from '#functions/domain/statistics/simulation';
import { count } from '#functions/domain/statistics/statistics';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const DAY = '2026-03-02';
const runtime = {
  ...quietRuntime,
  sleep: async () => undefined,
  now: () => new Date(`${DAY}T09:00:00Z`),
};

/** Answers with two items at a time, although more were asked for. */
function inSmallPages(table: Table): Table {
  const query = table.query.bind(table);
  return Object.assign(table, {
    query: (one: Query) => query({ ...one, limit: Math.min(2, one.limit ?? 2) }),
  });
}

/** So many leads for two buyers of 60 and 30 percent, where they are there, all counted. */
async function leads(number: number, buyers = true) {
  const table = memoryTable();
  if (buyers)
    await addBuyers(table, [
      { id: 'a', probability: 60, limit: 100 },
      { id: 'b', probability: 30, limit: 100 },
    ]);
  inSmallPages(table);
  const deps = adminOn(table, runtime);
  const ids: string[] = [];
  for (let at = 0; at < number; at += 1)
    ids.push((await takeIn(distributionOn(table, { runtime }), aPerson(), undefined)).lead_id);
  return { table, deps, ids };
}

describe('the number of pending leads', () => {
  it('is exact up to a bound, whatever a page holds', async () => {
    const { deps } = await leads(5, false);
    expect(
      await Promise.all([0, 3, 4, 5, 6, 100].map((most) => statisticsStore.pendingUpTo(deps, most))),
    ).toEqual([undefined, undefined, undefined, 5, 5, 5]);
  });
});

describe('counting many leads', () => {
  it('counts each once, however many words they have', async () => {
    const { deps, ids } = await leads(9);
    expect(await count(deps, [...ids, ...ids])).toBe(9);
    expect(await count(deps, ids)).toBe(0);
    expect(await statisticsStore.allTotals(deps)).toEqual({ ...EMPTY_TOTALS, assigned: 9 });
    const decided = async (limit: number) =>
      (await statisticsStore.decidedOn(deps, DAY, limit)).map(({ leadId }) => leadId);
    expect((await decided(100)).toSorted()).toEqual(ids.toSorted());
    expect(await decided(3)).toEqual((await decided(100)).slice(0, 3));
    expect(await statisticsStore.decidedOn(deps, '2026-03-01', 100)).toEqual([]);
  });

  // A claim counted in one shard is decided in another, which then has nothing but its decision.
  it.each([...FIGURES, ...COUNTED_BY])('keeps %s of a buyer that has nothing else that day', async (name) => {
    const table = memoryTable();
    const figure = COUNTED_BY.some((field) => field === name) ? { 1999: 1 } : 1;
    const value = new Map([[3, { ...EMPTY_BUYER_DAY, [name]: figure }]]);
    const day = { day: DAY, shard: 2, version: 0, value };
    expect(
      await statisticsStore.write({ table }, { recounts: [], days: [day], totals: [], sources: [] }),
    ).toBe(true);
    expect(await statisticsStore.days({ table }, [DAY], 2)).toEqual([{ ...day, version: 1 }]);
  });

  it('gives up where others keep counting the same day', async () => {
    const { table, deps, ids } = await leads(1);
    const busy = changedTable(table, { transact: async () => ({ ok: false, failed: [] }) });
    let waits = 0;
    const sleep = async () => {
      waits += 1;
    };
    await expect(count({ ...deps, table: busy, runtime: { ...runtime, sleep } }, ids)).rejects.toThrow(
      'kept changing',
    );
    expect(waits).toBe(9);
  });

  it('counts a lead again that changed until its count was written', async () => {
    const { table, deps, ids } = await leads(1);
    await count(deps, ids);
    // The change of the first process, read and not written yet when the second one finds that the lead is as it was counted.
    let reads = 0;
    const stale = changedTable(table, {
      getMany: async (wanted, options) => {
        const items = await table.getMany(wanted, options);
        if (!wanted.some(({ sk }) => sk === keys.lead('').sk)) return items;
        reads += 1;
        return reads === 1
          ? items.map((item) => (item?.sk === keys.lead('').sk ? { ...item, status: 'pending' } : item))
          : items;
      },
    });
    expect(await count({ ...deps, table: stale }, ids)).toBe(2);
    expect((await statisticsStore.counted(deps, ids))[0]?.value.state).toBe('assigned');
    expect(await count(deps, ids)).toBe(0);
  });
});

describe('comparing and repairing', () => {
  it('finds days that are wrong, missing or one too many, and totals', async () => {
    const { deps, ids } = await leads(3);
    await count(deps, ids);
    const stored = await statisticsStore.everyShard(deps);
    const [shard] = stored.days;
    const right = shard!.value;
    const wrong = new Map([[1, { ...right.get(1)!, originals: 9, prices: { 250: 2 } }]]);
    const tooMany = new Map([[2, { ...EMPTY_BUYER_DAY, got: 1 }]]);
    await statisticsStore.write(deps, {
      recounts: [],
      days: [
        { ...shard!, value: wrong },
        { day: '2026-03-01', shard: 1, version: 0, value: tooMany },
      ],
      totals: [{ ...stored.totals[0]!, value: { ...EMPTY_TOTALS, pending: 4 } }],
    });

    const checked = await rebuildStatistics(deps, false);
    expect(checked).toMatchObject({ leads: 3, leadsCorrected: 0, repaired: 0, moving: [] });
    expect(checked.differences).toEqual(
      expect.arrayContaining([
        { of: '2026-03-01 buyer 2 got', stored: 1, actual: 0 },
        { of: `${DAY} buyer 1 originals`, stored: 9, actual: right.get(1)!.originals },
        { of: `${DAY} buyer 1 originals at 250`, stored: 2, actual: 0 },
        { of: `${DAY} buyer 2 originals`, stored: 0, actual: right.get(2)!.originals },
        { of: 'totals assigned', stored: 0, actual: 3 },
        { of: 'totals pending', stored: 4, actual: 0 },
      ]),
    );
    const repaired = await rebuildStatistics(deps, true);
    expect(repaired.differences).toEqual(checked.differences);
    expect(repaired.repaired).toBe(checked.differences.length);
    expect((await statisticsStore.range(deps, DAY, DAY)).get(DAY)).toEqual(right);
    expect(await statisticsStore.allTotals(deps)).toEqual({ ...EMPTY_TOTALS, assigned: 3 });
    expect((await rebuildStatistics(deps, true)).differences).toEqual([]);
  });

  it('leaves alone what is counted meanwhile, and stops after some passes', async () => {
    const { table, deps, ids } = await leads(2);
    await count(deps, ids.slice(0, 1));
    const totals = await statisticsStore.totals(deps, 7);
    await statisticsStore.write(deps, {
      recounts: [],
      days: [],
      totals: [{ ...totals, value: { ...EMPTY_TOTALS, pending: 1 } }],
    });
    // No repair that is written stays: each pass finds the same again.
    let writes = 0;
    const forgetful = changedTable(table, {
      transact: async (items) => {
        writes += 1;
        const recounts = items.some((item) => 'put' in item && item.put.sk === keys.counted('').sk);
        return recounts ? table.transact(items) : { ok: true };
      },
    });
    const rebuilt = await rebuildStatistics({ ...deps, table: forgetful }, true);
    expect(rebuilt).toMatchObject({ leads: 2, leadsCorrected: 1, repaired: 0 });
    // One to count the second lead, and in each of five passes one for the totals.
    expect(writes).toBe(6);
  });
});

describe('a simulation', () => {
  it('names buyers that are unknown or named twice', async () => {
    const { deps } = await leads(0);
    const ask = (...ids: string[]) =>
      simulate(deps, { days: 1, buyers: ids.map((buyerId) => ({ buyerId, weight: 1000 })) });
    await expect(ask('a', 'nobody')).rejects.toMatchObject({
      code: 'buyer_not_found',
      message: expect.stringContaining('nobody'),
    });
    await expect(ask('a', 'b', 'a')).rejects.toMatchObject({ code: 'buyer_named_twice' });
    // Who got nothing is shown where its terms are changed.
    expect(await ask('b')).toEqual({
      leads: 0,
      unassignedBefore: 0,
      unassignedAfter: 0,
      buyers: [{ buyerId: 'b', got: 0, wouldHaveGot: 0 }],
    });
  });

  it('takes the leads of the days asked for, the oldest first, with the terms that were changed', async () => {
    const { deps, ids } = await leads(6);
    await count(deps, ids);
    const got = async (days: number, buyers: { buyerId: string; weight?: number; limit?: number }[] = []) =>
      simulate(
        { ...deps, runtime: { ...runtime, now: () => new Date('2026-03-03T09:00:00Z') } },
        { days, buyers },
      );
    expect(await got(1)).toMatchObject({ leads: 0, buyers: [] });
    const asItWas = await got(2);
    expect(asItWas).toMatchObject({ leads: 6, unassignedBefore: 0, unassignedAfter: 0 });
    expect(
      asItWas.buyers.map(({ buyerId, got: had, wouldHaveGot }) => [buyerId, had === wouldHaveGot]),
    ).toEqual([
      ['a', true],
      ['b', true],
    ]);
    const without = await got(2, [
      { buyerId: 'a', weight: 0 },
      { buyerId: 'b', limit: 4 },
    ]);
    expect(without).toMatchObject({ unassignedAfter: 2 });
    expect(without.buyers).toMatchObject([{ wouldHaveGot: 0 }, { wouldHaveGot: 4 }]);
  });

  it('is refused for more leads than it can hold, and reads no more than that', async () => {
    const { deps } = await leads(0);
    const one = await leads(1);
    await count(one.deps, one.ids);
    const decided = { index: 'gsi1', partition: indexed.decided(DAY) } as const;
    const [counted = {}] = (await one.table.query(decided)).items;
    const asked: [string, number][] = [];
    const of = (perDay: number) => {
      const table = changedTable(deps.table, {
        query: async ({ partition, limit = 0 }) => {
          asked.push([partition.slice(-10), limit]);
          return { items: Array.from({ length: Math.min(perDay, limit) }, () => counted), next: undefined };
        },
      });
      return { ...deps, table };
    };
    await expect(simulate(of(MAX_LEADS / 2 + 1), { days: 3, buyers: [] })).rejects.toMatchObject({
      code: 'too_many_leads',
      fields: { days: expect.any(String) },
    });
    expect(asked).toEqual([
      ['2026-02-28', MAX_LEADS + 1],
      ['2026-03-01', MAX_LEADS / 2],
    ]);
    expect(await simulate(of(MAX_LEADS / 2), { days: 2, buyers: [] })).toMatchObject({ leads: MAX_LEADS });
  });
});
