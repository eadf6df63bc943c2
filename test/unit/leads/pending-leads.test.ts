/** When a pending lead can continue without an admin: the next closed or capped buyer that accepts leads of its size. */

import { describe, expect, it } from 'vitest';
import { type PoolEntry } from '#functions/data/buyers/buyer';
import { type Lead } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import { allPending, listPending } from '#functions/domain/leads/pending-leads';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { aReceivedLead } from '#test/factories/leads';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const capped = (buyer: number, hours: number, changes: object = {}) =>
  aPoolEntry({
    buyer,
    capped_until: new Date(NOW.getTime() + hours * 3_600_000).toISOString(),
    capped_by: 'daily_cap_reached',
    ...changes,
  });
const pending = (changes: object = {}) =>
  aReceivedLead({
    lead_id: 'l',
    status: 'pending',
    reason: 'limits_reached',
    anlagebetrag: 5000,
    ...changes,
  });

function deps(entries: readonly PoolEntry[], leads: readonly Lead[]) {
  const table = changedTable(memoryTable(), {
    query: async ({ limit = 0, after }) => {
      const from = Number(after?.from ?? 0);
      const items = leads.slice(from, from + Math.min(limit, 2));
      return { items, next: from + 2 < leads.length ? { from: from + 2 } : undefined };
    },
    count: async () => leads.length,
    queryAll: async () => [...entries],
    getMany: async (wanted) => {
      expect(new Set(wanted.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(wanted.length);
      return wanted.map(({ sk }) =>
        sk === keys.buyer(7).sk ? aBuyer({ buyer: 7, buyer_id: 'b7' }) : undefined,
      );
    },
  });
  return adminOn(table, { ...quietRuntime, now: () => NOW });
}
const next = async (entries: readonly PoolEntry[], lead: object = {}) =>
  (await listPending(deps(entries, [pending(lead)]), 10)).leads[0]?.nextOpening?.toISOString();

describe('the next opening of a pending lead', () => {
  it('is the earliest opening of a buyer that can take it', async () => {
    expect(await next([capped(1, 5), capped(2, 3), capped(3, 4)])).toBe('2026-11-25T15:00:00.000Z');
    expect(await next([capped(2, 3, { min_investment: 5001 }), capped(3, 4)])).toBe(
      '2026-11-25T16:00:00.000Z',
    );
    expect(await next([capped(2, 3, { min_investment: 5000 })])).toBe('2026-11-25T15:00:00.000Z');
  });

  it('ignores buyers without capacity and buyers that are open now', async () => {
    for (const entry of [
      capped(1, 3, { has_capacity: false }),
      capped(1, 3, { active: false }),
      capped(1, 3, { probability: 0 }),
      capped(1, -1),
      aPoolEntry(),
    ])
      expect(await next([entry])).toBeUndefined();
  });

  it('does not exist for a lead that waits for an admin', async () => {
    for (const reason of ['manual_review', 'duplicate', 'email_verification_failed'])
      expect(await next([capped(1, 3)], { reason })).toBeUndefined();
  });
});

it('pending leads contain the intended buyer of each, read once', async () => {
  const leads = [7, 8, 7, undefined].map((intended_buyer) => pending({ intended_buyer }));
  const { leads: listed } = await listPending(deps([], leads), 10);
  expect(listed.map(({ intendedBuyer }) => intendedBuyer?.buyer_id)).toEqual([
    'b7',
    undefined,
    'b7',
    undefined,
  ]);
  expect((await listPending(deps([], leads), 3)).leads).toHaveLength(3);
  const { buyerIds, leads: all } = await allPending(deps([], leads));
  expect(all).toHaveLength(4);
  expect([...buyerIds]).toEqual([[7, 'b7']]);
});
