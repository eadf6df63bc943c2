/** A process whose clock is an hour wrong neither delays nor duplicates a delivery. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Report } from '#functions/channels/channel';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { requeueOpenDeliveries, requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import type { DeliverMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { aDeliverMessage, aDelivery, aReport } from '#test/factories/deliveries';
import { deliverDepsOn, listQueue, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { memoryTable } from '#test/harness/memory-table';

const START = new Date('2026-11-20T10:00:00.000Z').getTime();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Default timeout of an attempt, with its margin. */
const ATTEMPT_LEASE_SECONDS = 120;

let table: Table;
let now: number;
let sent: Outgoing<DeliverMessage>[];
let calls: number;
beforeEach(async () => {
  table = memoryTable();
  now = START;
  sent = [];
  calls = 0;
  await putDelivery(table, aDelivery({ created_at: new Date(START).toISOString() }));
});

/** A process whose clock is wrong by this offset, and whose next call ends as set. */
function worker(wrongByMs: number, report: Partial<Report>, ends?: Promise<void>): DeliverContext {
  const adapter = {
    send: async () => {
      calls += 1;
      await ends;
      return aReport(report);
    },
  };
  return deliverDepsOn(table, adapter, {
    queue: listQueue(sent),
    runtime: runtimeAt(() => new Date(now + wrongByMs)),
  });
}

const callBegun = () => vi.waitFor(() => expect(calls).toBe(1), { interval: 1 });
const stored = () => table.get(keys.delivery(aDelivery().lead_id, 'email'));
const last = () => sent.at(-1)!;
const DELIVERED = { outcome: 'delivered', error: null } as const;
const TRANSIENT = { outcome: 'transient', error: 'down' } as const;

it('a delivery written by a clock an hour ahead is sent when its message arrives', async () => {
  now -= HOUR_MS;
  await deliver(worker(0, DELIVERED), aDeliverMessage());
  expect(await stored()).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

describe('a retry planned by a clock an hour ahead', () => {
  it('is made when its message arrives', async () => {
    await deliver(worker(HOUR_MS, TRANSIENT), aDeliverMessage());
    expect(last().delay).toBeLessThanOrEqual(66);
    now += 66_000;
    await deliver(worker(0, DELIVERED), last().message);
    expect(await stored()).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  it('is made at startup with a correct clock', async () => {
    await deliver(worker(HOUR_MS, TRANSIENT), aDeliverMessage());
    sent = [];
    expect(await requeueOpenDeliveries(worker(0, DELIVERED), true)).toBe(1);
    expect(last().delay).toBe(0);
    await deliver(worker(0, DELIVERED), last().message);
    expect(await stored()).toMatchObject({ status: 'delivered' });
  });

  it('waits if the e-mail may have arrived', async () => {
    await deliver(worker(HOUR_MS, { outcome: 'unknown', error: 'late' }), aDeliverMessage());
    await deliver(worker(0, DELIVERED), last().message);
    expect(calls).toBe(1);
  });
});

it('an attempt that died under a clock an hour ahead is repeated soon after startup', async () => {
  void deliver(worker(HOUR_MS, DELIVERED, new Promise(() => undefined)), aDeliverMessage());
  await callBegun();
  expect(await requeueOpenDeliveries(worker(0, DELIVERED), true)).toBe(1);
  expect(last().delay).toBeLessThanOrEqual(66);
});

describe('a running attempt, seen by a clock an hour ahead', () => {
  it('is not repeated while its call runs', async () => {
    let end: () => void = () => undefined;
    const running = deliver(
      worker(0, DELIVERED, new Promise<void>((resolve) => (end = resolve))),
      aDeliverMessage(),
    );
    await callBegun();
    const ahead = worker(HOUR_MS, DELIVERED);
    expect(await requeueOverdueDeliveries(ahead)).toBe(1);
    await deliver(ahead, last().message);
    expect(calls).toBe(1);
    expect(last().delay).toBe(ATTEMPT_LEASE_SECONDS);
    end();
    await running;
    now += ATTEMPT_LEASE_SECONDS * 1000;
    await deliver(ahead, last().message);
    expect(calls).toBe(1);
    expect(await stored()).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('is repeated once its message has waited for the call timeout', async () => {
    void deliver(worker(0, DELIVERED, new Promise(() => undefined)), aDeliverMessage());
    await callBegun();
    const ahead = worker(HOUR_MS, DELIVERED);
    await deliver(ahead, aDeliverMessage());
    now += ATTEMPT_LEASE_SECONDS * 1000;
    await deliver(ahead, last().message);
    expect(await stored()).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });
});
