/**
 * How the lists and figures behave at size: `npm run bench-lists [-- {data folder}]`, which makes 1,000 buyers, 10,000
 * orders and 100,000 leads unless a seeded folder is named. Every call goes through the whole product; the read units
 * are those of the same use case on a metered table. Ends with 1 when a list takes longer than 300 ms.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createDeliveryRepository } from '#functions/data/deliveries/delivery-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { Table } from '#functions/data/table/table';
import { listBuyers } from '#functions/domain/buyers/buyer-list';
import { search } from '#functions/domain/leads/search';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats } from '#functions/domain/statistics/dashboard';
import { systemRuntime } from '#functions/runtime';
import type { Call } from '#local/api-client';
import { seedTable, TABLE_NAME } from '#scripts/seed-table';
import type { EndpointId } from '#shared/contract/routes';
import { startTestCloud } from '#test/harness/cloud';

const BUDGET_MS = 300;
const REPEATS = 9;
const SIZE = { buyers: 1000, orders: 10_000, leads: 100_000 };

interface Measured {
  readonly name: string;
  /** Held to the budget. */
  readonly isList: boolean;
  readonly call: () => Promise<unknown>;
  readonly use: (deps: Deps) => Promise<unknown>;
}

const depsOn = (table: Table) => ({
  buyers: createBuyerStore(table),
  claims: createClaimStore(table),
  deliveries: createDeliveryRepository(table),
  leads: createLeadStore(table),
  orders: createOrderStore(table),
  orderCache: createOrderCache(table, systemRuntime.now),
  pool: createPoolStore(table),
  statistics: createStatisticsStore(table),
  publicBaseUrl: 'http://localhost',
  runtime: systemRuntime,
});

type Deps = ReturnType<typeof depsOn>;

async function main(folder: string): Promise<boolean> {
  const cloud = await startTestCloud({ dataDir: folder });
  const ask =
    <Id extends EndpointId>(id: Id, call: Call<Id> = {}) =>
    () =>
      cloud.admin.ok(id, call);
  const measured: readonly Measured[] = [
    { name: 'buyers', isList: true, call: ask('listBuyers'), use: listBuyers },
    {
      name: 'orders',
      isList: true,
      call: ask('listOrders'),
      use: ({ orderCache, buyers }) => Promise.all([orderCache.all(), buyers.allNames()]),
    },
    {
      name: 'dashboard',
      isList: true,
      call: ask('getDashboardStats'),
      use: dashboardStats,
    },
    {
      name: 'statistics, a year',
      isList: false,
      call: ask('getBuyerStats', { query: { time_range: 365 } }),
      use: (deps) => buyerStatistics(deps, { days: 365 }),
    },
    {
      name: 'statistics, one buyer',
      isList: false,
      call: ask('getBuyerStats', { query: { time_range: 365, buyer_id: 'buyer-1000' } }),
      use: (deps) => buyerStatistics(deps, { days: 365, buyerId: 'buyer-1000' }),
    },
    {
      name: 'search',
      isList: true,
      call: ask('search', { query: { q: 'person7' } }),
      use: (deps) => search(deps, 'person7'),
    },
  ];
  let kept = true;
  try {
    for (const { name, isList, call, use } of measured) {
      await call();
      const times: number[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        const start = performance.now();
        await call();
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      const median = times[Math.floor(REPEATS / 2)] ?? 0;
      if (isList && median > BUDGET_MS) kept = false;
      let units = 0;
      let requests = 0;
      const deps = depsOn(
        new Table({
          name: TABLE_NAME,
          endpoint: cloud.environment.DYNAMODB_ENDPOINT,
          meter: ({ read }) => {
            units += read;
            requests += 1;
          },
        }),
      );
      await use(deps);
      const first = units;
      units = 0;
      requests = 0;
      await use(deps);
      console.log(
        `${name.padEnd(24)} median ${median.toFixed(0).padStart(5)} ms  slowest ${(times.at(-1) ?? 0).toFixed(0).padStart(5)} ms  ${units.toFixed(1).padStart(8)} read units in ${requests} requests (${first.toFixed(1)} for the first time)`,
      );
    }
  } finally {
    await cloud.stop();
  }
  return kept;
}

const named = process.argv[2];
const folder = named ?? (await mkdtemp(join(tmpdir(), 'lead-lists-')));
try {
  if (!existsSync(join(folder, 'table.db'))) {
    const items = await seedTable(join(folder, 'table.db'), SIZE, new Date());
    console.log(`${items} items`);
  }
  process.exitCode = (await main(folder)) ? 0 : 1;
} finally {
  if (named === undefined) await rm(folder, { recursive: true, force: true });
}
