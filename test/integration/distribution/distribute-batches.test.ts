/** Leads that are taken in together are distributed together, by the same rules as one by one. */
import { describe, expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
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
import { ON_DYNAMODB_LOCAL } from '#test/harness/dynamodb-local';
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
  it('of 100 leads goes to the buyers by their shares, for few units a lead', async ({ engine }) => {
    const units = { read: 0, write: 0 };
    const table = await engine.freshTable(({ read, write }) => {
      units.read += read;
      units.write += write;
    });
    await addBuyers(
      table,
      Array.from({ length: 20 }, (_, at) => ({ id: `buyer-${at}`, probability: 5, limit: 1000 })),
    );
    await table.put({
      put: {
        ...keys.verificationSwitches(),
        email_verification: false,
        phone_verification: false,
        name_verification: false,
      },
    });
    const distributor = distributionOn(table);
    const deps = takingInOn(table);
    for (const isMeasured of [false, true]) {
      units.read = 0;
      units.write = 0;
      await (await takeInMany(deps, manyLeads(100))).distribute();
      const [message] = deps.messages.splice(0);
      if (message === undefined) throw new Error('There is no message');
      expect(await distributeBatch(distributor, message.batch_id, message.absent)).toEqual({
        assigned: 100,
        pending: 0,
        left: 0,
      });
      if (!isMeasured || ON_DYNAMODB_LOCAL) continue;
      expect(units.write / 100).toBeLessThanOrEqual(9);
      expect(units.read / 100).toBeLessThanOrEqual(0.1);
    }
    await expectWhole(table, 200);
    expect(new Set(Object.values(await statesOf(table)))).toEqual(new Set([10]));
  });

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
