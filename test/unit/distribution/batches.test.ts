/** Batches end with consistent records even if their processes die or are delayed. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { ingest } from '#functions/domain/distribution/distribution';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  ingestionOn,
  itemsOf,
  leadsAmong,
  ledgerOf,
  manyLeads,
  PASSING_CHECKS,
  quietRuntime,
  runDying,
  sleepingTable,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const BUYERS = [
  { id: 'a', probability: 50, limit: 3 },
  { id: 'b', probability: 30, limit: 100 },
  { id: 'c', probability: 20, limit: 100, review: true },
];

async function tableWith(buyers: Parameters<typeof addBuyers>[1] = BUYERS): Promise<Table> {
  const table = memoryTable();
  await addBuyers(table, buyers);
  return table;
}

/** Takes leads in. @returns the message for the distributor */
async function ingestBatch(table: Table, leads: number | readonly Lead[]) {
  const deps = ingestionOn(table);
  await (await ingestMany(deps, typeof leads === 'number' ? manyLeads(leads) : leads)).distribute();
  return deps.messages[0]!;
}

/** Violations of the invariants in a table at rest, as sentences. */
async function wrong(table: Table, leads?: number): Promise<string[]> {
  const { disagreements } = await verifyDecisions(table.scan());
  const { items } = await table.query({ index: 'gsi1', partition: 'BATCHES' });
  const { deficits } = await ledgerOf(table);
  const sum = await sumOfDecisions(table);
  return [
    ...(await violations(table, leads)),
    ...disagreements.map(({ leadId, why }) => `${leadId}: ${why}`),
    ...items.map(({ batch_id }) => `batch ${String(batch_id)} is open`),
    ...Object.entries(deficits).flatMap(([buyer, deficit]) =>
      deficit === (sum[buyer] ?? 0)
        ? []
        : [`the ledger says ${deficit} of buyer ${buyer}, the records ${sum[buyer]}`],
    ),
  ];
}

/** A process with an outdated view of reservations: full orders refuse its leads, so it chooses again. */
function unaware(table: Table) {
  const getMany: Table['getMany'] = async (wanted, options) =>
    (await table.getMany(wanted, options)).map((order) => order && { ...order, lead_limit: 1000 });
  const ledger = new LedgerBatcher({ table: changedTable(table, { getMany }), runtime: quietRuntime });
  return distributionOn(table, { ledger });
}

const countOf = async (table: Table, status: string) =>
  leadsAmong(await itemsOf(table)).filter((lead) => lead.status === status).length;

describe('a batch', () => {
  it('distributes leads as if they came singly', async () => {
    const buyers = [
      { id: 'a', probability: 45, limit: 100 },
      { id: 'b', probability: 35, limit: 100, minimum: 20_000 },
      { id: 'c', probability: 20, limit: 100, review: true },
    ];
    const [one, other] = [await tableWith(buyers), await tableWith(buyers)];
    const leads = manyLeads(40, (at) => ({ anlagebetrag: at % 3 === 0 ? 1_000_000 : 3_000_000 }));
    const { batch_id, absent } = await ingestBatch(one, leads);
    await distributeBatch(distributionOn(one), batch_id, absent);
    const single = distributionOn(other);
    for (const lead of leads) await ingest(single, lead, undefined, { lead_id: lead.lead_id });
    const placesOf = async (table: Table) =>
      leadsAmong(await itemsOf(table)).map(({ lead_id, status, buyer, sequence, reason }) => ({
        lead_id,
        status,
        buyer,
        sequence,
        reason,
      }));
    expect(await placesOf(one)).toEqual(await placesOf(other));
    expect((await ledgerOf(one)).deficits).toEqual((await ledgerOf(other)).deficits);
    expect(await wrong(one, 40)).toEqual([]);
  });

  it('fills a limit exactly, replacements first, and chooses again for the other leads', async () => {
    const table = await tableWith([
      { id: 'a', probability: 80, limit: 6 },
      { id: 'b', probability: 20, limit: 4 },
    ]);
    const order = (await itemsOf(table)).find(({ order_id, token }) => order_id === 1 && token !== undefined);
    await table.put({ put: { ...order, reimbursement_pending: 2 } as never });
    const { batch_id, absent } = await ingestBatch(table, 20);
    const done = await distributeBatch(distributionOn(table), batch_id, absent);
    expect(done).toEqual({ assigned: 12, pending: 8, left: 0 });
    expect(await wrong(table, 20)).toEqual([]);
    const its = leadsAmong(await itemsOf(table)).filter(({ order_id }) => order_id === 1);
    const bySequence = its.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    expect(bySequence.map(({ lead_type }) => lead_type)).toEqual([
      'reimbursement',
      'reimbursement',
      ...Array<string>(6).fill('original'),
    ]);
    const owed = (await itemsOf(table))
      .filter(({ kind }) => kind === 'delivery')
      .map(({ owed_after }) => owed_after);
    expect(owed.map(String).toSorted()).toEqual(['0', '1']);
    expect(
      (await poolStore.read(distributionOn(table))).entries.map(({ has_capacity }) => has_capacity),
    ).toEqual([false, false]);
  });

  it('withdraws a choice and its record if the lead fails verification in a later pass', async () => {
    const table = await tableWith();
    const { batch_id, absent } = await ingestBatch(table, 12);
    const before = sleepingTable(table, (name, _, args) => name === 'transact' && hasPass(args, 2));
    void distributeBatch(unaware(before.table), batch_id, absent);
    await before.asleep;
    const checks = {
      ...PASSING_CHECKS,
      phone: async () => ({ status: 'invalid', note: 'no number' }) as const,
    };
    await distributeBatch(distributionOn(table, { checks }), batch_id);
    expect(await countOf(table, 'received')).toBe(0);
    expect(await wrong(table, 12)).toEqual([]);
  });
});

describe('a process death at any call', () => {
  it.for(['before', 'after'] as const)('%s it takes effect leaves a resumable batch', async (when) => {
    for (let n = 1; ; n += 1) {
      const table = await tableWith();
      const { batch_id, absent } = await ingestBatch(table, 12);
      const died = await runDying(table, n, when, (on) => distributeBatch(unaware(on), batch_id, absent));
      if (n % 2 === 0) await distributeBatch(unaware(table), batch_id, absent);
      await reconcile(distributionOn(table), -1000);
      await reconcile(distributionOn(table), -1000);
      expect(await wrong(table, 12), `died at call ${n}`).toEqual([]);
      const order = (await orderStore.get(distributionOn(table), 1))!;
      expect(Object.keys(order.reservations), `died at call ${n}`).toEqual([]);
      expect(order.leads_received).toBe(3);
      if (!died) return;
    }
  });
});

const hasPass = (args: readonly unknown[], round: number) =>
  JSON.stringify(args).includes(keys.batchPass('', round).sk);

describe('a process that wakes after others have done its work', () => {
  // The calls settle the ledger, reserve capacity, write the record, assign, and remove the batch from the list.
  it.for([
    ['transact', 1],
    ['update', 1],
    ['update', 2],
    ['put', 1],
    ['put', 9],
    ['transact', 2],
    ['transact', 5],
    ['delete', 1],
  ] as const)('does no harm, asleep before %s %i', async ([call, count]) => {
    const table = await tableWith();
    const { batch_id, absent } = await ingestBatch(table, 12);
    const slow = sleepingTable(table, (name, at) => name === call && at >= count);
    const work = distributeBatch(unaware(slow.table), batch_id, absent);
    await slow.asleep;
    await distributeBatch(unaware(table), batch_id, absent);
    // The slow process must not find items that the reconciliation removes.
    await reconcile(distributionOn(table), -1000);
    slow.wake();
    await work;
    await reconcile(distributionOn(table), -1000);
    expect(await wrong(table, 12)).toEqual([]);
    expect((await orderStore.get(distributionOn(table), 1))?.leads_received).toBe(3);
  });
});

describe('a batch that the reconciliation finds', () => {
  it('is left alone while its process may still run', async () => {
    const table = await tableWith();
    await ingestBatch(table, 12);
    expect(await reconcile(distributionOn(table))).toMatchObject({ resumed: 0 });
    expect(await countOf(table, 'received')).toBe(12);
  });

  it('keeps its choices after a change of the pool', async () => {
    const table = await tableWith([
      { id: 'a', probability: 50, limit: 100 },
      { id: 'b', probability: 50, limit: 100 },
    ]);
    const { batch_id, absent } = await ingestBatch(table, 12);
    await runDying(table, 5, 'after', (on) => distributeBatch(distributionOn(on), batch_id, absent));
    expect(await table.get(keys.batchPass(batch_id, 1))).toBeDefined();
    await updateBuyer(adminOn(table), 'test', 'b', { probability: 1 });
    await reconcile(distributionOn(table), -1000);
    expect(await wrong(table, 12)).toEqual([]);
    expect((await orderStore.get(distributionOn(table), 2))?.leads_received).toBe(6);
  });
});
