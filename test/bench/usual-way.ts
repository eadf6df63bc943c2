/**
 * Compares the product with common designs that draw a buyer at random in proportion to the weights:
 *
 * - the counter in the transaction: the order is read, and its counter raised in the transaction that stores the lead, on
 *   the condition that it is unchanged, because the lead gets its number from it; repeated after a conflict;
 * - the conditional increment: one update raises the counter below the limit and returns the number, a second write stores
 *   the lead. Nothing conflicts, but a crash between the two loses a slot permanently.
 */

import { createLedgerWriter } from '#functions/data/distribution/ledger-writer';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { splitByEligibility } from '#functions/domain/distribution/eligibility';
import { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import { systemRuntime } from '#functions/platform/runtime';
import type { Processes } from '#test/bench/processes';
import { closedLoop, fiveBuyers, SHARES, shareErrorOf } from '#test/bench/stage';
import { aPerson } from '#test/factories/people';
import { distributionOn, quietRuntime } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';

export const WAYS = {
  transaction: 'random draw, counter in the transaction',
  increment: 'random draw, conditional increment',
  oneProcess: 'this product, one process',
  processes: 'this product, a process each',
} as const;

export interface Way {
  readonly name: (typeof WAYS)[keyof typeof WAYS];
  /** Leads per second. */
  readonly rate: number;
  /** Repeated writes per lead. */
  readonly retries: number;
  /** The largest distance of any buyer from its share, in leads, at the end of the run and at any moment. */
  readonly shareError: number;
  readonly worstShareError: number;
}

/**
 * @param workers concurrent leads
 * @param startProcesses also measures the product in this many processes, as in Lambda
 */
export async function compareWays(
  engine: TestEngine,
  workers: number,
  leads: number,
  startProcesses?: (engine: TestEngine, table: Table, count: number) => Promise<Processes>,
): Promise<Way[]> {
  const transaction = counterInTransaction(await fiveBuyers(engine));
  const transactionRun = await run(WAYS.transaction, workers, leads, () => transaction.lead());
  const incrementing = await fiveBuyers(engine);
  const incrementRun = await run(WAYS.increment, workers, leads, () => byIncrement(incrementing));
  const product = countingLedger(await fiveBuyers(engine));
  const productRun = await run(WAYS.oneProcess, workers, leads, () => takeOneIn(product));
  const ways = [
    { ...transactionRun, retries: transaction.retries() / leads },
    { ...incrementRun, retries: 0 },
    { ...productRun, retries: product.conflicts() / leads },
  ];
  if (startProcesses === undefined) return ways;
  const processes = await startProcesses(engine, await fiveBuyers(engine), workers);
  try {
    const processesRun = await run(WAYS.processes, workers, leads, (worker) => processes.lead(worker));
    return [...ways, { ...processesRun, retries: processes.conflicts() / leads }];
  } finally {
    await processes.stop();
  }
}

async function run(
  name: Way['name'],
  workers: number,
  leads: number,
  lead: (worker: number) => Promise<string>,
): Promise<Omit<Way, 'retries'>> {
  const got = new Map<string, number>();
  let worst = 0;
  const distance = () => shareErrorOf(SHARES.map((share) => got.get(`share-${share}`) ?? 0));
  const seconds = await closedLoop(workers, leads, async (worker) => {
    const buyer = await lead(worker);
    got.set(buyer, (got.get(buyer) ?? 0) + 1);
    worst = Math.max(worst, distance());
  });
  return { name, rate: leads / seconds, shareError: distance(), worstShareError: worst };
}

/** The product on a table in this process, with a count of ledger conflicts. */
export function countingLedger(table: Table) {
  const writer = createLedgerWriter(table);
  let conflicts = 0;
  const settle: typeof writer.settle = async (...change) => {
    const result = await writer.settle(...change);
    if (!result.settled) conflicts += 1;
    return result;
  };
  const ledger = new LedgerBatcher({ table, runtime: quietRuntime }, { ...writer, settle });
  return { ...distributionOn(table, { ledger }), conflicts: () => conflicts };
}

/** @returns the buyer that got the lead */
export async function takeOneIn(product: ReturnType<typeof countingLedger>): Promise<string> {
  const result = await ingest(product, aPerson(), undefined);
  if (result.status !== 'assigned') throw new Error(`A lead is ${result.status}`);
  return result.buyer_id;
}

/** Draws a buyer. */
async function drawn(table: Table): Promise<{ readonly buyerId: string; readonly orderId: number }> {
  const { entries } = await poolStore.read({ table });
  const { candidates } = splitByEligibility(entries, { anlagebetrag: 2_500_000, laufzeit: 36 }, new Date());
  const sum = candidates.reduce((total, { weight }) => total + weight, 0);
  let ball = Math.random() * sum;
  const winner = candidates.find(({ weight }) => (ball -= weight) < 0) ?? candidates[0];
  const poolEntry = entries.find(({ buyer }) => buyer === winner?.buyer);
  if (poolEntry === undefined || poolEntry.order_id === null) throw new Error('Nobody is eligible');
  return { buyerId: poolEntry.buyer_id, orderId: poolEntry.order_id };
}

const stored = (sequence: number) => {
  const id = systemRuntime.newId();
  return [
    { put: { ...keys.lead(id), ...aPerson(), status: 'assigned', sequence } },
    { put: { ...keys.delivery(id, 'email'), status: 'pending' } },
  ];
};

async function byIncrement(table: Table): Promise<string> {
  const { buyerId, orderId } = await drawn(table);
  const { ok, item } = await table.update({
    key: keys.order(orderId),
    update: 'SET leads_received = leads_received + :one, last_sequence = last_sequence + :one',
    condition: 'leads_received < lead_limit',
    values: { ':one': 1 },
  });
  if (!ok) throw new Error('The order is full');
  await table.transact(stored(Number(item.last_sequence)));
  return buyerId;
}

function counterInTransaction(table: Table) {
  let retries = 0;
  return {
    retries: () => retries,
    async lead(): Promise<string> {
      const { buyerId, orderId } = await drawn(table);
      for (let conflicts = 0; ; conflicts += 1) {
        if (conflicts > 0) {
          retries += 1;
          await systemRuntime.sleep(Math.random() * Math.min(200, 10 * 2 ** conflicts));
        }
        const order = await orderStore.get({ table }, orderId);
        if (order === undefined) throw new Error('The order is gone');
        const { ok } = await table.transact([
          {
            key: keys.order(orderId),
            update: 'SET leads_received = :next, last_sequence = :next',
            condition: 'leads_received = :expected AND leads_received < lead_limit',
            values: { ':expected': order.leads_received, ':next': order.leads_received + 1 },
          },
          ...stored(order.leads_received + 1),
        ]);
        if (ok) return buyerId;
      }
    },
  };
}
