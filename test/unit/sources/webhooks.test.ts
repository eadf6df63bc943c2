/** Events of the installation: from a change in the stream to the signed call, once for each event. */

import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createCallbackSender } from '#functions/channels/callback';
import * as auditStore from '#functions/data/administration/audit-store';
import * as callbackStore from '#functions/data/sources/callback-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import { fileClaim } from '#functions/domain/claims/claims';
import { ingest } from '#functions/domain/distribution/distribution';
import { eraseLead } from '#functions/domain/leads/erasure';
import { changeLimit, deleteOrder } from '#functions/domain/orders/orders';
import { callBack } from '#functions/domain/sources/callbacks';
import { requeueCallbacks } from '#functions/domain/sources/requeue-callbacks';
import { listWebhookCalls, resendWebhookCall, sendTestEvent } from '#functions/domain/webhooks/webhook-log';
import {
  createWebhook,
  createWebhookSecret,
  deleteWebhook,
  revokeWebhookSecret,
  updateWebhook,
} from '#functions/domain/webhooks/webhooks';
import type { HttpRequest } from '#functions/net/http';
import type { CallbackMessage } from '#functions/queues/messages';
import type { Queue } from '#functions/queues/queue';
import { createOutbox } from '#functions/workers/outbox/index';
import { MAX_WEBHOOKS, WEBHOOK_EVENTS, type WebhookEvent } from '#shared/rules/constants';
import { aPerson } from '#test/factories/people';
import { cipher } from '#test/factories/secrets';
import { unlimited } from '#test/harness/deliveries';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  quietRuntime,
  runDying,
} from '#test/harness/distribution';
import { erasuresOn } from '#test/harness/erasures';
import { memoryTable, modelOf } from '#test/harness/memory-table';
import { recordOf } from '#test/simulation/records';

const MINUTE_MS = 60_000;
const NONE: Queue<never> = { send: async (all) => all.map(() => true) };
const CRM = { name: 'CRM', url: 'https://crm.example/hooks', events: [...WEBHOOK_EVENTS] };

interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A table with one buyer whose order has room for two leads, its stream, the queue of callbacks and a receiver. */
class World {
  readonly table: Table = memoryTable();
  readonly queue: CallbackMessage[] = [];
  readonly received: Received[] = [];
  readonly mails: string[] = [];
  status = 200;
  clock = new Date('2026-11-20T10:00:00.000Z');
  order = 0;
  readonly runtime = { ...quietRuntime, now: () => this.clock, sleep: async () => undefined };
  readonly admin = { ...adminOn(this.table, this.runtime), cipher };
  readonly #read: number[] = [];
  readonly #queue: Queue<CallbackMessage> = {
    send: async (all) => {
      this.queue.push(...all.map(({ message }) => message));
      return all.map(() => true);
    },
  };
  readonly send = createCallbackSender({
    http: async ({ url, headers = {}, body = '' }: HttpRequest) => {
      this.received.push({ url, headers, body });
      return { status: this.status, headers: {}, body: '' };
    },
    cipher,
    // The reference library verifies by the present time.
    runtime: { now: () => new Date() },
  });

  static async open(limit = 2): Promise<World> {
    const world = new World();
    const orders = await addBuyers(world.table, [{ id: 'anna', probability: 100, limit }], world.runtime);
    world.order = orders.get('anna')?.order_id ?? 0;
    return world;
  }

  /** @returns the secret */
  async add(change: Partial<typeof CRM> = {}): Promise<string> {
    return (await createWebhook(this.admin, 'eva', { ...CRM, ...change })).secret;
  }

  async lead(): Promise<string> {
    const context = distributionOn(this.table, { runtime: this.runtime });
    return (await ingest(context, aPerson(), undefined)).lead_id;
  }

  /** Passes new stream records to the outbox. @param again all of them, as the stream may do */
  async follow(again = false, table = this.table): Promise<void> {
    const outbox = createOutbox(
      { deliver: NONE, notify: NONE, redistribute: NONE, callback: this.#queue },
      { table, runtime: this.runtime },
    );
    for (const [shard, changes] of modelOf(this.table).shards.entries()) {
      const from = again ? 0 : (this.#read[shard] ?? 0);
      const records = changes.slice(from).map((change, at) => recordOf(change, from + at));
      this.#read[shard] = changes.length;
      if (records.length > 0) expect(await outbox({ Records: records })).toEqual({ batchItemFailures: [] });
    }
  }

  readonly work = async (message: CallbackMessage, table = this.table) =>
    callBack(
      {
        table,
        queue: NONE,
        send: this.send,
        notifyOperator: async (subject, text) => void this.mails.push(`${subject}\n${text}`),
        limiter: unlimited,
        runtime: this.runtime,
      },
      message,
    );

  /** Until all messages are handled, those of their own writes too. */
  async settle(): Promise<void> {
    await this.follow();
    await this.follow();
    for (const message of this.queue.splice(0)) await this.work(message);
  }

  async pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += MINUTE_MS) {
      this.clock = new Date(this.clock.getTime() + MINUTE_MS);
      await requeueCallbacks({ table: this.table, queue: this.#queue, runtime: this.runtime });
      for (const message of this.queue.splice(0)) await this.work(message);
    }
  }

  ids(): string[] {
    return this.received.map(({ headers }) => headers['webhook-id'] ?? '').toSorted();
  }

  of(event: WebhookEvent) {
    return this.received
      .map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: object })
      .filter(({ type }) => type === event);
  }
}

describe('a webhook of the installation', () => {
  it('is called once for each lead assigned, claim filed and order filled, signed and without personal data', async () => {
    const world = await World.open();
    const secret = await world.add();
    const [first, second] = [await world.lead(), await world.lead()];
    const claim = await fileClaim(
      world.admin,
      { admin: 'eva' },
      {
        leadId: first,
        orderId: world.order,
        buyerId: 'anna',
        reason: 'Telefonnummer ist falsch',
      },
    );
    await world.settle();
    // The stream repeats everything, and several workers get the same message.
    await world.follow(true);
    await Promise.all(world.queue.splice(0).flatMap((message) => [world.work(message), world.work(message)]));
    await world.pass(30 * MINUTE_MS);
    expect(world.ids()).toEqual(
      [
        `${first}_lead_assigned_1`,
        `${second}_lead_assigned_1`,
        `${first}_claim_filed_${claim.claim_id}`,
        `order-${world.order}_order_full_2`,
      ].toSorted(),
    );
    for (const { url, headers, body } of world.received) {
      expect(url).toBe(CRM.url);
      expect(new Verifier(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
    }
    const ofOrder = { order_id: world.order, buyer_id: 'anna' };
    const assigned = { ...ofOrder, source_id: null, lead_type: 'original', price: null };
    expect(world.of('lead.assigned').map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { ...assigned, lead_id: first },
        { ...assigned, lead_id: second },
      ]),
    );
    expect(world.of('claim.filed')).toEqual([
      {
        type: 'claim.filed',
        timestamp: expect.any(String),
        data: { ...ofOrder, lead_id: first, source_id: null, claim_id: claim.claim_id },
      },
    ]);
    expect(world.of('order.full').map(({ data }) => data)).toEqual([{ ...ofOrder, lead_limit: 2 }]);
    const stored = JSON.stringify([
      world.received,
      (await itemsOf(world.table)).filter(({ sk }) => String(sk).startsWith('CALLBACK#')),
    ]);
    for (const text of Object.values(aPerson()))
      if (typeof text === 'string') expect(stored).not.toContain(text);
  });

  it('is called of every event despite crashes of outbox and worker', async () => {
    for (let call = 1, over = 0; over < 2; call += 1) {
      const world = await World.open(1);
      await world.add();
      const lead = await world.lead();
      over = 0;
      const when = call % 2 === 0 ? 'before' : 'after';
      const outbox = (on: Table) => world.follow(true, on).catch(() => undefined);
      const worker = async (on: Table) => {
        for (const message of world.queue.splice(0)) await world.work(message, on);
      };
      if (!(await runDying(world.table, call, when, outbox))) over += 1;
      await world.follow(true);
      if (!(await runDying(world.table, call, when, worker))) over += 1;
      await world.pass(40 * MINUTE_MS);
      expect([...new Set(world.ids())], `call ${call}`).toEqual(
        [`${lead}_lead_assigned_1`, `order-${world.order}_order_full_1`].toSorted(),
      );
      const { callbacks } = await listWebhookCalls(world.admin, 1, { limit: 10 });
      expect(
        callbacks.map(({ status }) => status),
        `call ${call}`,
      ).toEqual(['delivered', 'delivered']);
    }
  });

  it('hears of a full order again only after its limit was raised and filled', async () => {
    const world = await World.open(1);
    await world.add({ events: ['order.full'] });
    await world.lead();
    await world.settle();
    await changeLimit(world.admin, 'eva', 'anna', 2);
    await world.settle();
    expect(world.ids()).toEqual([`order-${world.order}_order_full_1`]);
    await world.lead();
    await world.settle();
    expect(world.ids()).toEqual([`order-${world.order}_order_full_1`, `order-${world.order}_order_full_2`]);
  });

  it('hears of no order that was deleted or that has room again', async () => {
    const world = await World.open();
    await world.add();
    await deleteOrder(world.admin, 'eva', 'anna', world.order);
    await world.settle();
    expect(world.received).toEqual([]);
    const raised = await World.open(1);
    await raised.add({ events: ['order.full'] });
    await raised.lead();
    await changeLimit(raised.admin, 'eva', 'anna', 2);
    await raised.settle();
    expect(raised.received).toEqual([]);
  });

  it('gets the price in euro', async () => {
    const world = await World.open();
    await world.add({ events: ['lead.assigned'] });
    await world.table.update({
      key: keys.order(world.order),
      update: 'SET price_per_lead = :price',
      values: { ':price': 4550 },
    });
    await world.lead();
    await world.settle();
    expect(world.of('lead.assigned')[0]?.data).toMatchObject({ price: 45.5 });
  });

  it('is called again after an answer of 500, and paused after repeated failures', async () => {
    const world = await World.open(20);
    await world.add({ events: ['lead.assigned'] });
    world.status = 500;
    const lead = await world.lead();
    await world.settle();
    expect(world.received).toHaveLength(1);
    await world.pass(10 * MINUTE_MS);
    expect(world.received.length).toBeGreaterThan(1);
    for (let more = 0; more < 6; more += 1) await world.lead();
    await world.settle();
    const paused = (await listWebhookCalls(world.admin, 1, { limit: 50 })).callbacks;
    expect(paused.map(({ error }) => error)).toContain('Paused after repeated failures at this endpoint');
    world.status = 200;
    await world.pass(180 * MINUTE_MS);
    const { callbacks } = await listWebhookCalls(world.admin, 1, { limit: 50 });
    expect(callbacks.map(({ status }) => status)).toEqual(Array(7).fill('delivered'));
    expect(new Set(world.ids().filter((id) => id.startsWith(lead)))).toEqual(
      new Set([`${lead}_lead_assigned_1`]),
    );
  });

  it('is off after an answer of 410 until it is saved again', async () => {
    const world = await World.open(20);
    await world.add();
    world.status = 410;
    const lead = await world.lead();
    await world.settle();
    expect(world.mails).toEqual([
      'Callbacks turned off: webhook "CRM"\nThe webhook "CRM" at crm.example answered 410 (Gone).\n' +
        'Nothing is sent there until you save it again under Settings → "Webhooks" in the admin app.',
    ]);
    await world.lead();
    await world.settle();
    expect(world.received).toHaveLength(1);
    const resend = () => resendWebhookCall(world.admin, 'eva', 1, `${lead}_lead_assigned_1`);
    await expect(resend()).rejects.toMatchObject({ code: 'endpoint_gone' });
    await expect(sendTestEvent({ ...world.admin, send: world.send }, 1)).rejects.toMatchObject({
      code: 'endpoint_gone',
    });
    await updateWebhook(world.admin, 'eva', 1, { url: CRM.url });
    world.status = 200;
    await resend();
    await world.settle();
    expect(world.ids()).toEqual([`${lead}_lead_assigned_1`, `${lead}_lead_assigned_1`]);
  });

  it('is not called once it is deleted, and its number is not used again', async () => {
    const world = await World.open();
    await world.add();
    await world.lead();
    await world.follow();
    await deleteWebhook(world.admin, 'eva', 1);
    await world.settle();
    expect(world.received).toEqual([]);
    expect((await createWebhook(world.admin, 'eva', CRM)).webhook.webhook).toBe(2);
    await expect(resendWebhookCall(world.admin, 'eva', 1, 'order-1_order_full_2')).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
  });

  it('sends nothing about a person who was erased', async () => {
    const world = await World.open();
    await world.add({ events: ['lead.assigned'] });
    const lead = await world.lead();
    await world.follow();
    await eraseLead(erasuresOn(world), 'eva', lead, 'request');
    await world.settle();
    expect(world.received).toEqual([]);
    expect(await callbackStore.about(world.admin, lead)).toMatchObject([{ status: 'failed', attempts: [] }]);
  });

  it('receives a test event, signed with both of its secrets', async () => {
    const world = await World.open();
    const first = await world.add();
    const { secret: second } = await createWebhookSecret(world.admin, 'eva', 1);
    await expect(createWebhookSecret(world.admin, 'eva', 1)).rejects.toMatchObject({ code: 'two_secrets' });
    const test = () => sendTestEvent({ ...world.admin, send: world.send }, 1);
    expect(await test()).toMatchObject({ outcome: 'delivered' });
    const verify = (secret: string) => {
      const { body, headers } = world.received.at(-1)!;
      return new Verifier(secret).verify(body, { ...headers });
    };
    for (const secret of [first, second]) expect(verify(secret)).toMatchObject({ type: 'test', data: {} });
    await revokeWebhookSecret(world.admin, 'eva', 1, 'a');
    await test();
    expect(() => verify(first)).toThrow('No matching signature');
    expect(verify(second)).toMatchObject({ type: 'test' });
    await expect(revokeWebhookSecret(world.admin, 'eva', 1, 'b')).rejects.toMatchObject({
      code: 'only_secret',
    });
    await expect(revokeWebhookSecret(world.admin, 'eva', 1, 'a')).rejects.toMatchObject({
      code: 'secret_not_found',
    });
  });
});

describe('the webhooks', () => {
  it(`are at most ${MAX_WEBHOOKS}`, async () => {
    const world = await World.open();
    for (let added = 0; added < MAX_WEBHOOKS; added += 1) await world.add();
    await expect(world.add()).rejects.toMatchObject({ code: 'too_many_webhooks' });
  });

  it('are all kept when two admins add or change one at the same time', async () => {
    const world = await World.open();
    await Promise.all([world.add({ name: 'one' }), world.add({ name: 'two' })]);
    const { webhooks } = await webhookStore.get(world.admin);
    expect(webhooks.map(({ webhook }) => webhook)).toEqual([1, 2]);
    expect(new Set(webhooks.map(({ name }) => name))).toEqual(new Set(['one', 'two']));
    const expected = { name: webhooks[0]!.name };
    await updateWebhook(world.admin, 'eva', 1, { name: 'new', expected });
    await expect(updateWebhook(world.admin, 'udo', 1, { name: 'other', expected })).rejects.toMatchObject({
      code: 'edited_meanwhile',
    });
  });

  it('are in the audit trail without their secrets', async () => {
    const world = await World.open();
    const secret = await world.add();
    await updateWebhook(world.admin, 'eva', 1, { events: ['order.full'] });
    await updateWebhook(world.admin, 'eva', 1, { events: ['order.full'] });
    await deleteWebhook(world.admin, 'eva', 1);
    const of = { entity: 'setting', entityId: 'webhook-1' } as const;
    const { entries } = await auditStore.list(world.admin, of, { limit: 10 });
    expect(entries.map(({ action, label }) => `${action} ${label}`).toSorted()).toEqual([
      'created CRM',
      'deleted CRM',
      'updated CRM',
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });
});
