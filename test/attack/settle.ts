/** Lets the product finish its work after an attack, with the pages at /local, which can move its clock. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Table } from '#functions/data/table/table';
import type { ApiClient } from '#local/api-client';
import { readStored, type Stored, unfinished } from '#test/attack/invariants';
import type { Journal } from '#test/attack/journal';
import { ADMIN } from '#test/harness/cloud';
import type { ProductProcess } from '#test/harness/product-process';

/** How far the clock moves at a time, up to a day of retries. */
const ADVANCE_MINUTES = [1, 2, 2, 5, 5, 15, 15, 60, 60, 120, 360, 720, 720] as const;
const CHECK_EVERY_MS = 100;
/** A busy machine may take long for the remaining work, but must make progress. */
const MAX_STANDSTILL_MS = 120_000;
const MAX_WORK_MS = 1_800_000;
const MAX_AGAIN = 40;

/** Lets time pass until every lead and delivery has ended and every source has its answer. */
export async function letEnd(
  products: readonly ProductProcess[],
  admins: readonly ApiClient[],
  table: Table,
  journal: Journal,
): Promise<Stored> {
  let stored = await readStored(table);
  for (const minutes of ADVANCE_MINUTES) {
    await Promise.all(products.map((product) => worksOff(product, journal)));
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
  await Promise.all(products.map((product) => worksOff(product, journal)));
  return readStored(table);
}

interface State {
  readonly queues: readonly { readonly name: string; readonly ready: number; readonly inflight: number }[];
  readonly streams: readonly { readonly caughtUp: boolean; readonly position: object }[];
}

/** Until no queue and no stream consumer has work left; delayed messages do not count. */
async function worksOff(product: ProductProcess, journal: Journal): Promise<void> {
  const latest = Date.now() + MAX_WORK_MS;
  let deadline = Date.now() + MAX_STANDSTILL_MS;
  let seen = '';
  for (let calm = 0; calm < 3; ) {
    const response = await fetch(`${product.url}/local/api/state`);
    const { queues, streams } = (await response.json()) as State;
    const isDone =
      queues.every(({ ready, inflight }) => ready + inflight === 0) &&
      streams.every(({ caughtUp }) => caughtUp);
    calm = isDone ? calm + 1 : 0;
    const now = JSON.stringify([queues.map(({ ready, inflight }) => [ready, inflight]), streams]);
    if (now !== seen) deadline = Date.now() + MAX_STANDSTILL_MS;
    seen = now;
    if (Date.now() > Math.min(deadline, latest)) {
      journal.violation(`the remaining work does not end: ${now}`);
      return;
    }
    await wait(CHECK_EVERY_MS);
  }
}

/** Moves the product's clock forward, with the delays in its queues. */
export async function advance(product: ProductProcess, minutes: number): Promise<void> {
  const response = await fetch(`${product.url}/local/api/command`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: minutes }),
  });
  if (!response.ok) throw new Error(`The clock did not go forward: ${response.status}`);
}
