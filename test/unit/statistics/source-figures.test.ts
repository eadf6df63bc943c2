/** Source figures are exact, and verified and repaired like the other statistics. */

import { describe, expect, it } from 'vitest';
import type { Claim } from '#functions/data/claims/claim';
import * as sourceStore from '#functions/data/sources/source-store';
import { nameOf, shards, sumsPut, tailOf } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { discardLead } from '#functions/domain/leads/leads';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { sourceParts } from '#functions/domain/statistics/source-figures';
import { silentSources, sourceStatistics } from '#functions/domain/statistics/source-statistics';
import { count, toCount } from '#functions/domain/statistics/statistics';
import { aLead } from '#test/factories/leads';
import { addBuyers, adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';
import { addSources, intakeOn, post } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

describe('a lead of a source', () => {
  const lead = aLead({
    source: 3,
    received_at: '2026-10-24T22:30:00Z',
    assigned_at: '2026-11-02T10:00:00Z',
    buyer: 7,
  });
  const aClaim = (claim_status: 'approved' | 'rejected') =>
    ({ claim_status, buyer: 7, created_at: '2026-11-10T10:00:00Z' }) as Claim;
  const sumsOf = (...counted: Parameters<typeof toCount>) => {
    const parts = sourceParts(toCount(...counted));
    return [tailOf(parts[0]![0]), Object.fromEntries(parts.map(([, figure, by]) => [figure, by]))];
  };

  it('counts on the day of its arrival with all its outcomes', () => {
    const came = { accepted: 1, 'hour:0': 1, 'assigned:7': 1 };
    expect(sumsOf(lead, undefined, 4550, { claim: aClaim('approved') })).toEqual([
      '2026-10-25#3',
      { ...came, 'price:7:4550': 1, 'claimed:7': 1, 'approved:7': 1 },
    ]);
    const replacement = { ...lead, lead_type: 'reimbursement' as const };
    expect(sumsOf(replacement, undefined, 4550, { claim: aClaim('rejected') })[1]).toEqual({
      ...came,
      'claimed:7': 1,
      'rejected:7': 1,
    });
    expect(sumsOf(lead, undefined, null)[1]).toEqual({ ...came, unpriced: 1 });
    expect(sumsOf({ ...lead, status: 'pending' }, undefined, null)[1]).toMatchObject({ waiting: 1 });
    expect(sumsOf({ ...lead, status: 'deleted' }, undefined, 1)[1]).toEqual({ accepted: 1, 'hour:0': 1 });
    expect(sourceParts(toCount(aLead({}), undefined, 1))).toEqual([]);
    const said = { said: 'closed', at: '2026-11-20T11:00:00Z', who: 'link' } as const;
    const ofOrder = (order_id: number) => ({ ...lead, feedback: { ...said, order_id } });
    expect(sumsOf(ofOrder(12), undefined, null)[1]).toEqual({ ...came, unpriced: 1, 'closed:7': 1 });
    // Feedback of an earlier buyer does not count.
    expect(sumsOf(ofOrder(11), undefined, null)[1]).toEqual({ ...came, unpriced: 1 });
  });

  it('stays counted after it expires only if it was a duplicate', () => {
    const duplicate = { ...lead, status: 'duplicate' as const };
    expect(sumsOf(duplicate, undefined, null)[1]).toEqual({ duplicates: 1, 'hour:0': 1 });
    const refused = toCount(duplicate, undefined, null);
    expect(toCount(undefined, undefined, null, { before: refused }).came).toEqual(refused.came);
    const before = toCount(lead, undefined, null);
    expect(toCount(undefined, undefined, null, { before }).came).toBeUndefined();
  });
});

it('source figures are sums over leads in all shards, and are repaired if they differ', async () => {
  const table = memoryTable();
  const now = new Date('2026-05-04T09:30:00Z');
  const runtime = { ...quietRuntime, now: () => now };
  await addBuyers(table, [{ id: 'anna', probability: 50, limit: 3 }]);
  const [one, two] = await addSources(table, 2);
  const posted: string[] = [];
  const send = async (source: typeof one, at: number, telefon = `+4917${at}`) =>
    posted.push(
      (await post(table, source!, { telefon, email: `${at}@example.org` }, intakeOn(table, runtime))).lead_id,
    );
  for (let at = 0; at < 6; at += 1) await send(at < 4 ? one : two, at);
  await send(one, 9, '+49170');
  await sourceStore.countInvalid({ table }, 1, 3, '2026-05-04');
  const admin = adminOn(table, runtime);
  await discardLead({ ...distributionOn(table), ...admin }, 'test', posted[5]!);
  const deps = { ...admin, runtime };
  for (const [at, id] of posted.entries()) await count({ ...deps, home: { shard: at % 3 } }, [id]);
  await count(deps, posted);
  const figures = async () => {
    const { sources } = await sourceStatistics(deps, { days: 7 });
    return sources.map((source) => ({ ...source, months: [] }));
  };
  const nothing = { claimed: 0, approved: 0, reached: 0, not_reached: 0, closed: 0 };
  const anna = (assigned: number) => [{ buyerId: 'anna', assigned, ...nothing }];
  const of = (source: number) => expect.objectContaining({ source });
  const none = { ...nothing, months: [], revenue: 0, cost: null, margin: null };
  const expected = [
    {
      source: of(1),
      ...none,
      accepted: 4,
      duplicates: 1,
      invalid: 3,
      assigned: 3,
      waiting: 1,
      unpriced: 3,
      uncosted: 4,
      buyers: anna(3),
    },
    {
      source: of(2),
      ...none,
      unpriced: 0,
      uncosted: 2,
      accepted: 2,
      duplicates: 0,
      invalid: 0,
      assigned: 0,
      waiting: 1,
      buyers: [],
    },
  ];
  expect(await figures()).toEqual(expected);
  expect(await sourceStatistics(deps, { days: 7, to: '2026-05-03' })).toMatchObject({
    sources: [{ accepted: 0, invalid: 0 }, { accepted: 0 }],
  });
  expect((await rebuildStatistics(deps, false)).differences).toEqual([]);

  // The answer to a duplicate is stored for 90 days, its part of the figures permanently.
  await table.delete({ delete: keys.lead(posted[6]!) });
  await count(deps, posted);
  expect(await figures()).toEqual(expected);

  const [spoiled] = await shards({ table }, [nameOf.sourceDay('2026-05-04', 1)], 1);
  await table.put(sumsPut({ ...spoiled!, value: new Map([['accepted', 7]]) }));
  const { differences, repaired } = await rebuildStatistics(deps, true);
  expect(differences).toContainEqual({ of: '2026-05-04#1 accepted', stored: 10, actual: 4 });
  expect(repaired).toBe(differences.length);
  expect(await figures()).toEqual(expected);
  expect((await rebuildStatistics(deps, false)).differences).toEqual([]);

  // Seven leads are no pattern, ten are; a paused source is not silent.
  expect(
    await silentSources({
      ...deps,
      runtime: { ...quietRuntime, now: () => new Date('2026-05-25T09:30:00Z') },
    }),
  ).toEqual([]);
  for (let at = 20; at < 27; at += 1) await send(one, at);
  await count(deps, posted);
  const later = { ...deps, runtime: { ...quietRuntime, now: () => new Date('2026-05-13T09:30:00Z') } };
  expect(await silentSources(later)).toMatchObject([
    { source: { source: 1 }, last: { day: '2026-05-04', hour: 11 }, usual: 12 },
  ]);
  const muchLater = { ...deps, runtime: { ...quietRuntime, now: () => new Date('2026-06-13T09:30:00Z') } };
  expect(await silentSources(muchLater)).toEqual([]);
});
