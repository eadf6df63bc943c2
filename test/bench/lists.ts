/**
 * `npm run bench-lists`: how lists and figures perform with much data. Every call goes through the whole product; read
 * units are those of the same use case on a metered table.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { Table } from '#functions/data/table/table';
import { listBuyers } from '#functions/domain/buyers/buyer-list';
import { search } from '#functions/domain/leads/search';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { dashboardStats } from '#functions/domain/statistics/dashboard';
import { listLeads } from '#functions/domain/statistics/lead-list';
import { packLeadRows } from '#functions/domain/statistics/lead-row-packing';
import { systemRuntime } from '#functions/platform/runtime';
import type { Call } from '#local/api-client';
import { TABLE_NAME } from '#local/running';
import { command, fail, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import { seedItems } from '#scripts/seed-data';
import { seedTable } from '#scripts/seed-table';
import type { EndpointId } from '#shared/contract/routes';
import { median } from '#test/bench/stage';
import { startTestCloud } from '#test/harness/cloud';

const BUDGET_MS = 300;
const REPEATS = 9;
const SIZE = { buyers: 1000, orders: 10_000, leads: 100_000 };

const NEWEST = { filter: { by: 'received' }, sort: 'time', descending: true, limit: 50 } as const;
const ABOVE = { by: 'received', amountFrom: 5_000_000 } as const;

interface List {
  readonly name: string;
  /** Must stay within the budget. */
  readonly isList: boolean;
  readonly call: () => Promise<unknown>;
  readonly use: (deps: OwnContext) => Promise<unknown>;
}

const depsOn = (table: Table) => ({
  table,
  personKey: async () => Buffer.alloc(32),
  orderCache: createOrderCache(table, systemRuntime.now),
  publicBaseUrl: 'http://localhost',
  runtime: systemRuntime,
});

type OwnContext = ReturnType<typeof depsOn>;

interface Measured {
  readonly name: string;
  readonly isList: boolean;
  readonly medianMs: number;
  readonly slowestMs: number;
  /** Read units of the first call in a process; then read units and requests of a later one. */
  readonly firstUnits: number;
  readonly units: number;
  readonly requests: number;
}

async function measure(folder: string): Promise<Measured[]> {
  const cloud = await startTestCloud({ dataDir: folder });
  const table = new Table({ name: TABLE_NAME, endpoint: cloud.environment.DYNAMODB_ENDPOINT });
  while ((await packLeadRows({ table, runtime: systemRuntime })) > 0);
  const ask =
    <Id extends EndpointId>(id: Id, call: Call<Id> = {}) =>
    () =>
      cloud.admin.ok(id, call);
  const lists: readonly List[] = [
    { name: 'buyers', isList: true, call: ask('listBuyers'), use: listBuyers },
    {
      name: 'orders',
      isList: true,
      call: ask('listOrders'),
      use: (context) => Promise.all([context.orderCache.all(), buyerStore.allNames(context)]),
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
      name: 'leads, the newest',
      isList: true,
      call: ask('listLeads'),
      use: (context) => listLeads(context, { ...NEWEST, counts: false }),
    },
    {
      name: 'leads, counted over all days',
      isList: false,
      call: ask('listLeads', { query: { count: 'yes', amount_from: 50_000 } }),
      use: (context) => listLeads(context, { ...NEWEST, filter: ABOVE, counts: true }),
    },
    {
      name: 'search',
      isList: true,
      call: ask('search', { query: { q: 'person7' } }),
      use: (deps) => search(deps, 'person7'),
    },
    {
      name: 'search, four digits',
      isList: true,
      call: ask('search', { query: { q: '4711' } }),
      use: (deps) => search(deps, '4711'),
    },
  ];
  try {
    return await withProgress('lists', lists.length, async (advance) => {
      const measured: Measured[] = [];
      for (const list of lists) {
        measured.push(await measureOne(list, cloud.environment.DYNAMODB_ENDPOINT));
        advance();
      }
      return measured;
    });
  } finally {
    await cloud.stop();
  }
}

async function measureOne(
  { name, isList, call, use }: List,
  endpoint: string | undefined,
): Promise<Measured> {
  await call();
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  let units = 0;
  let requests = 0;
  const deps = depsOn(
    new Table({
      name: TABLE_NAME,
      endpoint,
      meter: ({ read }) => {
        units += read;
        requests += 1;
      },
    }),
  );
  await use(deps);
  const firstUnits = units;
  units = 0;
  requests = 0;
  await use(deps);
  const [medianMs, slowestMs] = [Math.round(median(times)), Math.round(Math.max(...times))];
  return { name, isList, medianMs, slowestMs, firstUnits, units, requests };
}

async function bench(named: string | undefined): Promise<void> {
  const folder = named ?? (await mkdtemp(join(tmpdir(), 'lead-lists-')));
  try {
    const file = join(folder, 'table.db');
    if (!existsSync(file))
      await withProgress('leads', SIZE.leads, (advance) =>
        seedTable(file, seedItems(SIZE, new Date()), advance),
      );
    const measured = await measure(folder);
    console.table(measured);
    if (measured.some(({ isList, medianMs }) => isList && medianMs > BUDGET_MS)) fail();
  } finally {
    if (named === undefined) await rm(folder, { recursive: true, force: true });
  }
}

await run(
  command(
    'bench-lists',
    `Measures the lists with 1,000 buyers, 10,000 orders and 100,000 leads. Ends with 1 when one takes longer than ${BUDGET_MS} ms.`,
  )
    .argument('[folder]', 'a data folder created by "npm run seed"; by default a temporary one')
    .action(bench),
);
