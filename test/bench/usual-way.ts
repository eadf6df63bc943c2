/**
 * Side by side with the usual way: a buyer drawn at random in proportion to the weights, and the order's counter read,
 * then raised in the transaction that stores the lead, which is repeated after a conflict.
 */

import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { takeIn } from '#functions/domain/distribution/distribution';
import { splitByEligibility } from '#functions/domain/distribution/eligibility';
import { systemRuntime } from '#functions/runtime';
import { closedLoop } from '#test/bench/stage';
import { aPerson } from '#test/factories/people';
import { addBuyers, distributionOn } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';

export interface Way {
  readonly name: string;
  /** Leads per second. */
  readonly rate: number;
  /** Repeated writes per lead. */
  readonly retries: number;
  /** The largest distance of any buyer from its share, in leads, at the end of the run and at any moment of it. */
  readonly shareError: number;
  readonly worstShareError: number;
}

const BUYERS = [40, 25, 20, 10, 5];

/** @returns the usual way first, then this product in one process, then with a process for every worker as in Lambda */
export async function compareWays(engine: TestEngine, workers: number, leads: number): Promise<Way[]> {
  const prepared = async () => {
    const table = await engine.freshTable();
    await addBuyers(
      table,
      BUYERS.map((probability) => ({ id: `share-${probability}`, probability, limit: 1_000_000 })),
    );
    return table;
  };

  const usualTable = await prepared();
  const usual = createUsualWay(usualTable);
  const usualRun = await run('random draw, counter in the transaction', workers, leads, () => usual.lead());

  const oneTable = await prepared();
  const one = distributionOn(oneTable);
  const oneRun = await run('this product, one process', workers, leads, () => assigned(one));
  const ways = [
    { ...usualRun, retries: usual.retries() / leads },
    // After two conflicts over the ledger a choice is drawn at random, and its record says so.
    { ...oneRun, retries: (2 * (await drawn(oneTable))) / leads },
  ];
  if (workers === 1) return ways;
  const many = await prepared();
  const processes = Array.from({ length: workers }, () => distributionOn(many));
  const manyRun = await run(`this product, ${workers} processes`, workers, leads, (worker) =>
    assigned(processes[worker] ?? one),
  );
  return [...ways, { ...manyRun, retries: (2 * (await drawn(many))) / leads }];
}

async function run(
  name: string,
  workers: number,
  leads: number,
  lead: (worker: number) => Promise<string>,
): Promise<Omit<Way, 'retries'>> {
  const got = new Map<string, number>();
  let total = 0;
  let worst = 0;
  const distance = () =>
    Math.max(...BUYERS.map((share) => Math.abs((got.get(`share-${share}`) ?? 0) - (total * share) / 100)));
  const seconds = await closedLoop(workers, leads, async (worker) => {
    const buyer = await lead(worker);
    total += 1;
    got.set(buyer, (got.get(buyer) ?? 0) + 1);
    worst = Math.max(worst, distance());
  });
  return { name, rate: leads / seconds, shareError: distance(), worstShareError: worst };
}

async function assigned(deps: ReturnType<typeof distributionOn>): Promise<string> {
  const result = await takeIn(deps, aPerson(), undefined);
  if (result.status !== 'assigned') throw new Error(`A lead is ${result.status}`);
  return result.buyer_id;
}

async function drawn(table: Table): Promise<number> {
  let count = 0;
  for await (const items of table.scan()) count += items.filter(({ mode }) => mode === 'drawn').length;
  return count;
}

function createUsualWay(table: Table) {
  const pool = createPoolStore(table);
  const orders = createOrderStore(table);
  let retries = 0;
  return {
    retries: () => retries,
    async lead(): Promise<string> {
      const { entries: poolEntries } = await pool.read();
      const { candidates } = splitByEligibility(poolEntries, 2_500_000, new Set());
      const sum = candidates.reduce((total, { weight }) => total + weight, 0);
      let ball = Math.random() * sum;
      const winner = candidates.find(({ weight }) => (ball -= weight) < 0) ?? candidates[0];
      const poolEntry = poolEntries.find(({ buyer }) => buyer === winner?.buyer);
      if (poolEntry?.order_id === null || poolEntry === undefined) throw new Error('Nobody is eligible');
      const id = systemRuntime.newId();
      for (let conflicts = 0; ; conflicts += 1) {
        if (conflicts > 0) {
          retries += 1;
          await systemRuntime.sleep(Math.random() * Math.min(200, 10 * 2 ** conflicts));
        }
        const order = await orders.get(poolEntry.order_id);
        if (order === undefined) throw new Error('The order is gone');
        const { ok } = await table.transact([
          {
            key: keys.order(order.order_id),
            update: 'SET leads_received = :next, last_sequence = :next',
            condition: 'leads_received = :seen AND leads_received < lead_limit',
            values: { ':seen': order.leads_received, ':next': order.leads_received + 1 },
          },
          { put: { ...keys.lead(id), ...aPerson(), status: 'assigned', sequence: order.leads_received + 1 } },
          { put: { ...keys.delivery(id, 'email'), status: 'pending' } },
        ]);
        if (ok) return poolEntry.buyer_id;
      }
    },
  };
}
