/** Redistribution of the backlog on the in-memory table: which leads it takes, in which order, and when it ends. */

import { describe, expect, it } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import { NO_CAPACITY } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import { redistribute } from '#functions/domain/distribution/backlog';
import type { PendingReason } from '#shared/rules/constants';
import {
  addBuyers,
  type BuyerPlan,
  changedTable,
  distributionOn,
  manyLeads,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const LATER = new Date(Date.now() + 3_600_000);
const START_MS = Date.parse('2026-05-04T12:00:00.000Z');

/** Pending leads in order of arrival with one reason, then buyers. */
async function aBacklog(
  count: number,
  plans: readonly BuyerPlan[],
  reason: PendingReason = 'no_active_order',
) {
  const table = memoryTable();
  const deps = distributionOn(table);
  const leads = manyLeads(count, (at) => ({
    lead_id: `lead-${String(at).padStart(3, '0')}`,
    received_at: new Date(START_MS + at).toISOString(),
  }));
  for (const lead of leads) {
    await leadStore.receive(deps, lead);
    await leadStore.markPending(deps, lead, { reason, notes: [] });
  }
  await addBuyers(table, plans);
  const assigned = async () =>
    (
      await leadStore.getMany(
        deps,
        leads.map(({ lead_id }) => lead_id),
      )
    ).flatMap((lead) => (lead?.status === 'assigned' ? [lead.lead_id] : []));
  /** A run with time for this many leads. */
  const run = (looks: number, from?: Pick<Lead, 'lead_id' | 'received_at'>) => {
    // One clock read is for the page.
    let left = looks + 1;
    const now = () => (left-- > 0 ? new Date(START_MS) : LATER);
    return redistribute({ ...deps, runtime: { ...quietRuntime, now } }, LATER, from);
  };
  return { table, deps, leads, assigned, run };
}

const anna: BuyerPlan = { id: 'anna', probability: 60, limit: 2 };

describe('the backlog', () => {
  it('goes to buyers with capacity, oldest leads first, until they are full', async () => {
    const { table, deps, assigned } = await aBacklog(4, [anna]);
    expect(await redistribute(deps, LATER)).toEqual({ assigned: 2, more: false });
    expect(await assigned()).toEqual(['lead-000', 'lead-001']);
    let reads = 0;
    const counting = changedTable(table, {
      queryAll: (query) => {
        if (query.partition === keys.pool()) reads += 1;
        return table.queryAll(query);
      },
    });
    expect(await redistribute(distributionOn(counting), LATER)).toEqual({ assigned: 0, more: false });
    expect(reads).toBe(1);
  });

  it('is processed in time-limited runs, each continuing after the last lead of the previous one', async () => {
    const { leads, run, assigned } = await aBacklog(3, [{ ...anna, limit: 9, minimum: 50_000 }]);
    const at = (place: number) => {
      const { lead_id, received_at } = leads[place]!;
      return { lead_id, received_at };
    };
    expect(await run(0)).toEqual({ assigned: 0, more: true });
    expect(await run(2)).toEqual({ assigned: 0, more: true, last: at(1) });
    expect(await run(0, at(1))).toEqual({ assigned: 0, more: true, last: at(1) });
    expect(await run(1, at(1))).toEqual({ assigned: 0, more: false });
    expect(await assigned()).toEqual([]);
  });

  it('is counted over all pages', async () => {
    const { deps, leads, assigned } = await aBacklog(101, [{ ...anna, minimum: 50_000 }]);
    const last = leads.at(-1)!;
    await deps.table.transact([
      leadWrites.edited((await leadStore.get(deps, last.lead_id))!, { anlagebetrag: 9_000_000 }),
    ]);
    expect(await redistribute(deps, LATER)).toEqual({ assigned: 1, more: false });
    expect(await assigned()).toEqual([last.lead_id]);
  });

  it.each(['phone_verification_failed', 'manual_review', 'duplicate'] as const)(
    'excludes leads that wait for an admin: %s',
    async (reason) => {
      const { deps, assigned } = await aBacklog(1, [anna], reason);
      expect(await redistribute(deps, LATER)).toEqual({ assigned: 0, more: false });
      expect(await assigned()).toEqual([]);
    },
  );

  it('skips a lead taken by another process, and uses the current pool', async () => {
    const { table, deps, assigned } = await aBacklog(3, [anna]);
    let isDiscarded = false;
    const changed = changedTable(table, {
      update: async (one) => {
        // Meanwhile, an admin discards the first lead.
        if (one.key.pk === keys.leadPartition('lead-000') && !isDiscarded) {
          isDiscarded = true;
          const lead = (await leadStore.get(deps, 'lead-000'))!;
          await table.transact([leadWrites.discarded(lead, new Date().toISOString(), 'hash')]);
        }
        return table.update(one);
      },
    });
    expect(await redistribute(distributionOn(changed), LATER)).toEqual({ assigned: 2, more: false });
    expect(await assigned()).toEqual(['lead-001', 'lead-002']);
  });

  it('stays unchanged if the capacity is used up after it was read', async () => {
    const { table, deps, assigned } = await aBacklog(2, [anna]);
    let reads = 0;
    const changed = changedTable(table, {
      queryAll: async (query) => {
        if (query.partition === keys.pool()) reads += 1;
        if (reads === 2) await poolStore.noteCapacity(deps, (await poolStore.entry(deps, 1))!, NO_CAPACITY);
        return table.queryAll(query);
      },
    });
    expect(await redistribute(distributionOn(changed), LATER)).toEqual({ assigned: 0, more: false });
    expect(await assigned()).toEqual([]);
  });
});
