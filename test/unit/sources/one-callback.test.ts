/**
 * One callback on the in-memory table: when it is sent, what is recorded, and when it is checked again. Rules that it
 * shares with deliveries are tested in `integration/deliveries/deliver-leads`.
 */

import { describe, expect, it } from 'vitest';
import type { CallbackContent, Content, Receiver } from '#functions/channels/callback';
import type { Report } from '#functions/channels/channel';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { endpointCircuit, FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import { type Callback, callbackSchema, eventIdOf, sequenceOf } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import * as endpointStore from '#functions/data/sources/endpoints';
import { type Endpoints } from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import { skipped } from '#functions/domain/deliveries/attempts';
import { listCallbacks, resendCallback, sendTestCallback } from '#functions/domain/sources/callback-log';
import { messageFor } from '#functions/domain/sources/callback-message';
import { callBack } from '#functions/domain/sources/callbacks';
import { requeueCallbacks, requeueOpenCallbacks } from '#functions/domain/sources/requeue-callbacks';
import type { CallbackMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { CALLBACK_EVENTS, type CallbackEvent } from '#shared/rules/constants';
import { aBuyer } from '#test/factories/buyers';
import { aReport } from '#test/factories/deliveries';
import { cipher } from '#test/factories/secrets';
import { aSource } from '#test/factories/sources';
import { listQueue, runtimeAt, unlimited } from '#test/harness/deliveries';
import { adminOn } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const START = new Date('2026-11-20T10:00:00.000Z');
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const after = (milliseconds: number) => new Date(START.getTime() + milliseconds);
const LEAD = 'lead-1';
const UNANSWERED: Partial<Report> = { outcome: 'transient', status_code: 503, error: 'It answered 503' };
const REFUSED: Partial<Report> = { outcome: 'permanent', status_code: null, error: 'No public address' };
const webhook = { url: 'https://source.example/hook', events: [...CALLBACK_EVENTS] };
const WEBHOOK: Omit<Endpoints, 'source' | 'version'> = {
  webhook,
  secrets: { a: { secret: cipher.encrypt('whsec_x'), created_at: '' } },
};

/** A new callback with the context that sends it, and a clock. */
async function aCallback(event: CallbackEvent = 'lead.pending', source: Partial<Source> = {}) {
  const table = memoryTable();
  const world = {
    now: START,
    answer: {} as Partial<Report>,
    sent: [] as { receiver: Receiver; content: CallbackContent }[],
    mails: [] as { subject: string; text: string }[],
    queued: [] as Outgoing<CallbackMessage>[],
    /** Runs while the receiver is called. */
    meanwhile: async (): Promise<unknown> => undefined,
  };
  const runtime = { ...runtimeAt(() => world.now), newId: () => 'id' };
  const deps = {
    ...adminOn(table, runtime),
    queue: listQueue(world.queued),
    send: async (receiver: Receiver, content: Content) => {
      world.sent.push({ receiver, content: content as CallbackContent });
      await world.meanwhile();
      return aReport({ status_code: 200, ...world.answer });
    },
    notifyOperator: async (subject: string, text: string) => void world.mails.push({ subject, text }),
    limiter: unlimited,
  };
  await table.transact(sourceStore.created(aSource(source)));
  await table.transact(buyerStore.created(aBuyer({ buyer: 7, buyer_id: 'anna' })));
  const set = async (next: Omit<Endpoints, 'source' | 'version'>) =>
    table.put(endpointStore.changed(await endpointStore.get({ table }, 1), next));
  await set(WEBHOOK);
  const add = async (lead_id: string, change: Partial<Callback> = {}) => {
    const seen = { lead_id, source: 1, event, distribution_attempt: 1, received_at: START.toISOString() };
    const { put } = callbackStore.created({ ...seen, buyer: 7 }, 'webhook', world.now);
    await table.put({ put: { ...put, ...change } });
    return callbackSchema.parse({ ...put, ...change });
  };
  const first = await add(LEAD);
  const stored = async () => (await callbackStore.get({ table }, LEAD, first.callback_id))!;
  const itemOf = async () => (await table.get(keys.callback(LEAD, first.callback_id)))!;
  const handle = async () => callBack(deps, messageFor(await stored()));
  /** When the reconciliation checks it next. */
  const accessesTo = (at: Date) => callbackStore.due({ table }, at, 10);
  return { ...deps, world, set, add, first, stored, itemOf, handle, accessesTo, runtime };
}

/** The reconciliation checks the callback exactly at this time. */
async function expectAccess({ accessesTo }: Awaited<ReturnType<typeof aCallback>>, at: Date) {
  expect(await accessesTo(new Date(at.getTime() - 1))).toEqual([]);
  expect(await accessesTo(new Date(at.getTime() + 1))).toHaveLength(1);
}

describe('a message', () => {
  it('is handled up to a second early, and requeued if it is earlier', async () => {
    const { handle, add, world, first } = await aCallback();
    await add(LEAD, { next_attempt_at: after(SECOND_MS + 1).toISOString() });
    await handle();
    expect(world.sent).toEqual([]);
    expect(world.queued).toEqual([{ message: messageFor(first), delay: 2 }]);
    world.now = after(1);
    await handle();
    expect(world.sent).toHaveLength(1);
  });
});

describe('an attempt', () => {
  it('that succeeds ends the callback, which is stored for thirty days', async () => {
    const one = await aCallback();
    one.world.meanwhile = async () => {
      expect((await one.stored()).sending_until).toBe(after(115 * SECOND_MS).toISOString());
      one.world.now = after(300);
    };
    await one.handle();
    const { sending_until, sending_by, ...stored } = await one.stored();
    expect(stored).toMatchObject({
      status: 'delivered',
      updated_at: after(300).toISOString(),
      next_attempt_at: null,
      error: null,
      attempts: [{ at: START.toISOString(), outcome: 'delivered', status_code: 200, duration_ms: 300 }],
    });
    expect([sending_until, sending_by]).toEqual([undefined, undefined]);
    expect((await one.itemOf()).expires_at).toBe(START.getTime() / 1000 + 30 * 24 * 3600);
    expect(await one.accessesTo(after(DAY_MS))).toEqual([]);
    expect(one.world.queued).toEqual([]);
  });

  it('that failed is retried for a day, and not before the time that the receiver requests', async () => {
    const one = await aCallback();
    one.world.answer = UNANSWERED;
    await one.handle();
    expect(await one.stored()).toMatchObject({
      status: 'retrying',
      error: 'It answered 503',
      next_attempt_at: after(MINUTE_MS).toISOString(),
    });
    expect(one.world.queued).toEqual([{ message: messageFor(await one.stored()), delay: 60 }]);
    await expectAccess(one, after(3 * MINUTE_MS));
    one.world.now = after(MINUTE_MS);
    one.world.answer = { ...UNANSWERED, retryAfter: 3600 };
    await one.handle();
    expect(await one.stored()).toMatchObject({
      attempt_count: 2,
      next_attempt_at: after(61 * MINUTE_MS).toISOString(),
      attempts: [{ outcome: 'transient' }, { outcome: 'transient' }],
    });
    expect((await one.itemOf()).expires_at).toBeUndefined();
    expect(one.world.mails).toEqual([]);
    one.world.now = after(DAY_MS);
    await one.handle();
    expect(await one.stored()).toMatchObject({
      status: 'failed',
      error: 'Stopped retrying after a day. It answered 503',
    });
    expect(one.world.mails).toHaveLength(1);
  });

  it('with a permanent failure ends the callback, and notifies the operator at most hourly for an endpoint', async () => {
    const one = await aCallback('lead.pending', { name: 'Affiliate' });
    one.world.answer = REFUSED;
    await one.handle();
    expect(await one.stored()).toMatchObject({ status: 'failed', error: 'No public address' });
    expect(one.world.queued).toEqual([]);
    expect(one.world.mails).toEqual([
      {
        subject: 'Callback failed: webhook of source 1',
        text: expect.stringMatching(
          /Source 1 \(Affiliate\) .*\nReason: No public address\nYou can resend it/,
        ),
      },
    ]);
    for (const [lead, minutes] of [
      ['lead-2', 59],
      ['lead-3', 61],
    ] as const) {
      one.world.now = after(minutes * MINUTE_MS);
      await callBack(one, messageFor(await one.add(lead)));
    }
    expect(one.world.mails).toHaveLength(2);
  });

  it('contains the buyer only for an assigned lead, and only if the source may see it', async () => {
    for (const [event, sees_buyers, buyer] of [
      ['lead.assigned', true, 'anna'],
      ['lead.assigned', false, null],
    ] as const) {
      const { handle, world } = await aCallback(event, { sees_buyers });
      await handle();
      expect(world.sent).toMatchObject([{ receiver: { url: webhook.url }, content: { event, buyer } }]);
    }
    const one = await aCallback('lead.pending', { sees_buyers: true });
    await one.add(LEAD, { buyer: undefined });
    await one.handle();
    expect(one.world.sent).toMatchObject([{ content: { buyer: null } }]);
  });

  it('is kept in a log of the newest forty', async () => {
    const one = await aCallback();
    const old = Array.from({ length: 40 }, (_, at) => skipped(after(at), `${at}`));
    await one.add(LEAD, { attempts: old });
    one.world.answer = UNANSWERED;
    await one.handle();
    const { attempts } = await one.stored();
    expect(attempts.map(({ answer }) => answer)).toEqual([
      ...old.slice(1).map(({ answer }) => answer),
      'what came back',
    ]);
  });
});

describe('a callback without a usable endpoint', () => {
  it.each([
    ['has no endpoint', { secrets: {} }, {}, 'The source has no such endpoint now'],
    [
      'is gone',
      { webhook: { ...webhook, gone_at: START.toISOString() }, secrets: {} },
      {},
      'The endpoint is off: its receiver is gone',
    ],
    ['is in test', WEBHOOK, { state: 'test' }, 'The source is in test'],
    ['does not exist', WEBHOOK, {}, 'The source has no such endpoint now', { source: 2 }],
  ] as const)(
    'ends immediately if its source %s',
    async (_, endpoints, source, error, change: Partial<Callback> = {}) => {
      const { add, set, handle, stored, world, itemOf } = await aCallback('lead.pending', source);
      await set(endpoints);
      await add(LEAD, change);
      await handle();
      expect(world).toMatchObject({ sent: [], queued: [], mails: [] });
      expect(await stored()).toMatchObject({
        status: 'failed',
        error,
        next_attempt_at: null,
        attempts: [{ outcome: 'skipped', answer: error }],
      });
      expect((await itemOf()).expires_at).toBeDefined();
    },
  );

  it('is reported to the operator after status 410, unless the endpoint was set again', async () => {
    for (const isSetAnew of [false, true]) {
      const { set, handle, stored, world, table } = await aCallback();
      world.answer = { ...REFUSED, status_code: 410 };
      world.meanwhile = async () => isSetAnew && set(WEBHOOK);
      await handle();
      expect((await endpointStore.get({ table }, 1)).webhook?.gone_at).toBe(
        isSetAnew ? undefined : START.toISOString(),
      );
      expect(await stored()).toMatchObject({ status: 'failed' });
      expect(world.mails).toEqual(
        isSetAnew
          ? []
          : [
              {
                subject: 'Callbacks turned off: webhook of source 1',
                text: expect.stringMatching(
                  /at source\.example answered 410 \(Gone\)\.\nNothing is sent there until/,
                ),
              },
            ],
      );
    }
  });
});

describe('while an endpoint is paused after failures', () => {
  const UNTIL = after(5 * MINUTE_MS);
  const paused = async () => {
    const one = await aCallback();
    const closed = { ok: true, probe: false, failures: 0 } as const;
    for (let time = 0; time < FAILURES_TO_OPEN; time += 1)
      await circuitStore.failed(one, endpointCircuit(1, 'webhook'), closed, one.world.now);
    return one;
  };

  it('a callback waits with one line in its log', async () => {
    const one = await paused();
    await one.handle();
    const waiting = {
      status: 'retrying',
      attempt_count: 0,
      next_attempt_at: UNTIL.toISOString(),
      error: 'Paused after repeated failures at this endpoint',
      attempts: [{ outcome: 'skipped' }],
    };
    expect(await one.stored()).toMatchObject(waiting);
    expect(one.world).toMatchObject({
      sent: [],
      queued: [{ message: messageFor(one.first), delay: 300 }],
    });
    await expectAccess(one, after(7 * MINUTE_MS));
  });

  it('a callback keeps its error', async () => {
    const one = await paused();
    const attempt = { ...skipped(START, 'before'), outcome: 'transient' as const };
    await one.add(LEAD, { status: 'retrying', error: 'It answered 503', attempts: [attempt] });
    await one.handle();
    expect(await one.stored()).toMatchObject({
      error: 'It answered 503',
      attempts: [{ outcome: 'transient' }, { outcome: 'skipped' }],
    });
  });

  it('failures count, and a success ends the pause', async () => {
    const one = await aCallback();
    one.world.answer = UNANSWERED;
    for (let lead = 0; lead < FAILURES_TO_OPEN; lead += 1)
      await callBack(one, messageFor(await one.add(`lead-${lead}`)));
    expect(await circuitStore.permit(one, endpointCircuit(1, 'webhook'), START)).toEqual({
      ok: false,
      until: UNTIL,
    });
    one.world.now = UNTIL;
    one.world.answer = {};
    await callBack(one, messageFor(await one.add('lead-9')));
    expect(await circuitStore.permit(one, endpointCircuit(1, 'webhook'), UNTIL)).toMatchObject({
      ok: true,
      failures: 0,
    });
  });
});

describe('the callback store', () => {
  it('uses the time of the change from the stream if it is present', async () => {
    const { first } = await aCallback();
    const { put } = callbackStore.created(
      { ...first, occurredAtSeconds: START.getTime() / 1000 - 5 },
      'webhook',
      START,
    );
    expect(first.occurred_at).toBe(START.toISOString());
    expect(put).toMatchObject({
      occurred_at: after(-5 * SECOND_MS).toISOString(),
      created_at: first.created_at,
    });
  });

  it('starts one new series for a finished callback', async () => {
    const one = await aCallback();
    const { table, first, add, stored } = one;
    const again = (now: Date) => callbackStore.sendAgain({ table }, LEAD, first.callback_id, now);
    expect(await again(START)).toEqual({ ok: false, callback: first });
    expect(await callbackStore.sendAgain({ table }, 'other', first.callback_id, START)).toEqual({
      ok: false,
      callback: undefined,
    });
    await add(LEAD, { status: 'failed', attempt_count: 3, error: 'It answered 503' });
    expect(await again(after(MINUTE_MS))).toEqual({ ok: true, callback: await stored() });
    expect(await stored()).toMatchObject({
      status: 'pending',
      series: 2,
      attempt_count: 0,
      queued_at: after(MINUTE_MS).toISOString(),
      error: null,
    });
    expect(await again(after(2 * MINUTE_MS))).toMatchObject({ ok: false, callback: { series: 2 } });
    await expectAccess(one, after(3 * MINUTE_MS));
  });

  it('lists the callbacks of one source, newest first, page by page', async () => {
    const deps = await aCallback();
    const { world, add } = deps;
    for (const [at, source] of [2, 1, 1].entries()) {
      world.now = after((at + 1) * MINUTE_MS);
      await add(`lead-${at + 2}`, source === 2 ? ({ source, gsi2pk: 'other' } as Partial<Callback>) : {});
    }
    const page = (cursor?: string) => listCallbacks(deps, 1, { limit: 2, cursor });
    const first = await page();
    expect(first.callbacks.map(({ lead_id }) => lead_id)).toEqual(['lead-4', 'lead-3']);
    const second = await page(first.nextCursor!);
    expect(second).toMatchObject({ callbacks: [{ lead_id: LEAD }], nextCursor: null });
    for (const cursor of ['nonsense', first.nextCursor!])
      await expect(
        listCallbacks(deps, cursor === 'nonsense' ? 1 : 2, { limit: 2, cursor }),
      ).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('the reconciliation', () => {
  it('checks a new callback after ten minutes, then after a delay equal to its overdue time', async () => {
    const one = await aCallback();
    await expectAccess(one, after(10 * MINUTE_MS));
    one.world.now = after(10 * MINUTE_MS + 1);
    expect(await requeueCallbacks(one)).toBe(1);
    await expectAccess(one, after(20 * MINUTE_MS + 2));
    one.world.now = after(40 * MINUTE_MS);
    expect(await requeueCallbacks(one)).toBe(1);
    await expectAccess(one, after(80 * MINUTE_MS));
    expect(one.world.queued).toEqual([
      { message: messageFor(one.first), delay: 0 },
      { message: messageFor(one.first), delay: 0 },
    ]);
  });

  it('requeues callbacks due within a quarter of an hour at startup, and leaves the others', async () => {
    const one = await aCallback();
    await one.add(LEAD, { next_attempt_at: after(15 * MINUTE_MS).toISOString() });
    await one.add('lead-2', { next_attempt_at: after(15 * MINUTE_MS + 1).toISOString() });
    await one.add('lead-3');
    await one.add('lead-4');
    expect(await requeueOpenCallbacks(one)).toBe(3);
    expect(
      one.world.queued
        .map(({ message: { lead_id }, delay }) => [lead_id, delay])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      [LEAD, 900],
      ['lead-3', 0],
      ['lead-4', 0],
    ]);
    // Queued messages are checked at the usual time.
    expect(
      (await one.accessesTo(after(10 * MINUTE_MS + 1))).map(({ lead_id = '' }) => lead_id).toSorted(),
    ).toEqual([LEAD, 'lead-2', 'lead-3', 'lead-4']);
  });
});

describe('an admin', () => {
  it('can resend a finished callback if its endpoint is enabled', async () => {
    const deps = await aCallback();
    const { add, set, stored, table, first, world } = deps;
    const resend = () => resendCallback(deps, 'ada', LEAD, first.callback_id);
    await expect(resend()).rejects.toMatchObject({ code: 'already_on_its_way' });
    await add(LEAD, { status: 'failed' });
    await set({ ...WEBHOOK, webhook: { ...webhook, gone_at: START.toISOString() } });
    await expect(resend()).rejects.toMatchObject({ code: 'endpoint_gone' });
    await set({ secrets: {} });
    await expect(resend()).rejects.toMatchObject({ code: 'no_endpoint' });
    expect(await stored()).toMatchObject({ status: 'failed', series: 1 });
    await set(WEBHOOK);
    await resend();
    expect(await stored()).toMatchObject({ status: 'pending', series: 2 });
    expect(
      (await auditStore.list({ table }, { entity: 'lead', entityId: LEAD }, { limit: 5 })).entries,
    ).toMatchObject([{ who: 'ada', action: 'sent_again_webhook' }]);
    await expect(resendCallback(deps, 'ada', 'other', first.callback_id)).rejects.toMatchObject({
      kind: 'not_found',
    });
    world.now = after(MINUTE_MS);
    expect(await sendTestCallback(deps, 1, 'webhook')).toMatchObject({ outcome: 'delivered' });
    expect(world.sent).toEqual([
      {
        receiver: { endpoint: 'webhook', url: webhook.url, secrets: [WEBHOOK.secrets.a!.secret] },
        content: {
          id: 'test_id',
          event: 'test',
          status: 'test',
          sequence: 0,
          occurred_at: world.now.toISOString(),
          received_at: world.now.toISOString(),
          lead_id: 'id',
          external_id: 'test',
          clickId: 'test',
          reason: null,
          amount: null,
          buyer: null,
        },
      },
    ]);
  });
});

describe('the events of a lead', () => {
  it('are in order of occurrence over all distribution attempts', async () => {
    const { first } = await aCallback();
    const order = [
      ['lead.pending', 1],
      ['lead.pending', 2],
      ['lead.assigned', 3],
      ['claim.approved', 3],
    ] as const;
    const sequences = order.map(([event, distribution_attempt]) =>
      sequenceOf({ ...first, event, distribution_attempt }),
    );
    expect(sequences).toEqual([2, 4, 6, 7]);
    expect(sequenceOf({ ...first, event: 'lead.discarded', distribution_attempt: 2 })).toBe(5);
    expect(eventIdOf({ ...first, callback_id: 'webhook_claim_approved_3' })).toBe(`${LEAD}_claim_approved_3`);
    expect(eventIdOf({ ...first, callback_id: 'postback_lead_feedback_3_2' })).toBe(
      `${LEAD}_lead_feedback_3_2`,
    );
  });
});
