/** A lead is assigned once though two processes distribute it at once; what a crashed attempt settled is withdrawn. */

import { describe, expect } from 'vitest';
import * as leadLists from '#functions/data/leads/lead-lists';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  Killed,
  ledgerOf,
  PASSING_CHECKS,
  quietRuntime,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const soon = () => new Date(Date.now() + 60_000);

describe('two attempts to distribute the same lead in the same millisecond', () => {
  let now = new Date('2026-11-20T10:00:00.000Z');
  const runtime = { ...quietRuntime, now: () => now };
  const one = (table: Table) => distributionOn(table, { runtime });
  async function check(table: Table) {
    expect(await violations(table, 8)).toEqual([]);
    expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
    expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
  }
  it('assign it once from the backlog', async ({ table }) => {
    await addBuyers(table, [
      { id: 'a', probability: 50 },
      { id: 'b', probability: 50 },
    ]);
    for (let lead = 0; lead < 8; lead += 1) await takeIn(one(table), aPerson(), undefined);
    for (const buyerId of ['a', 'b'])
      await createOrder(adminOn(table), 'test', { buyerId, leadLimit: 10, balance: 0 });
    await Promise.all([redistribute(one(table), soon()), redistribute(one(table), soon())]);
    await check(table);
  });

  it('assign it once after a crash', async ({ table }) => {
    await addBuyers(table, [
      { id: 'a', probability: 50, limit: 10 },
      { id: 'b', probability: 50, limit: 10 },
    ]);
    const dying = { ...one(table), checks: { ...PASSING_CHECKS, name: () => Promise.reject(new Killed()) } };
    for (let lead = 0; lead < 8; lead += 1) await takeIn(dying, aPerson(), undefined).catch(() => undefined);
    now = new Date(now.getTime() + 60_000);
    await Promise.all([reconcile(one(table)), reconcile(one(table))]);
    await check(table);
  });
});

it('withdraws the choice of a crashed attempt although the lead now waits for verification', async ({
  table,
}) => {
  await addBuyers(table, [
    { id: 'a', probability: 50, limit: 100 },
    { id: 'b', probability: 50, limit: 100 },
  ]);
  const deps = distributionOn(table);
  const dies = {
    ...deps,
    reservations: { ...deps.reservations, reserve: () => Promise.reject(new Error('died')) },
  };
  const invalid = async () => ({ status: 'invalid', note: 'no such number' }) as const;
  for (let lead = 0; lead < 3; lead += 1) {
    await takeIn(dies, aPerson(), undefined).catch(() => undefined);
    await reconcile(distributionOn(table, { checks: { ...PASSING_CHECKS, phone: invalid } }), -1000);
  }
  expect(await violations(table, 3)).toEqual([]);
  expect(await leadLists.countPending(deps)).toBe(3);
  // Nobody got a lead, so nobody is ahead or behind.
  expect((await ledgerOf(table)).deficits).toEqual({ 1: 0, 2: 0 });
  expect(await sumOfDecisions(table)).toEqual({});
});
