/** Counting, comparing and simulating on the in-memory table with pages of two items. */

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import {
  everyShard,
  nameOf,
  shards,
  sourceDays,
  summed,
  sumsIn,
  sumsPut,
} from '#functions/data/statistics/sums';
import { indexed, keys } from '#functions/data/table/keys';
import type { Query, Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { MAX_LEADS, simulate } from '#functions/domain/statistics/simulation';
import { count } from '#functions/domain/statistics/statistics';
import { createStatistics } from '#functions/workers/statistics/index';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const DAY = '2026-03-02';
const runtime = {
  ...quietRuntime,
  sleep: async () => undefined,
  now: () => new Date(`${DAY}T09:00:00Z`),
};

/** Returns two items at a time, even if more were requested. */
function inSmallPages(table: Table): Table {
  const query = table.query.bind(table);
  return Object.assign(table, {
    query: (one: Query) => query({ ...one, limit: Math.min(2, one.limit ?? 2) }),
  });
}

/** This many leads for two buyers with 60 and 30 percent, if they exist, all counted. */
async function leads(number: number, buyers = true, person = aPerson) {
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
    ids.push((await ingest(distributionOn(table, { runtime }), person(), undefined)).lead_id);
  return { table, deps, ids };
}

it('the number of pending leads is exact up to a bound, for any page size', async () => {
  const { deps } = await leads(5, false);
  expect(
    await Promise.all([0, 3, 4, 5, 6, 100].map((most) => statisticsStore.pendingUpTo(deps, most))),
  ).toEqual([undefined, undefined, undefined, 5, 5, 5]);
});

/** Any single figure: a claim filed in one shard may be decided in another, which then has no other figure. */
const figures = fc.dictionary(
  fc.constantFrom('accepted', 'approved:3', 'prices:3:1999', 'prices:3:4550', 'missed:31:cap', '57'),
  fc.integer({ min: -9, max: 9 }).filter((value) => value !== 0),
);

describe('sums', () => {
  it('are read as written, summed over all shards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(figures, { minLength: 1, maxLength: 4 }), async (parts) => {
        const [table, name] = [memoryTable(), nameOf.sourceDay(DAY, 4)];
        const put = parts.map((part, shard) => ({
          name,
          shard,
          version: 0,
          value: new Map(Object.entries(part)),
        }));
        for (const shard of put) await table.put(sumsPut(shard));
        for (const one of put)
          expect(await shards({ table }, [name], one.shard)).toEqual([{ ...one, version: 1 }]);
        const total = summed(put.map(({ value }) => value));
        expect(await sourceDays({ table }, DAY, DAY)).toEqual([{ day: DAY, source: 4, sums: total }]);
        const ofBuyer = [...total].filter(([figure]) => figure.split(':')[1] === '3');
        const only = await sumsIn({ table }, keys.sourceDays(), { from: DAY, to: DAY }, '3');
        expect(only.get(`${DAY}#4`) ?? new Map()).toEqual(new Map(ofBuyer));
        expect(await sourceDays({ table }, '2026-03-03', '2026-03-09')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('are not written from an outdated version', async () => {
    const table = memoryTable();
    const first = { name: nameOf.totals(), shard: 0, version: 0, value: new Map([['pending', 1]]) };
    expect((await table.put(sumsPut(first))).ok).toBe(true);
    expect((await table.put(sumsPut(first))).ok).toBe(false);
    expect((await table.put(sumsPut({ ...first, version: 1 }))).ok).toBe(true);
    expect((await table.put(sumsPut({ ...first, version: 1 }))).ok).toBe(false);
  });
});

describe('counting many leads', () => {
  it('counts each once, for any number of search words', async () => {
    const { deps, ids } = await leads(9);
    expect(await count(deps, [...ids, ...ids])).toBe(9);
    expect(await count(deps, ids)).toBe(0);
    expect(await statisticsStore.allTotals(deps)).toEqual(new Map([['assigned', 9]]));
    const decided = async (limit: number) =>
      (await statisticsStore.decidedOn(deps, DAY, limit)).map(({ leadId }) => leadId);
    expect((await decided(100)).toSorted()).toEqual(ids.toSorted());
    expect(await decided(3)).toEqual((await decided(100)).slice(0, 3));
    expect(await statisticsStore.decidedOn(deps, '2026-03-01', 100)).toEqual([]);
  });

  it('writes no more than fits into a transaction, even for people with many names', async () => {
    const vorname = 'anna berta clara dora emma frieda greta hanna';
    const { table, deps, ids } = await leads(8, true, () =>
      aPerson({ vorname, telefon: '0151 23456789012' }),
    );
    const sizes: number[] = [];
    const transact: Table['transact'] = async (items) => {
      sizes.push(items.length);
      return table.transact(items);
    };
    expect(await count({ ...deps, table: changedTable(table, { transact }) }, ids)).toBe(8);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    expect(sizes).toHaveLength(2);
  });

  it('counts the revenue of a lead by the price of its order', async () => {
    const { table, deps, ids } = await leads(3);
    const values = { ':price': 2550 };
    await table.update({ key: keys.order(1), update: 'SET price_per_lead = :price', values });
    await count(deps, ids);
    const priced = (await statisticsStore.range(deps, DAY, DAY)).get(DAY)?.get(1)?.originals ?? 0;
    expect(priced).toBeGreaterThan(0);
    expect(priced).toBeLessThan(3);
    expect(await statisticsStore.allTotals(deps)).toEqual(
      new Map([
        ['assigned', 3],
        ['priced', priced],
        ['revenue', 2550 * priced],
      ]),
    );
  });

  it('fails if other processes keep counting the same day', async () => {
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

  it('goes to another shard after two conflicts', async () => {
    const { table, deps, ids } = await leads(1);
    let inTheWay = 2;
    const transact: Table['transact'] = async (items) => {
      inTheWay -= 1;
      return inTheWay < 0 ? table.transact(items) : { ok: false, failed: [] };
    };
    const home = { shard: 0 };
    const busy = { ...deps, table: changedTable(table, { transact }), home };
    await count({ ...busy, runtime: { ...runtime, random: () => 0.7 } }, ids);
    expect(home).toEqual({ shard: 5 });
    expect([...(await everyShard(deps)).values()].flat().every(({ shard }) => shard === 5)).toBe(true);
    expect(await statisticsStore.allTotals(deps)).toEqual(new Map([['assigned', 1]]));
  });

  it('reports the first record that the worker could not count', async () => {
    const { table, deps } = await leads(0);
    const getMany = () => Promise.reject(new Error('no table'));
    const worker = createStatistics({ ...deps, table: changedTable(table, { getMany }) });
    const Records = ['LEAD', 'DECISION', 'DECISION'].map((sk, at) => ({
      dynamodb: { SequenceNumber: String(at), NewImage: marshall({ sk, lead_id: 'x', status: 'received' }) },
    })) as DynamoDBRecord[];
    expect(await worker({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(await createStatistics(deps)({ Records })).toEqual({ batchItemFailures: [] });
  });

  it('recounts a lead that changed before its count was written', async () => {
    const { table, deps, ids } = await leads(1);
    await count(deps, ids);
    // The second process finds the lead as counted, because the first has not written its change yet.
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
  it('finds wrong, missing and extra days, and wrong totals', async () => {
    const { table, deps, ids } = await leads(3);
    await count(deps, ids);
    const right = (await statisticsStore.range(deps, DAY, DAY)).get(DAY)!;
    const [totals, day] = await shards(deps, [nameOf.totals(), nameOf.day(DAY)], 0);
    for (const wrong of [
      {
        ...day!,
        value: new Map([...day!.value, ['originals:1', 9], ['prices:1:250', 2], ['originals:2', 0]]),
      },
      { name: nameOf.day('2026-03-01'), shard: 1, version: 0, value: new Map([['got:2', 1]]) },
      { ...totals!, value: new Map([['pending', 4]]) },
    ])
      await table.put(sumsPut(wrong));

    const checked = await rebuildStatistics(deps, false);
    expect(checked).toMatchObject({ leads: 3, leadsCorrected: 0, repaired: 0, moving: [] });
    expect(checked.differences).toEqual(
      expect.arrayContaining([
        { of: '2026-03-01 got:2', stored: 1, actual: 0 },
        { of: `${DAY} originals:1`, stored: 9, actual: right.get(1)!.originals },
        { of: `${DAY} prices:1:250`, stored: 2, actual: 0 },
        { of: `${DAY} originals:2`, stored: 0, actual: right.get(2)!.originals },
        { of: 'totals assigned', stored: 0, actual: 3 },
        { of: 'totals pending', stored: 4, actual: 0 },
      ]),
    );
    const repaired = await rebuildStatistics(deps, true);
    expect(repaired.differences).toEqual(checked.differences);
    expect(repaired.repaired).toBe(checked.differences.length);
    expect((await statisticsStore.range(deps, DAY, DAY)).get(DAY)).toEqual(right);
    expect(await statisticsStore.allTotals(deps)).toEqual(new Map([['assigned', 3]]));
    expect((await rebuildStatistics(deps, true)).differences).toEqual([]);
  });

  it('skips figures that are being counted, and stops after some passes', async () => {
    const { table, deps, ids } = await leads(2);
    await count(deps, ids.slice(0, 1));
    const [totals] = await shards(deps, [nameOf.totals()], 7);
    await table.put(sumsPut({ ...totals!, value: new Map([['pending', 1]]) }));
    // Every repair is overwritten, so each pass finds the same difference.
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
    // One to count the second lead, and one for the totals in each of five passes.
    expect(writes).toBe(6);
  });
});

describe('a simulation', () => {
  it('reports unknown and repeated buyers', async () => {
    const { deps } = await leads(0);
    const ask = (...ids: string[]) =>
      simulate(deps, { days: 1, buyers: ids.map((buyerId) => ({ buyerId, weight: 1000 })) });
    await expect(ask('a', 'nobody')).rejects.toMatchObject({
      code: 'buyer_not_found',
      message: expect.stringContaining('nobody'),
    });
    await expect(ask('a', 'b', 'a')).rejects.toMatchObject({ code: 'buyer_named_twice' });
    // Buyers without leads are shown if their terms change.
    expect(await ask('b')).toEqual({
      leads: 0,
      unassignedBefore: 0,
      unassignedAfter: 0,
      buyers: [
        {
          buyerId: 'b',
          got: 0,
          wouldHaveReceived: 0,
          claims: 0,
          simulatedClaims: 0,
          revenue: 0,
          simulatedRevenue: 0,
        },
      ],
    });
  });

  it('uses the leads of the requested days, oldest first, with the changed terms', async () => {
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
      asItWas.buyers.map(({ buyerId, got: had, wouldHaveReceived }) => [buyerId, had === wouldHaveReceived]),
    ).toEqual([
      ['a', true],
      ['b', true],
    ]);
    const without = await got(2, [
      { buyerId: 'a', weight: 0 },
      { buyerId: 'b', limit: 4 },
    ]);
    expect(without).toMatchObject({ unassignedAfter: 2 });
    expect(without.buyers).toMatchObject([{ wouldHaveReceived: 0 }, { wouldHaveReceived: 4 }]);
  });

  it('is rejected for more leads than its maximum, and reads no more than that', async () => {
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
