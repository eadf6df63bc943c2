/** Deliveries with lost answers, lost messages and crashed processes. */

import { describe, expect } from 'vitest';
import type { ChannelAdapter, Report } from '#functions/channels/channel';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { Delivery } from '#functions/data/leads/lead';
import { FLOW_SHARDS } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import { deliverMessage } from '#functions/queues/messages';
import { createQueue } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import type { Queues } from '#local/queues';
import { aDeliverMessage, aDelivery, aReport } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { deliverDepsOn, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { aroundCalls, changedTable, runDying } from '#test/harness/distribution';
import { drain } from '#test/harness/drain';
import { it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

let queues: Queues;
let table: Table;
let lossy: () => Table;
let clock: Date;
let notified: string[];
let sent: string[];
let answer: () => Partial<Report>;

const START = new Date('2026-11-20T10:00:00.000Z');
const runtime = runtimeAt(
  () => clock,
  (milliseconds) => {
    clock = new Date(clock.getTime() + milliseconds);
  },
);

const empty = async () => {
  await queues.hasten(24 * 60 * MINUTE_MS);
  await drain(queues.client, queues.urls.deliver, async () => ({ batchItemFailures: [] }));
};
it.beforeEach(async ({ table: fresh, queues: started, connections }) => {
  table = fresh;
  queues = started;
  lossy = () => connections.losingEveryAnswerOnce(table).table;
  clock = START;
  notified = [];
  sent = [];
  answer = () => ({});
  await empty();
  await drain(queues.client, queues.deadLetterUrls.deliver, async () => ({ batchItemFailures: [] }));
});

const depsOn = (on: Table, changes: Partial<DeliverContext> = {}): DeliverContext => {
  const adapter: ChannelAdapter = {
    async send({ lead_id }) {
      sent.push(lead_id);
      return aReport(answer());
    },
  };
  return deliverDepsOn(on, adapter, {
    queue: createQueue(queues.client, queues.urls.deliver, runtime.log),
    deadLetters: createQueue(queues.client, queues.deadLetterUrls.deliver, runtime.log),
    notifyOperator: async (subject) => void notified.push(subject),
    runtime,
    ...changes,
  });
};
const put = (row: Delivery) => putDelivery(table, row);
const stored = async (leadId = LEAD_ID) => (await deliveryStore.get({ table }, leadId, 'email')) as Delivery;
const later = async (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds);
  await queues.hasten(milliseconds);
};
const work = (deps: DeliverContext) =>
  drain(queues.client, queues.urls.deliver, (event) =>
    forEachMessage(event, deliverMessage, deps.runtime.log, (it) => deliver(deps, it)),
  );
const deadLetters = async () => (await queues.deadLetters('deliver')).ready.length;
const onQueue = async () => {
  const { ready, delayed } = await queues.content('deliver');
  return ready.length + delayed.length;
};

describe('a lost answer of the table', () => {
  it.for<[string, Partial<Report>, Partial<Delivery>, queued: number]>([
    ['sent', {}, { status: 'delivered', attempt_count: 1 }, 0],
    ['queued again', { outcome: 'transient', error: 'down' }, { status: 'retrying' }, 1],
    ['reported when it failed', { outcome: 'permanent', error: 'no' }, { status: 'failed' }, 0],
  ])('does not prevent a delivery from being %s', async ([, report, delivery, queued]) => {
    answer = () => report;
    await put(aDelivery());
    await deliver(depsOn(lossy()), aDeliverMessage());
    expect(sent).toHaveLength(1);
    expect(await stored()).toMatchObject(delivery);
    expect(await onQueue()).toBe(queued);
    const reports = delivery.status === 'failed' ? 1 : 0;
    expect([await deadLetters(), notified.length]).toEqual([reports, reports]);
  });

  it('is not reported to an admin as already resent', async () => {
    await put(aDelivery({ status: 'failed', attempt_count: 1 }));
    expect(await deliveryStore.sendAgain({ table: lossy() }, LEAD_ID, 'email', clock)).toEqual({ ok: true });
    expect(await stored()).toMatchObject({ status: 'pending', series: 2 });
  });

  it('resends a delivery only once, even if it arrives before the call is repeated', async () => {
    await put(aDelivery({ status: 'failed', attempt_count: 1 }));
    // Like an SDK retry: the same write again, although the first one has taken effect.
    const repeating = changedTable(table, {
      update: async (write) => {
        await table.update(write);
        await deliver(depsOn(table), aDeliverMessage({ series: 2 }));
        return table.update(write);
      },
    });
    expect(await deliveryStore.sendAgain({ table: repeating }, LEAD_ID, 'email', clock)).toEqual({
      ok: true,
    });
    expect(await stored()).toMatchObject({ status: 'delivered', series: 2 });
  });

  it('does not make a dedup marker look taken', async () => {
    expect(await dedupMarkerStore.reserve({ table: lossy() }, 'x', clock, 60)).toBe('taken');
    expect(await dedupMarkerStore.reserve({ table }, 'x', clock, 60)).toBe('busy');
  });
});

it('a permanently failed delivery is reported after any crash, by its message or the reconciliation', async ({
  engine,
}) => {
  answer = () => ({ outcome: 'permanent', error: 'no' });
  // A crash before a call equals a crash after the previous call.
  for (const when of ['before', 'after'] as const)
    for (let n = 1; ; n += 1) {
      const where = `${when} call ${n}`;
      table = await engine.freshTable();
      notified = [];
      await put(aDelivery());
      await drain(queues.client, queues.deadLetterUrls.deliver, async () => ({ batchItemFailures: [] }));
      const died = await runDying(table, n, when, (on) => deliver(depsOn(on), aDeliverMessage()));
      if (!died) break;
      await later(11 * MINUTE_MS);
      if (when === 'before') await deliver(depsOn(table), aDeliverMessage());
      else await requeueOverdueDeliveries(depsOn(table));
      await work(depsOn(table));
      expect(await stored(), where).toMatchObject({ status: 'failed' });
      expect(await stored(), where).not.toHaveProperty('unreported');
      expect(notified, where).toContain('Delivery failed: email of buyer acme');
      expect(await deadLetters(), where).toBeGreaterThan(0);
      await later(60 * MINUTE_MS);
      expect(await requeueOverdueDeliveries(depsOn(table)), where).toBe(0);
    }
});

it('a delivery resent days after its lead arrived is found by the reconciliation when its message is lost', async () => {
  await put(aDelivery({ status: 'failed', attempt_count: 1, created_at: '2026-11-10T10:00:00.000Z' }));
  const deps = depsOn(table);
  expect(await deliveryStore.sendAgain(deps, LEAD_ID, 'email', clock)).toEqual({ ok: true });
  // The message of the new series never arrives.
  let found = 0;
  for (let minutes = 0; minutes < 6 * 60 && found === 0; minutes += 10) {
    await later(10 * MINUTE_MS);
    found = await requeueOverdueDeliveries(deps);
  }
  await work(deps);
  expect(await stored()).toMatchObject({ status: 'delivered', series: 2 });
  expect(await requeueOverdueDeliveries(deps)).toBe(0);
});

describe('the reconciliation of deliveries', () => {
  it('finds open deliveries of all buyers, even deleted ones, with six queries', async () => {
    const ids = Array.from(
      { length: 40 },
      (_, at) => `01J00000000000000000000${String(at).padStart(3, '0')}`,
    );
    for (const [at, lead_id] of ids.entries()) await put(aDelivery({ lead_id, buyer: 100 + at }));
    await later(11 * MINUTE_MS);
    let queries = 0;
    const counting = aroundCalls(table, (send, name) => {
      if (name === 'query') queries += 1;
      return send();
    });
    expect(await requeueOverdueDeliveries(depsOn(counting))).toBe(ids.length);
    expect(queries).toBe(2 + FLOW_SHARDS);
  });

  it('does not flood the queue with deliveries to a busy destination', async () => {
    const ids = Array.from({ length: 5 }, (_, at) => `01J00000000000000000000030${at}`);
    for (const lead_id of ids) await put(aDelivery({ lead_id }));
    const deps = depsOn(table, { limiter: async () => false });
    await deps.queue.send(ids.map((lead_id) => ({ message: aDeliverMessage({ lead_id }) })));
    for (let minutes = 0; minutes < 180; minutes += 10) {
      await later(10 * MINUTE_MS);
      await requeueOverdueDeliveries(deps);
    }
    expect(await onQueue()).toBeLessThanOrEqual(ids.length * 6);
  });
});
