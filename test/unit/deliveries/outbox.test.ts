import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { createLogger } from '#functions/platform/logger';
import type { Queue } from '#functions/queues/queue';
import { createOutbox } from '#functions/workers/outbox/index';
import { aPoolEntry } from '#test/factories/buyers';
import { aDelivery } from '#test/factories/deliveries';
import { aLead } from '#test/factories/leads';
import { cipher } from '#test/factories/secrets';
import { changedTable } from '#test/harness/distribution';
import { streamRecord } from '#test/harness/drain';
import { memoryTable } from '#test/harness/memory-table';

const CAPPED = { paced: true, capped_until: '2026-11-23T23:00:00.000Z', capped_by: 'daily_cap_reached' };
const HOURS = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays_off: true };
const OPENED = '2026-11-23T07:00:00.000Z';
const poolEntry = (changes: object = {}) => ({ sk: 'ENTRY#000000000007', ...aPoolEntry(), ...changes });
const deliveryItem = (changes: object = {}) => ({ sk: 'DELIVERY#email', ...aDelivery(), ...changes });
const leadItem = (changes: object = {}) => ({ sk: 'LEAD', ...aLead(), ...changes });

let sent: Record<'deliver' | 'notify' | 'callback' | 'redistribute', object[]>;
/** Messages that the queue rejects. */
let refused: (message: object) => boolean;
const queue = <Message extends object>(name: keyof typeof sent): Queue<Message> => ({
  send: async (messages) =>
    messages.map(({ message }) => {
      if (refused(message)) return false;
      sent[name].push(message);
      return true;
    }),
});
/** The notifications that the credentials are subscribed to, and those written. */
let asked: { notify_lead_assignment: boolean; notify_lead_claims: boolean };
let written: Item[];
let refusesNotification: boolean;
const table = changedTable(memoryTable(), {
  put: async ({ put }) => {
    if (refusesNotification) throw new Error('The table does not answer');
    if (put.sk === 'NOTIFICATION') written.push(put);
    return { ok: true, item: put };
  },
  queryAll: async () => [
    { id: 'a', user_key: cipher.encrypt('u'), app_key: cipher.encrypt('a'), created_at: '', ...asked },
  ],
  // Leads without a source cost no read but that of the webhooks, once for all of them.
  get: (key) =>
    key.pk === keys.webhooks().pk ? Promise.resolve(undefined) : Promise.reject(new Error('Nobody asks')),
});
const outbox = createOutbox(
  {
    deliver: queue('deliver'),
    notify: queue('notify'),
    callback: queue('callback'),
    redistribute: queue('redistribute'),
  },
  {
    table,
    runtime: { log: createLogger(() => undefined), now: () => new Date('2026-11-20T10:00:00.000Z') },
  },
);
beforeEach(() => {
  asked = { notify_lead_assignment: true, notify_lead_claims: true };
  written = [];
  refusesNotification = false;
  sent = { deliver: [], notify: [], callback: [], redistribute: [] };
  refused = () => false;
});
const of = async (...records: ReturnType<typeof streamRecord>[]) => {
  const answer = await outbox({ Records: records });
  return { ...sent, failed: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
};
const NOTHING = { deliver: [], notify: [], callback: [], redistribute: [], failed: [] };

describe('the outbox', () => {
  it('queues a new delivery and each new series of one', async () => {
    expect(await of(streamRecord(undefined, deliveryItem()))).toEqual({
      ...NOTHING,
      deliver: [{ lead_id: aLead().lead_id, channel: 'email', series: 1, attempt_count: 0, buyer: 7 }],
    });
    sent.deliver = [];
    expect(
      (
        await of(
          streamRecord(deliveryItem({ status: 'failed', attempt_count: 3 }), deliveryItem({ series: 2 })),
        )
      ).deliver,
    ).toEqual([{ lead_id: aLead().lead_id, channel: 'email', series: 2, attempt_count: 0, buyer: 7 }]);
  });

  it('ignores attempts, removals and other items', async () => {
    expect(
      await of(
        streamRecord(deliveryItem(), deliveryItem({ attempt_count: 1, sending_until: 'x' })),
        streamRecord(deliveryItem(), deliveryItem({ status: 'delivered', attempt_count: 1 })),
        streamRecord(deliveryItem(), undefined),
        streamRecord(undefined, { sk: 'BUYERID', buyer: 7 }),
        streamRecord(leadItem(), leadItem({ email: 'new@example.org' })),
      ),
    ).toEqual(NOTHING);
  });

  const changesOfLeads = () => [
    streamRecord(leadItem({ status: 'received' }), leadItem(), 's0'),
    streamRecord(leadItem({ status: 'received' }), leadItem({ status: 'pending' }), 's1'),
    streamRecord(leadItem(), leadItem({ claim_id: 1, claim_status: 'pending' }), 's2'),
    streamRecord(leadItem({ claim_status: 'pending' }), leadItem({ claim_status: 'approved' }), 's3'),
    streamRecord(leadItem(), leadItem({ status: 'deleted' }), 's4'),
  ];
  const LEADS = [
    { about: 'lead', status: 'assigned' },
    { about: 'lead', status: 'ineligible' },
  ];
  const CLAIMS = [{ about: 'claim_filed' }];

  it.each([
    ['leads and claims', true, true, [...LEADS, ...CLAIMS]],
    ['leads', true, false, LEADS],
    ['claims', false, true, CLAIMS],
    ['nothing', false, false, []],
  ])('writes open notifications of %s for subscribed credentials', async (_, leads, claims, expected) => {
    asked = { notify_lead_assignment: leads, notify_lead_claims: claims };
    expect(await of(...changesOfLeads())).toEqual(NOTHING);
    expect(written).toMatchObject(
      expected.map((notification) => ({
        ...notification,
        lead_id: aLead().lead_id,
        gsi2pk: 'NOTIFICATION#open',
      })),
    );
  });

  it('queues a new notification once', async () => {
    const notification = {
      sk: 'NOTIFICATION',
      about: 'claim_decided',
      lead_id: aLead().lead_id,
      status: 'approved',
    };
    expect(
      await of(
        streamRecord(undefined, notification),
        streamRecord(notification, { ...notification, done_at: 'x' }),
      ),
    ).toEqual({
      ...NOTHING,
      notify: [{ about: 'claim_decided', lead_id: aLead().lead_id, status: 'approved' }],
    });
  });

  it('queues a notification that is repeated after it was sent', async () => {
    const notification = { sk: 'NOTIFICATION', about: 'confirm_consent', lead_id: aLead().lead_id };
    const done = { ...notification, done_at: 'x' };
    const repeated = { ...notification, request: 'r' };
    expect(await of(streamRecord(done, repeated), streamRecord(repeated, repeated))).toEqual({
      ...NOTHING,
      notify: [{ about: 'confirm_consent', lead_id: aLead().lead_id }],
    });
  });

  it('returns the record whose notification could not be stored', async () => {
    refusesNotification = true;
    expect((await of(streamRecord(undefined, deliveryItem(), 's9'), ...changesOfLeads())).failed).toEqual([
      's0',
    ]);
  });

  it.each([
    ['an order was opened', poolEntry({ order_id: null }), poolEntry(), true],
    ['a new buyer has capacity', undefined, poolEntry(), true],
    ['a limit was raised', poolEntry({ has_capacity: false }), poolEntry(), true],
    ['another order took over', poolEntry(), poolEntry({ order_id: 13 }), true],
    ['a weight was given', poolEntry({ probability: 0 }), poolEntry(), true],
    ['the minimum was lowered', poolEntry({ min_investment: 100 }), poolEntry(), true],
    ['the maximum was raised', poolEntry({ max_investment: 100 }), poolEntry({ max_investment: 101 }), true],
    ['the maximum was lifted', poolEntry({ max_investment: 100 }), poolEntry(), true],
    ['shorter terms were allowed', poolEntry({ min_term: 12 }), poolEntry(), true],
    ['longer terms were allowed', poolEntry({ max_term: 12 }), poolEntry({ max_term: 24 }), true],
    [
      'a source was allowed',
      poolEntry({ sources_allowed: [1] }),
      poolEntry({ sources_allowed: [1, 2] }),
      true,
    ],
    ['sources were no longer excluded', poolEntry({ sources_excluded: [1] }), poolEntry(), true],
    ['the sources stay', poolEntry({ sources_excluded: [1] }), poolEntry({ sources_excluded: [1] }), false],
    ['a pause ended', poolEntry({ active: false }), poolEntry(), true],
    ['a cap ended', poolEntry(CAPPED), poolEntry(), true],
    [
      'hours have begun',
      poolEntry({ schedule: HOURS }),
      poolEntry({ schedule: HOURS, opened_at: OPENED }),
      true,
    ],
    [
      'hours were changed',
      poolEntry({ schedule: HOURS }),
      poolEntry({ schedule: { ...HOURS, from: '09:00' } }),
      true,
    ],
    ['hours were lifted', poolEntry({ schedule: HOURS }), poolEntry(), true],
    ['a cap is reached', poolEntry(), poolEntry(CAPPED), false],
    ['a cap is still reached', poolEntry(CAPPED), poolEntry({ ...CAPPED, probability: 100 }), false],
    [
      'opening hours begin for a full order',
      poolEntry({ has_capacity: false }),
      poolEntry({ has_capacity: false, opened_at: OPENED }),
      false,
    ],
    ['the minimum was raised', poolEntry(), poolEntry({ min_investment: 100 }), false],
    ['a maximum was set', poolEntry(), poolEntry({ max_investment: 100 }), false],
    ['terms were restricted', poolEntry(), poolEntry({ min_term: 12, max_term: 24 }), false],
    ['another weight', poolEntry(), poolEntry({ probability: 100 }), false],
    [
      'a change while paused',
      poolEntry({ active: false, order_id: null }),
      poolEntry({ active: false }),
      false,
    ],
    ['the buyer was deleted', poolEntry(), undefined, false],
  ])('requests a redistribution of the backlog: %s', async (_, before, after, asks) => {
    expect((await of(streamRecord(before, after))).redistribute).toEqual(asks ? [{ buyer: 7 }] : []);
  });

  it('requests the next order once when one is full, next to all other messages', async () => {
    const full = streamRecord(poolEntry(), poolEntry({ has_capacity: false }));
    const gain = streamRecord(poolEntry({ active: false }), poolEntry());
    const still = streamRecord(
      poolEntry({ has_capacity: false }),
      poolEntry({ has_capacity: false, probability: 100 }),
    );
    expect((await of(full, gain, still, gain)).redistribute).toEqual([
      { buyer: 7, full: true },
      { buyer: 7 },
    ]);
  });

  it('requests one redistribution for a whole batch', async () => {
    const opened = streamRecord(poolEntry({ has_capacity: false }), poolEntry());
    expect((await of(opened, opened, opened)).redistribute).toHaveLength(1);
  });

  it('returns the first record whose message was rejected', async () => {
    const ids = ['01J00000000000000000000001', '01J00000000000000000000002', '01J00000000000000000000003'];
    refused = (message) => 'series' in message && 'lead_id' in message && message.lead_id !== ids[0];
    const answer = await of(
      ...ids.map((lead_id, at) => streamRecord(undefined, deliveryItem({ lead_id }), `s${at}`)),
      streamRecord(leadItem({ status: 'received' }), leadItem(), 's3'),
    );
    expect(answer.failed).toEqual(['s1']);
    expect(answer.deliver).toHaveLength(1);
  });
});
