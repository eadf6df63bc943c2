/** A lead flies once, though two send it off in the same millisecond; and what a distribution attempt settled that was left behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionFromItem } from '#functions/data/leads/lead-store';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { recompute, verifyDecisions } from '#functions/domain/distribution/decision-check';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import {
  addBuyers,
  adminOn,
  distributionOn,
  Killed,
  PASSING_CHECKS,
  person,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { startTestEngine, type TestEngine } from '#test/harness/engine';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());
const soon = () => new Date(Date.now() + 60_000);
const ledgerOf = async (table: Table) => (await distributionOn(table).pool.read()).ledger;
async function sumOfDecisions(table: Table): Promise<Record<string, number>> {
  const sum: Record<string, number> = {};
  for await (const items of table.scan()) {
    for (const item of items) {
      if (item.sk !== 'DECISION') continue;
      const recomputed = recompute(decisionFromItem(item));
      if (!recomputed.agrees) continue;
      for (const [buyer, by] of recomputed.choice?.changes ?? []) sum[buyer] = (sum[buyer] ?? 0) + by;
    }
  }
  return sum;
}
describe('two that send the same lead off in the same millisecond', () => {
  let now = new Date('2026-11-20T10:00:00.000Z');
  const runtime = { ...quietRuntime, now: () => now };
  const one = (table: Table) => distributionOn(table, { runtime });
  async function check(table: Table) {
    expect(await violations(table, 8)).toEqual([]);
    expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
    expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
  }
  it('from the backlog', async () => {
    const table = await engine.freshTable();
    await addBuyers(table, [
      { id: 'a', probability: 50 },
      { id: 'b', probability: 50 },
    ]);
    for (let lead = 0; lead < 8; lead += 1) await takeIn(one(table), person(), undefined);
    for (const buyerId of ['a', 'b'])
      await createOrder(adminOn(table), 'test', { buyerId, leadLimit: 10, balance: 0 });
    await Promise.all([redistribute(one(table), soon()), redistribute(one(table), soon())]);
    await check(table);
  });

  it('after a crash', async () => {
    const table = await engine.freshTable();
    await addBuyers(table, [
      { id: 'a', probability: 50, limit: 10 },
      { id: 'b', probability: 50, limit: 10 },
    ]);
    const dying = { ...one(table), checks: { ...PASSING_CHECKS, name: () => Promise.reject(new Killed()) } };
    for (let lead = 0; lead < 8; lead += 1) await takeIn(dying, person(), undefined).catch(() => undefined);
    now = new Date(now.getTime() + 60_000);
    await Promise.all([reconcile(one(table)), reconcile(one(table))]);
    await check(table);
  });
});

it('a distribution attempt that was left behind gives its turn back although a check holds the lead by now', async () => {
  const table = await engine.freshTable();
  await addBuyers(table, [
    { id: 'a', probability: 50, limit: 100 },
    { id: 'b', probability: 50, limit: 100 },
  ]);
  const deps = distributionOn(table);
  const dies = { ...deps, orders: { ...deps.orders, reserve: () => Promise.reject(new Error('died')) } };
  const invalid = async () => ({ verdict: 'invalid', note: 'no such number' }) as const;
  for (let lead = 0; lead < 3; lead += 1) {
    await takeIn(dies, person(), undefined).catch(() => undefined);
    await reconcile(distributionOn(table, { checks: { ...PASSING_CHECKS, phone: invalid } }), -1000);
  }
  expect(await violations(table, 3)).toEqual([]);
  expect(await deps.leads.countPending()).toBe(3);
  // Nobody got a lead, so nobody is ahead or behind.
  expect((await ledgerOf(table)).deficits).toEqual({ 1: 0, 2: 0 });
  expect(await sumOfDecisions(table)).toEqual({});
});
