/** Leads that are taken in together are distributed together, by the same rules as one by one. */
import { describe, expect } from 'vitest';
import type { Table } from '#functions/data/table/table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { takeInMany } from '#functions/domain/distribution/take-in-many';
import {
  addBuyers,
  distributionOn,
  itemsOf,
  leadsAmong,
  ledgerOf,
  manyLeads,
  sumOfDecisions,
  takingInOn,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const BUYERS = [
  { id: 'a', probability: 50, limit: 1000 },
  { id: 'b', probability: 30, limit: 1000 },
  { id: 'c', probability: 20, limit: 1000 },
];

async function expectWhole(table: Table, leads: number): Promise<void> {
  expect(await violations(table, leads)).toEqual([]);
  expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
  const { items } = await table.query({ index: 'gsi1', partition: 'BATCHES' });
  expect(items, 'batches that are open').toEqual([]);
}

const statesOf = async (table: Table) => {
  const counts: Record<string, number> = {};
  for (const { status, buyer = '' } of leadsAmong(await itemsOf(table)))
    counts[`${status} ${buyer}`.trim()] = (counts[`${status} ${buyer}`.trim()] ?? 0) + 1;
  return counts;
};

async function takeInBatch(table: Table, count: number) {
  const deps = takingInOn(table);
  const taken = await takeInMany(deps, manyLeads(count));
  await taken.distribute();
  return deps.messages;
}

describe('a batch', () => {
  it('is distributed once, however often it is told', async ({ table }) => {
    await addBuyers(table, BUYERS);
    const [message] = await takeInBatch(table, 20);
    const { batch_id = '', absent } = message ?? {};
    await Promise.all(
      Array.from({ length: 4 }, () => distributeBatch(distributionOn(table), batch_id, absent)),
    );
    expect(await distributeBatch(distributionOn(table), batch_id)).toBeUndefined();
    await expectWhole(table, 20);
    expect(await statesOf(table)).toEqual({ 'assigned 1': 10, 'assigned 2': 6, 'assigned 3': 4 });
  });
});
