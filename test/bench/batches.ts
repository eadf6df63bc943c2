/** Leads in batches of a hundred: the cost of one lead, and the speed and accuracy of distributors. */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import type { DistributeMessage } from '#functions/queues/messages';
import type { Processes } from '#test/bench/processes';
import { fiveBuyers, shareErrorOf, twentyBuyers } from '#test/bench/stage';
import { distributionOn, ingestionOn, itemsOf, manyLeads, ordersAmong } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';

const LEADS_PER_BATCH = 100;
/** The size of one call of an import. */
const LEADS_PER_CALL = 500;

export interface BatchCost {
  readonly verified: boolean;
  /** Per lead of a batch of a hundred. */
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** After a first batch, so that the distributor has read the orders. Without verification no person is read. */
export async function measureBatchCosts(engine: TestEngine): Promise<BatchCost[]> {
  const units = { read: 0, write: 0 };
  const table = await twentyBuyers(engine, ({ read, write }) => {
    units.read += read;
    units.write += write;
  });
  const distributor = distributionOn(table);
  const one = async () => {
    const deps = ingestionOn(table);
    await (await ingestMany(deps, manyLeads(LEADS_PER_BATCH))).distribute();
    for (const { batch_id, absent } of deps.messages) await distributeBatch(distributor, batch_id, absent);
  };
  await one();
  const costs: BatchCost[] = [];
  for (const verified of [true, false]) {
    await table.put({
      put: {
        ...keys.verificationSwitches(),
        email_verification: verified,
        phone_verification: verified,
        name_verification: verified,
      },
    });
    units.read = 0;
    units.write = 0;
    await one();
    costs.push({
      verified,
      writeUnits: units.write / LEADS_PER_BATCH,
      readUnits: units.read / LEADS_PER_BATCH,
    });
  }
  return costs;
}

export interface BatchWay {
  readonly distributors: number;
  /** Leads per second, from the first that is stored to the last that is assigned. */
  readonly rate: number;
  /** The largest distance of any buyer from its share at the end, in leads. */
  readonly shareError: number;
}

/**
 * One process ingests leads, others distribute them, one batch at a time each.
 * @param startProcesses if absent, one distributor works in this process
 */
export async function measureBatches(
  engine: TestEngine,
  leads: number,
  distributors: number,
  startProcesses?: (engine: TestEngine, table: Table, count: number) => Promise<Processes>,
): Promise<BatchWay> {
  const table = await fiveBuyers(engine);
  const processes = await startProcesses?.(engine, table, distributors);
  const own = distributionOn(table);
  const distribute = async (at: number, message: DistributeMessage) => {
    if (processes === undefined) await distributeBatch(own, message.batch_id, message.absent);
    else await processes.batch(at, message);
  };
  const deps = ingestionOn(table);
  const began = performance.now();
  let isIngested = false;
  let notified = (): void => undefined;
  const work = async (at: number) => {
    for (;;) {
      const message = deps.messages.shift();
      if (message !== undefined) await distribute(at, message);
      else if (isIngested) return;
      else
        await new Promise<void>((resolve) => {
          const others = notified;
          notified = () => {
            resolve();
            others();
          };
        });
    }
  };
  const ingest = async () => {
    for (let stored = 0; stored < leads; stored += LEADS_PER_CALL) {
      await (await ingestMany(deps, manyLeads(Math.min(LEADS_PER_CALL, leads - stored)))).distribute();
      notified();
    }
    isIngested = true;
    notified();
  };
  try {
    await Promise.all([ingest(), ...Array.from({ length: distributors }, (_, at) => work(at))]);
  } finally {
    await processes?.stop();
  }
  const seconds = (performance.now() - began) / 1000;
  const received = ordersAmong(await itemsOf(table)).map(({ leads_received }) => leads_received);
  return {
    distributors,
    rate: leads / seconds,
    shareError: shareErrorOf(received),
  };
}
