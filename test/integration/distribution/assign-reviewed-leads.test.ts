/** Deficits of buyers with manual review, whose leads are assigned by an admin. */

import { describe, expect } from 'vitest';
import { buyerStatisticsAnswer } from '#functions/api/insights/answers';
import * as poolStore from '#functions/data/distribution/pool-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const statisticsOn = (table: Table) => ({ table, runtime: quietRuntime });

describe('leads of a buyer with manual review', () => {
  let table: Table;
  it.beforeAll(async ({ engine }) => {
    table = await engine.freshTable();
    const deps = distributionOn(table);
    await addBuyers(table, [
      { id: 'careful', probability: 50, limit: 100, review: true },
      { id: 'plain', probability: 50, limit: 100 },
    ]);
    const ids: string[] = [];
    for (let lead = 0; lead < 20; lead += 1) {
      const result = await ingest(deps, aPerson(), undefined);
      ids.push(result.lead_id);
      if (result.status === 'pending')
        await assignByHand(deps, 'test', result.lead_id, { person: {}, buyerId: 'careful' });
    }
    await count(statisticsOn(table), ids);
  });

  it('count as shares in the statistics, as in the ledger', async () => {
    const { ledger } = await poolStore.read(distributionOn(table));
    expect(ledger.deficits).toEqual({ 1: 0, 2: 0 });
    const admin = adminOn(table);
    const statistics = await buyerStatistics(
      {
        ...admin,
        ...statisticsOn(table),
        orderCache: createOrderCache(table, () => new Date()),
      },
      { days: 7 },
    );
    const { buyer_stats } = buyerStatisticsAnswer(statistics);
    for (const row of buyer_stats)
      expect(row).toMatchObject({
        total_leads_received: 10,
        share_wanted: 10,
        share_got: 10,
        share_distance: 0,
      });
    expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
    expect((await rebuildStatistics(statisticsOn(table), false)).differences).toEqual([]);
  });
});
