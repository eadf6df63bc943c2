/** Lets the product come to its end after an attack, through the pages at /local, which may move its clock. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Table } from '#functions/data/table/table';
import type { ApiClient } from '#local/api-client';
import { readStored, type Stored, unfinished } from '#test/attack/invariants';
import type { Journal } from '#test/attack/journal';
import { ADMIN } from '#test/harness/cloud';
import type { ProductProcess } from '#test/harness/product-process';

/** How far the clock goes forward at a time until everything has ended: a day of retries in all. */
const ADVANCE_MINUTES = [1, 2, 2, 5, 5, 15, 15, 60, 60, 120, 360, 720, 720] as const;
const QUEUE_CHECK_EVERY_MS = 100;
const MAX_QUEUE_WAIT_MS = 120_000;
const MAX_AGAIN = 40;

/** Lets time pass until every lead and every delivery has ended, and every source has its answer. */
export async function letEnd(
  products: readonly ProductProcess[],
  admins: readonly ApiClient[],
  table: Table,
  journal: Journal,
): Promise<Stored> {
  let stored = await readStored(table);
  for (const minutes of ADVANCE_MINUTES) {
    await Promise.all(products.map((product) => queuesEmpty(product, journal)));
    for (let turn = 0; turn < MAX_AGAIN; turn += 1) {
      const open = journal.posted.filter(({ state, again }) => state === 'open' && again !== undefined);
      if (open.length === 0) break;
      await Promise.all(open.slice(0, 10).map(async ({ again }) => again?.()));
    }
    stored = await readStored(table);
    const waits = journal.posted.some(({ state, again }) => state === 'open' && again !== undefined);
    if (!waits && unfinished(stored).length === 0) break;
    await Promise.all(products.map((product) => advance(product, minutes)));
    for (const admin of admins) await admin.logIn(ADMIN);
  }
  await Promise.all(products.map((product) => queuesEmpty(product, journal)));
  return readStored(table);
}

/** Until nothing is ready or in work any more; what waits for its time does not count. */
async function queuesEmpty(product: ProductProcess, journal: Journal): Promise<void> {
  const deadline = Date.now() + MAX_QUEUE_WAIT_MS;
  for (let calm = 0; calm < 3; ) {
    const response = await fetch(`${product.url}/local/api/state`);
    const { queues } = (await response.json()) as {
      queues: readonly { readonly ready: number; readonly inflight: number }[];
    };
    calm = queues.every(({ ready, inflight }) => ready + inflight === 0) ? calm + 1 : 0;
    if (Date.now() > deadline) {
      journal.violation(`after ${MAX_QUEUE_WAIT_MS} ms the queues hold ${JSON.stringify(queues)}`);
      return;
    }
    await wait(QUEUE_CHECK_EVERY_MS);
  }
}

/** Moves the clock of a product forward, and of what waits in its queues. */
export async function advance(product: ProductProcess, minutes: number): Promise<void> {
  const response = await fetch(`${product.url}/local/api/command`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: minutes }),
  });
  if (!response.ok) throw new Error(`The clock did not go forward: ${response.status}`);
}
