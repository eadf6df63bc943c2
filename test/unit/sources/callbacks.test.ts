/** Callbacks to sources: from a change in the stream to the receiver, with crashes and failures. */

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  type CallbackContent,
  type Content,
  createCallbackSender,
  type Receiver,
} from '#functions/channels/callback';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import { type Callback, callbackSchema } from '#functions/data/sources/callback';
import * as endpointStore from '#functions/data/sources/endpoints';
import { type Endpoints } from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { callBack } from '#functions/domain/sources/callbacks';
import { requeueCallbacks } from '#functions/domain/sources/requeue-callbacks';
import { HttpFailure, type HttpRequest } from '#functions/net/http';
import type { Runtime } from '#functions/platform/runtime';
import type { CallbackMessage } from '#functions/queues/messages';
import type { Queue } from '#functions/queues/queue';
import { createOutbox } from '#functions/workers/outbox/index';
import { CALLBACK_EVENTS } from '#shared/rules/constants';
import { aBuyer } from '#test/factories/buyers';
import { aReport } from '#test/factories/deliveries';
import { aReceivedLead } from '#test/factories/leads';
import { cipher } from '#test/factories/secrets';
import { aSource } from '#test/factories/sources';
import { runtimeAt, unlimited } from '#test/harness/deliveries';
import { itemsOf, runDying } from '#test/harness/distribution';
import { memoryTable, modelOf } from '#test/harness/memory-table';
import { recordOf } from '#test/simulation/records';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-20T10:00:00.000Z');
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const EVERYTHING = [...CALLBACK_EVENTS];
const ENDPOINTS: Omit<Endpoints, 'source' | 'version'> = {
  webhook: { url: 'https://source.example/hook', events: EVERYTHING },
  postback: { url: 'https://tracker.example/?c={clickId}', events: EVERYTHING },
  secrets: { a: { secret: cipher.encrypt(SECRET), created_at: '' } },
};
const NONE: Queue<never> = { send: async (all) => all.map(() => true) };

interface Sent extends CallbackContent {
  readonly endpoint: string;
}

/** A table with a source, its stream, its callback queue, and the receiver. */
class World {
  readonly table: Table = memoryTable();
  readonly sent: Sent[] = [];
  readonly queue: CallbackMessage[] = [];
  clock = START;
  readonly runtime: Runtime = {
    ...runtimeAt(() => this.clock),
    newId: () => 'id',
  };
  readonly #read: number[] = [];

  static async open(source: Partial<Source> = {}, endpoints = ENDPOINTS): Promise<World> {
    const world = new World();
    await world.table.transact(sourceStore.created(aSource(source)));
    await world.table.put(endpointStore.changed(await endpointStore.get(world, 1), endpoints));
    await world.table.put({ put: { ...keys.buyer(7), ...aBuyer({ buyer_id: 'anna' }) } });
    return world;
  }

  /** Messages sent to the queue, except lost ones. */
  #callbacks(lost: () => boolean = () => false): Queue<CallbackMessage> {
    return {
      send: async (all) => {
        this.queue.push(...all.filter(() => !lost()).map(({ message }) => message));
        return all.map(() => true);
      },
    };
  }

  /** Passes new stream records to the outbox. */
  async follow(table = this.table, lost?: () => boolean): Promise<void> {
    const outbox = createOutbox(
      { deliver: NONE, notify: NONE, redistribute: NONE, callback: this.#callbacks(lost) },
      { table, runtime: this.runtime },
    );
    for (const [shard, changes] of modelOf(this.table).shards.entries())
      for (let from = this.#read[shard] ?? 0; from < changes.length; from = this.#read[shard] ?? 0) {
        const records = changes.slice(from, from + 5).map((change, at) => recordOf(change, from + at));
        const { batchItemFailures } = await outbox({ Records: records });
        const failed = batchItemFailures[0]?.itemIdentifier;
        this.#read[shard] = failed === undefined ? from + records.length : Number(failed);
        if (failed !== undefined) return;
      }
  }

  deps(table = this.table) {
    return {
      table,
      queue: NONE,
      send: async (receiver: Receiver, notified: Content) => {
        this.sent.push({ ...(notified as CallbackContent), endpoint: receiver.endpoint });
        return aReport({ status_code: 200 });
      },
      notifyOperator: async () => undefined,
      limiter: unlimited,
      runtime: this.runtime,
    };
  }

  async work(table = this.table): Promise<void> {
    for (let message = this.queue.shift(); message !== undefined; message = this.queue.shift())
      await callBack(this.deps(table), message);
  }

  /** Runs the reconciliation and the messages that it queues. */
  async pass(milliseconds: number, everyMs = MINUTE_MS): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += everyMs) {
      this.clock = new Date(this.clock.getTime() + everyMs);
      await this.follow();
      await requeueCallbacks({ table: this.table, queue: this.#callbacks(), runtime: this.runtime });
      await this.work();
    }
  }

  async callbacks(): Promise<Callback[]> {
    const items = await itemsOf(this.table);
    return items
      .filter(({ sk }) => String(sk).startsWith('CALLBACK#'))
      .map((item) => callbackSchema.parse(item));
  }
}

const leadOf = (name: string, changes: Partial<Lead> = {}): Lead =>
  aReceivedLead({
    lead_id: `01J0000000000000000000000${name}`,
    source: 1,
    external_id: `form-${name}`,
    clickId: `click-${name}`,
    ...changes,
  });

const ASSIGNMENT = { buyer: 7, order_id: 12, sequence: 3, lead_type: 'original' } as const;

/** One lead is assigned and claimed; one is pending, redistributed without success, then assigned; one is discarded. */
async function history(table: Table): Promise<void> {
  const [one, two, three] = [leadOf('A'), leadOf('B'), leadOf('C')];
  for (const lead of [one, two, three]) await leadStore.receive({ table }, lead);
  await table.transact(leadStore.assigned(one, ASSIGNMENT, [], '2026-11-20T10:00:01.000Z', { notes: [] }));
  for (const lead of [two, three])
    await leadStore.markPending({ table }, lead, { reason: 'limits_reached', notes: [] });
  const again = await restarted(table, two);
  await leadStore.markPending({ table }, again, { reason: 'limits_reached', notes: [] });
  const last = await restarted(table, again);
  await table.transact(
    leadStore.assigned(last, { ...ASSIGNMENT, sequence: 4 }, [], '2026-11-20T10:00:02.000Z', { notes: [] }),
  );
  await table.transact([
    leadWrites.discarded(
      (await leadStore.get({ table }, three.lead_id))!,
      '2026-11-20T10:00:03.000Z',
      'hash',
    ),
  ]);
  for (const claim_status of ['pending', 'approved'])
    await table.update({
      key: keys.lead(one.lead_id),
      update: 'SET claim_id = :id, claim_status = :status',
      values: { ':id': 1, ':status': claim_status },
    });
}

async function restarted(table: Table, { lead_id }: Lead): Promise<Lead> {
  const lead = (await leadStore.get({ table }, lead_id))!;
  return (await leadStore.restart({ table }, lead, '2026-11-20T10:00:01.500Z'))!;
}

const A = '01J0000000000000000000000A';
const B = '01J0000000000000000000000B';
const C = '01J0000000000000000000000C';
const EXPECTED = [
  `${A}_lead_assigned_1`,
  `${A}_claim_approved_1`,
  `${B}_lead_pending_1`,
  `${B}_lead_assigned_3`,
  `${C}_lead_pending_1`,
  `${C}_lead_discarded_1`,
];
const BOTH = EXPECTED.flatMap((id) => [`postback ${id}`, `webhook ${id}`]).toSorted();
const namesOf = (sent: readonly Sent[]) => sent.map(({ endpoint, id }) => `${endpoint} ${id}`);

describe('a source', () => {
  it('is notified once of every change of its leads, with IDs derived from the change', async () => {
    const world = await World.open();
    await history(world.table);
    await world.follow();
    // Stream records and messages are delivered twice.
    const messages = [...world.queue, ...world.queue];
    world.queue.push(...messages);
    await world.follow();
    // Concurrently, so that several workers have the same message.
    await Promise.all(world.queue.splice(0).map((message) => callBack(world.deps(), message)));
    await world.pass(30 * MINUTE_MS);
    expect(namesOf(world.sent).toSorted()).toEqual(BOTH);
    const ofWebhook = (id: string) => world.sent.find((one) => one.endpoint === 'webhook' && one.id === id);
    expect(ofWebhook(`${C}_lead_discarded_1`)).toMatchObject({
      event: 'lead.discarded',
      status: 'discarded',
      external_id: 'form-C',
      clickId: 'click-C',
      reason: null,
      buyer: null,
    });
    expect(ofWebhook(`${B}_lead_pending_1`)).toMatchObject({ reason: 'limits_reached', buyer: null });
    const order = (lead: string) =>
      world.sent
        .filter(({ lead_id, endpoint }) => lead_id === lead && endpoint === 'webhook')
        .toSorted((one, other) => one.sequence - other.sequence)
        .map(({ event }) => event);
    expect([order(A), order(B), order(C)]).toEqual([
      ['lead.assigned', 'claim.approved'],
      ['lead.pending', 'lead.assigned'],
      ['lead.pending', 'lead.discarded'],
    ]);
    // No personal data is stored or sent.
    const stored = JSON.stringify([await world.callbacks(), world.sent]);
    for (const text of ['Mustermann', 'example.org', '+49']) expect(stored).not.toContain(text);
  });

  it('is notified of every change despite crashes of outbox and worker and lost messages', async () => {
    for (let call = 1, over = 0; over < 2; call += call < 20 ? 1 : 4) {
      const world = await World.open();
      await history(world.table);
      const when = call % 2 === 0 ? 'before' : 'after';
      let messages = 0;
      const isLost = () => (messages += 1) % 3 === 0;
      over = 0;
      for (const work of [(on: Table) => world.follow(on, isLost), (on: Table) => world.work(on)])
        if (!(await runDying(world.table, call, when, work))) over += 1;
      // Messages of a dead worker are redelivered; the reconciliation finds lost ones.
      await world.pass(40 * MINUTE_MS, 10 * MINUTE_MS);
      expect([...new Set(namesOf(world.sent))].toSorted(), `call ${call}`).toEqual(BOTH);
      expect(world.sent.length, `call ${call}`).toBeLessThanOrEqual(BOTH.length + 1);
      const open = (await world.callbacks()).filter(({ status }) => status !== 'delivered');
      expect(open, `call ${call}`).toEqual([]);
    }
  });

  it('gets no callbacks for unsubscribed events, in test mode, or for leads of other sources', async () => {
    const world = await World.open(
      {},
      { ...ENDPOINTS, webhook: { ...ENDPOINTS.webhook!, events: ['lead.assigned'] } },
    );
    await history(world.table);
    await leadStore.receive(world, leadOf('D', { source: 2 }));
    await world.pass(MINUTE_MS);
    expect(
      namesOf(world.sent)
        .filter((name) => name.startsWith('webhook'))
        .toSorted(),
    ).toEqual([`webhook ${A}_lead_assigned_1`, `webhook ${B}_lead_assigned_3`]);
    const inTest = await World.open({ state: 'test' });
    await history(inTest.table);
    await inTest.pass(20 * MINUTE_MS);
    expect(await inTest.callbacks()).toEqual([]);
  });

  it('learns what the buyer says of a lead, and that its claim was rejected', async () => {
    const world = await World.open();
    const lead = leadOf('A', { anlagebetrag: 1_234_550 });
    await leadStore.receive(world, lead);
    await world.table.transact(
      leadStore.assigned(lead, ASSIGNMENT, [], '2026-11-20T10:00:01.000Z', { notes: [] }),
    );
    const said = ['not_reached', 'not_reached', 'closed', undefined] as const;
    for (const [index, feedback] of said.entries()) {
      const stored = (await leadStore.get(world, A))!;
      await world.table.transact([
        leadWrites.feedbackChanged(
          { ...stored, order_id: 12 },
          {
            ...(feedback && { said: feedback }),
            at: START.toISOString(),
            who: 'link',
            order_id: 12,
            entries: index + 1,
          },
        ),
      ]);
    }
    for (const status of ['pending', 'rejected'])
      await world.table.update({
        key: keys.lead(A),
        update: 'SET claim_id = :id, claim_status = :status',
        values: { ':id': 1, ':status': status },
      });
    await world.pass(MINUTE_MS);
    const sent = world.sent.filter(({ endpoint }) => endpoint === 'postback');
    expect(
      sent
        .map(({ id, event, status, amount }) => [id, event, status, amount])
        .toSorted(([one = ''], [other = '']) => String(one).localeCompare(String(other))),
    ).toEqual([
      [`${A}_claim_rejected_1`, 'claim.rejected', 'claim_rejected', 1_234_550],
      [`${A}_lead_assigned_1`, 'lead.assigned', 'assigned', 1_234_550],
      [`${A}_lead_feedback_1_1`, 'lead.feedback', 'not_reached', 1_234_550],
      // The second entry says the same.
      [`${A}_lead_feedback_1_3`, 'lead.feedback', 'closed', 1_234_550],
      [`${A}_lead_feedback_1_4`, 'lead.feedback', 'no_feedback', 1_234_550],
    ]);
    const times = sent
      .filter(({ event }) => event === 'lead.feedback')
      .map(({ id, occurred_at }) => `${occurred_at} ${id}`);
    expect(times.toSorted().map((time) => time.at(-1))).toEqual(['1', '3', '4']);
  });

  it('learns nothing about feedback when its lead leaves the buyer', async () => {
    const world = await World.open({ sees_buyers: true });
    const lead = leadOf('A');
    await leadStore.receive(world, lead);
    await world.table.transact(
      leadStore.assigned(lead, ASSIGNMENT, [], '2026-11-20T10:00:01.000Z', { notes: [] }),
    );
    const said = { said: 'reached', at: '', who: 'link', order_id: 12, entries: 1 } as const;
    await world.table.transact([
      leadWrites.feedbackChanged({ ...(await leadStore.get(world, A))!, order_id: 12 }, said),
    ]);
    const assignment = { ...ASSIGNMENT, assigned_at: '2026-11-20T10:00:01.000Z' };
    await world.table.transact(
      leadStore.reassigned(
        world,
        (await leadStore.details(world, A))!,
        assignment,
        '2026-11-20T10:00:03.000Z',
      ),
    );
    await world.pass(MINUTE_MS);
    expect(
      namesOf(world.sent)
        .filter((name) => name.includes('feedback'))
        .toSorted(),
    ).toEqual([`postback ${A}_lead_feedback_1_1`, `webhook ${A}_lead_feedback_1_1`]);
  });
});

const DISCLOSED_FIELDS: CallbackContent = {
  id: `${A}_lead_assigned_1`,
  event: 'lead.assigned',
  status: 'assigned',
  sequence: 2,
  occurred_at: '2026-11-20T10:00:00.000Z',
  received_at: '2026-11-20T09:59:59.000Z',
  lead_id: A,
  external_id: 'form 1&status=paid',
  clickId: '../ü?#',
  reason: null,
  amount: 2_500_000,
  buyer: null,
};

describe('a callback', () => {
  const requests: HttpRequest[] = [];
  const sender = (answer: () => Promise<{ status: number; headers: object; body: string }>) =>
    createCallbackSender({
      http: async (request) => {
        requests.push(request);
        return (await answer()) as never;
      },
      cipher,
      runtime: { now: () => new Date() },
    });
  const answering = (status: number, body = '') => sender(async () => ({ status, headers: {}, body }));
  const signal = new AbortController().signal;
  const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const webhook: Receiver = {
    endpoint: 'webhook',
    url: 'https://source.example/hook?token=geheim',
    secrets: [SECRET, other].map((secret) => cipher.encrypt(secret)),
  };

  it('has a signature that the reference library verifies with each of two secrets', async () => {
    const report = await answering(204)(webhook, DISCLOSED_FIELDS, signal);
    const { headers = {}, body = '' } = requests.at(-1)!;
    for (const secret of [SECRET, other])
      expect(new Webhook(secret).verify(body, headers)).toEqual({
        type: 'lead.assigned',
        timestamp: DISCLOSED_FIELDS.occurred_at,
        data: {
          lead_id: A,
          external_id: DISCLOSED_FIELDS.external_id,
          clickId: DISCLOSED_FIELDS.clickId,
          status: 'assigned',
          reason: null,
          sequence: 2,
          received_at: DISCLOSED_FIELDS.received_at,
          buyer: null,
        },
      });
    expect(headers['webhook-id']).toBe(DISCLOSED_FIELDS.id);
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers)).toThrow();
    expect(report).toMatchObject({ outcome: 'delivered', status_code: 204 });
  });

  it('logs neither secrets nor tokens', async () => {
    const report = await answering(500, `you sent ${SECRET} to https://a.example/x?token=geheim`)(
      webhook,
      DISCLOSED_FIELDS,
      signal,
    );
    expect(JSON.stringify(report)).not.toMatch(/geheim|whsec_B/);
    expect(report.request).toContain('lead.assigned');
  });

  it('by postback encodes every value in the URL', async () => {
    const url =
      'https://tracker.example/p/{clickId}?id={externalId}&s={status}&e={event}&r={reason}&b={buyer}&v={amount}&c={currency}';
    const postback: Receiver = { endpoint: 'postback', url, secrets: [] };
    await answering(200)(postback, DISCLOSED_FIELDS, signal);
    const called = new URL(requests.at(-1)!.url);
    expect(requests.at(-1)).toMatchObject({ method: 'GET' });
    expect(called.pathname).toBe(`/p/${encodeURIComponent(DISCLOSED_FIELDS.clickId!)}`);
    expect(Object.fromEntries(called.searchParams)).toEqual({
      id: DISCLOSED_FIELDS.external_id,
      s: 'assigned',
      e: 'lead.assigned',
      r: '',
      b: '',
      v: '25000.00',
      c: 'EUR',
    });
    for (const [clickId, path] of [
      ['..', '/p/'],
      ['\ud800', '/p/%EF%BF%BD'],
    ] as const) {
      await answering(200)(postback, { ...DISCLOSED_FIELDS, clickId }, signal);
      expect(new URL(requests.at(-1)!.url).pathname).toBe(path);
    }
  });

  it.each([
    [200, 'delivered'],
    [302, 'transient'],
    [404, 'transient'],
    [410, 'permanent'],
    [429, 'transient'],
    [500, 'unknown'],
  ])('with status %i is %s', async (status, outcome) => {
    expect(await answering(status)(webhook, DISCLOSED_FIELDS, signal)).toMatchObject({
      status_code: status,
      outcome,
    });
  });

  it('without a reachable receiver is reported', async () => {
    const failing = (kind: HttpFailure['kind']) =>
      sender(async () => {
        throw new HttpFailure(kind, 'ECODE');
      })(webhook, DISCLOSED_FIELDS, signal);
    expect(await failing('refused')).toMatchObject({
      outcome: 'permanent',
      error: 'The receiver has no public address',
    });
    expect(await failing('not_sent')).toMatchObject({ outcome: 'transient' });
    expect(await failing('no_answer')).toMatchObject({ outcome: 'unknown' });
    const unreadable = { ...webhook, secrets: ['v1.other.AAAA' as never] };
    expect(await answering(200)(unreadable, DISCLOSED_FIELDS, signal)).toMatchObject({
      outcome: 'permanent',
    });
  });
});
