import { describe, expect } from 'vitest';
import type { ChannelAdapter, Report } from '#functions/channels/channel';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Delivery } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { deliverMessage } from '#functions/queues/messages';
import { createQueue } from '#functions/queues/sqs';
import { forEachMessage } from '#functions/queues/worker';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import type { Queues } from '#local/queues';
import { aDeliverMessage, aDelivery, aReport } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { deliverDepsOn, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { changedTable } from '#test/harness/distribution';
import { drain } from '#test/harness/drain';
import { it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

let queues: Queues;
let table: Table;
let clock: Date;
let notified: string[];
let sent: DeliveryPayload[];
let answer: (payload: DeliveryPayload, nth: number) => Partial<Report> | Promise<Partial<Report>>;
let deps: DeliverContext;

const START = new Date('2026-11-20T10:00:00.000Z');

it.beforeEach(async ({ table: fresh, queues: started }) => {
  table = fresh;
  queues = started;
  clock = START;
  notified = [];
  sent = [];
  answer = () => ({});
  await drain(queues.client, queues.urls.deliver, async () => ({ batchItemFailures: [] }));
  await drain(queues.client, queues.deadLetterUrls.deliver, async () => ({ batchItemFailures: [] }));
  const adapter: ChannelAdapter = {
    async send(payload) {
      sent.push(payload);
      return aReport(await answer(payload, sent.length));
    },
  };
  const runtime = runtimeAt(
    () => clock,
    (milliseconds) => {
      clock = new Date(clock.getTime() + milliseconds);
    },
  );
  deps = deliverDepsOn(table, adapter, {
    queue: createQueue(queues.client, queues.urls.deliver, runtime.log),
    deadLetters: createQueue(queues.client, queues.deadLetterUrls.deliver, runtime.log),
    notifyOperator: async (subject) => void notified.push(subject),
    limiter: createConcurrencyLimiter(createDestinationLeases(table), runtime),
    runtime,
  });
});

const put = (row: Delivery) => putDelivery(table, row);
const stored = async (leadId = LEAD_ID) => (await deliveryStore.get(deps, leadId, 'email')) as Delivery;
const handle = (event: Parameters<typeof forEachMessage>[0]) =>
  forEachMessage(event, deliverMessage, deps.runtime.log, (it) => deliver(deps, it));
/** Advances the clock, and with it delayed messages. */
const later = async (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds);
  await queues.hasten(milliseconds);
};
const work = () => drain(queues.client, queues.urls.deliver, handle);
const deadLetters = async () => (await queues.deadLetters('deliver')).ready.length;

describe('delivering a lead', () => {
  it('sends it once for repeated messages, sequential or concurrent', async () => {
    await put(aDelivery());
    await Promise.all([1, 2, 3, 4].map(() => deliver(deps, aDeliverMessage())));
    await deliver(deps, aDeliverMessage());
    expect(sent).toHaveLength(1);
    expect(await stored()).toMatchObject({
      status: 'delivered',
      attempt_count: 1,
      next_attempt_at: null,
      attempts: [
        { outcome: 'delivered', status_code: 250, request: 'what was sent', answer: 'what came back' },
      ],
    });
    expect((await stored()).sending_until).toBeUndefined();
  });

  it('retries after 1, 5, 15 and 60 minutes and then hourly, for a day', async () => {
    answer = () => ({ outcome: 'transient', status_code: 503, error: 'down' });
    await put(aDelivery());
    await deps.queue.send([{ message: aDeliverMessage() }]);
    const attempt_count: number[] = [];
    // Circuit breakers are not tested here.
    const closed = changedTable(table, {
      get: async (key, options) =>
        key.pk === keys.circuit(7, 'email').pk ? undefined : table.get(key, options),
    });
    deps = { ...deps, table: closed };
    while ((await stored()).status !== 'failed' && attempt_count.length < 100) {
      const before = sent.length;
      await work();
      if (sent.length > before) attempt_count.push((clock.getTime() - START.getTime()) / MINUTE_MS);
      const due = new Date((await stored()).next_attempt_at ?? clock).getTime() - clock.getTime();
      // Messages cannot be delayed longer, so it comes early and is returned.
      await later(Math.min(15 * MINUTE_MS, Math.max(0, due)));
    }
    expect(attempt_count.slice(0, 7)).toEqual([0, 1, 6, 21, 81, 141, 201]);
    expect(attempt_count.at(-1)).toBeGreaterThan(22 * 60);
    expect(await stored()).toMatchObject({
      status: 'failed',
      error: 'Stopped retrying after a day. down',
      next_attempt_at: null,
    });
    expect(await deadLetters()).toBe(1);
    expect(notified.filter((subject) => subject.startsWith('Delivery failed'))).toHaveLength(1);
    expect(await deliveryStore.failedCount(deps)).toBe(1);
  });

  it('retries an accepted but unconfirmed e-mail after 1, 3, 7 and 15 hours, then stops', async () => {
    answer = () => ({ outcome: 'unknown', unconfirmed: true, status_code: null, error: 'not confirmed' });
    await put(aDelivery());
    const hours: number[] = [];
    for (let delivery = await stored(); delivery.status !== 'failed'; delivery = await stored()) {
      clock = new Date(delivery.next_attempt_at ?? clock);
      hours.push((clock.getTime() - START.getTime()) / (60 * MINUTE_MS));
      await deliver(deps, aDeliverMessage({ attempt_count: delivery.attempt_count }));
    }
    expect(hours).toEqual([0, 1, 3, 7, 15]);
    expect(await stored()).toMatchObject({ error: 'Stopped retrying after a day. not confirmed' });
  });

  it('waits for the channel’s timeout before another worker takes over', async () => {
    deps = {
      ...deps,
      channels: { ...deps.channels, email: { ...deps.channels.email, longestMs: 660_000 } },
    };
    answer = () => {
      throw new Error('killed');
    };
    await put(aDelivery());
    await expect(deliver(deps, aDeliverMessage())).rejects.toThrow('killed');
    expect((await stored()).sending_until).toBe('2026-11-20T10:12:30.000Z');
  });

  it('waits as long as the destination requests', async () => {
    answer = () => ({ outcome: 'transient', status_code: 429, retryAfter: 600, error: 'later' });
    await put(aDelivery());
    await deliver(deps, aDeliverMessage());
    expect((await stored()).next_attempt_at).toBe('2026-11-20T10:10:00.000Z');
  });

  it('takes over from a crashed worker and keeps its attempt in the log', async () => {
    await put(aDelivery());
    answer = () => {
      throw new Error('the process ends here');
    };
    await expect(deliver(deps, aDeliverMessage())).rejects.toThrow('the process ends here');
    expect(await stored()).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      attempts: [{ outcome: 'unknown' }],
    });
    answer = () => ({});
    // The same message comes too early, then in time.
    await deliver(deps, aDeliverMessage());
    expect(sent).toHaveLength(1);
    await later(3 * MINUTE_MS);
    await work();
    expect(sent.map(({ afterUnknown }) => afterUnknown)).toEqual([false, true]);
    expect((await stored()).attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'delivered']);
  });

  it('sends nothing after the lead is deleted', async () => {
    await put(aDelivery());
    await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead({ status: 'deleted' }) } });
    await deliver(deps, aDeliverMessage());
    expect(sent).toHaveLength(0);
    expect(await stored()).toMatchObject({
      status: 'failed',
      error: 'The lead was deleted before it was sent',
    });
    expect(notified).toEqual([]);
  });
});

describe('the circuit breaker', () => {
  const ids = Array.from({ length: 12 }, (_, at) => `01J000000000000000000001${String(at).padStart(2, '0')}`);
  const status = async () => Promise.all(ids.map(async (id) => (await stored(id)).status));

  it('opens after five consecutive failures, is reported once, probes automatically and closes', async () => {
    answer = () => ({ outcome: 'transient', status_code: 500, error: 'down' });
    for (const lead_id of ids) await put(aDelivery({ lead_id }));
    for (const lead_id of ids) await deliver(deps, aDeliverMessage({ lead_id }));
    expect(sent).toHaveLength(5);
    expect(notified).toEqual(['Deliveries paused: email of buyer acme']);
    const waiting = await stored(ids.at(-1));
    expect(waiting).toMatchObject({
      status: 'retrying',
      attempt_count: 0,
      attempts: [{ outcome: 'skipped' }],
    });

    // While it is open, one due delivery passes each time.
    await later(6 * MINUTE_MS);
    await work();
    expect(sent).toHaveLength(6);
    await later(4 * MINUTE_MS);
    await work();
    expect(sent).toHaveLength(6);
    expect(notified).toHaveLength(1);

    answer = () => ({});
    for (let minutes = 0; minutes < 120 && (await status()).some((it) => it !== 'delivered'); minutes += 5) {
      await later(5 * MINUTE_MS);
      await work();
    }
    expect(new Set(await status())).toEqual(new Set(['delivered']));
    expect(await table.get(keys.circuit(7, 'email'))).toBeUndefined();
  });

  it('opens for a wrong password, but not for refused leads', async () => {
    answer = () => ({ outcome: 'permanent', status_code: 400, error: 'refused' });
    for (const lead_id of ids.slice(0, 6)) await put(aDelivery({ lead_id }));
    for (const lead_id of ids.slice(0, 6)) await deliver(deps, aDeliverMessage({ lead_id }));
    expect(sent).toHaveLength(6);
    answer = () => ({ outcome: 'permanent', misconfigured: true, status_code: 535, error: 'password' });
    for (const lead_id of ids.slice(6)) await put(aDelivery({ lead_id }));
    for (const lead_id of ids.slice(6)) await deliver(deps, aDeliverMessage({ lead_id }));
    expect(sent).toHaveLength(11);
    expect(await stored(ids.at(-1))).toMatchObject({ status: 'retrying' });
  });
});

it('a message for a busy destination is retried after 2 to 12 seconds with increasing delays, and never becomes a dead letter', async () => {
  const delays: (number | undefined)[] = [];
  let next = aDeliverMessage();
  deps = {
    ...deps,
    limiter: async () => false,
    runtime: { ...deps.runtime, random: () => 0.5 },
    queue: {
      send: async ([outgoing]) => {
        delays.push(outgoing?.delay);
        next = outgoing?.message ?? next;
        return [true];
      },
    },
  };
  await put(aDelivery());
  for (let time = 0; time < 7; time += 1) await deliver(deps, next);
  expect(delays).toEqual([2, 4, 8, 12, 12, 12, 12]);
  expect(await stored()).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });
});
