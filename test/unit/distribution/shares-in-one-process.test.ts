/**
 * Hours in which one process does everything concurrently: single leads, batches, orders that fill up and get a
 * successor, the backlog, leads that partners reject. Shares are summed as fractions from the recorded eligible buyers, not
 * by the share rule.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as poolStore from '#functions/data/distribution/pool-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { ingest } from '#functions/domain/distribution/distribution';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import { createDistribution } from '#functions/platform/distribution';
import { verificationEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import type { DistributeMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { createReassign } from '#functions/workers/deliver/reassign';
import { aPerson } from '#test/factories/people';
import { listQueue } from '#test/harness/deliveries';
import {
  addBuyers,
  adminOn,
  itemsOf,
  manyLeads,
  PASSING_CHECKS,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const PLANS = [
  { id: 'a', probability: 40, limit: 20 },
  { id: 'b', probability: 25, limit: 15 },
  { id: 'c', probability: 20, limit: 1000 },
  { id: 'd', probability: 10, limit: 10, caps: { daily_cap: 7 } },
  { id: 'e', probability: 5, limit: 1000 },
];
const NEVER = new Date('2099-01-01T00:00:00.000Z');

interface Process {
  readonly table: Table;
  readonly runtime: Runtime;
  /** The contexts of all functions in one process, as on a laptop. */
  readonly functions: Readonly<
    Record<'api' | 'intake' | 'distribute' | 'redistribute' | 'reconcile', ReturnType<typeof functionOf>>
  >;
  readonly reassign: ReturnType<typeof createReassign>;
}

const functionOf = (table: Table, runtime: Runtime) => ({
  ...createDistribution(verificationEnvironment.parse({}), runtime, table),
  checks: PASSING_CHECKS,
});

async function aProcess(): Promise<Process> {
  const table = memoryTable();
  let clock = Date.parse('2026-11-20T10:00:00.000Z');
  const runtime: Runtime = {
    ...quietRuntime,
    now: () => new Date((clock += 1)),
    sleep: () => turn(),
    random: () => 0.5,
  };
  await addBuyers(table, PLANS, runtime);
  for (const at of PLANS.keys()) {
    const set = (update: string, value: unknown) => ({ update, values: { ':is': value } });
    await table.update({ key: keys.poolEntry(at + 1), ...set('SET channels = :is', ['trackbox']) });
    await table.update({ key: keys.buyer(at + 1), ...set('SET on_refusal = :is', 'reassign') });
  }
  const made = () => functionOf(table, runtime);
  return {
    table,
    runtime,
    functions: {
      api: made(),
      intake: made(),
      distribute: made(),
      redistribute: made(),
      reconcile: made(),
    },
    reassign: createReassign(table, runtime),
  };
}

/** Leads in quick succession, each before the previous one is assigned. */
async function singleLeads({ functions }: Process, count: number): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  for (let at = 0; at < count; at += 1) {
    underWay.push(ingest(at % 2 === 0 ? functions.intake : functions.api, aPerson(), undefined));
    await turn();
    await turn();
  }
  await Promise.all(underWay);
}

async function batchOf({ functions }: Process, count: number): Promise<void> {
  const sent: Outgoing<DistributeMessage>[] = [];
  const intake = { ...functions.intake, distributeQueue: listQueue(sent) };
  await (await ingestMany(intake, manyLeads(count))).distribute();
  for (const { message } of sent)
    await distributeBatch(functions.distribute, message.batch_id, message.absent);
}

/** Opens the next order for buyers with a full one, and distributes the backlog. */
async function nextOrders({ table, runtime, functions }: Process): Promise<void> {
  const { entries } = await poolStore.read(functions.api);
  for (const { buyer_id, has_capacity } of entries)
    if (!has_capacity)
      await createOrder(adminOn(table, runtime), 'test', { buyerId: buyer_id, leadLimit: 30, balance: 0 });
  await redistribute(functions.redistribute, NEVER);
}

/** Finishes incomplete work, as in the next minute. */
async function quiet({ functions }: Process): Promise<void> {
  await reconcile(functions.reconcile, -1000);
  await redistribute(functions.redistribute, NEVER);
}

const recordSchema = z.object({
  mode: z.enum(['weights', 'drawn']),
  winner: z.nullable(z.int()),
  eligible: z.string(),
});
const eligibleSchema = z.array(z.tuple([z.int(), z.int(), z.int()]));

/** For each buyer, the sum of its shares in the leads that it was eligible for, minus its leads. */
async function sharesOf(table: Table) {
  const off = new Map<number, number>();
  let drawn = 0;
  for (const item of await itemsOf(table)) {
    if (item.sk !== 'DECISION') continue;
    const { mode, winner, ...record } = recordSchema.parse(item);
    if (mode === 'drawn') drawn += 1;
    if (winner === null) continue;
    const eligible = eligibleSchema.parse(JSON.parse(record.eligible));
    const sum = eligible.reduce((total, [, weight]) => total + weight, 0);
    for (const [buyer, weight] of eligible) off.set(buyer, (off.get(buyer) ?? 0) + weight / sum);
    off.set(winner, (off.get(winner) ?? 0) - 1);
  }
  return { drawn, worst: Math.max(...Array.from(off.values(), Math.abs)) };
}

describe('within a process', () => {
  it('concurrent work keeps every buyer within 1.5 leads of its share, even when orders fill up', async () => {
    const process = await aProcess();
    for (let hour = 0; hour < 4; hour += 1) {
      await Promise.all([
        singleLeads(process, 20),
        batchOf(process, 30),
        batchOf(process, 14),
        ...(hour % 2 === 1 ? [nextOrders(process)] : []),
      ]);
      await quiet(process);
      const { drawn, worst } = await sharesOf(process.table);
      expect(drawn).toBe(0);
      expect(worst).toBeLessThanOrEqual(1.5);
    }
    expect(await violations(process.table, 4 * 64)).toEqual([]);
    expect((await verifyDecisions(process.table.scan())).disagreements).toEqual([]);
  });
});
