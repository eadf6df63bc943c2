import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '#functions/logger';
import type { Queue } from '#functions/queues/queue';
import { createOutbox } from '#functions/workers/outbox/index';
import { aPoolEntry } from '#test/factories/buyers';
import { aDelivery } from '#test/factories/deliveries';
import { aLead } from '#test/factories/leads';
import { streamRecord } from '#test/harness/drain';

const poolEntry = (changes: object = {}) => ({ sk: 'ENTRY#000000000007', ...aPoolEntry(), ...changes });
const deliveryItem = (changes: object = {}) => ({ sk: 'DELIVERY#email', ...aDelivery(), ...changes });
const leadItem = (changes: object = {}) => ({ sk: 'LEAD', ...aLead(), ...changes });

let sent: Record<'deliver' | 'notify' | 'redistribute', object[]>;
/** Messages for which the queue says no. */
let refused: (message: object) => boolean;
const queue = <Message extends object>(name: keyof typeof sent): Queue<Message> => ({
  send: async (messages) =>
    messages.map(({ message }) => {
      if (refused(message)) return false;
      sent[name].push(message);
      return true;
    }),
});
const outbox = createOutbox(
  { deliver: queue('deliver'), notify: queue('notify'), redistribute: queue('redistribute') },
  { log: createLogger(() => undefined) },
);
beforeEach(() => {
  sent = { deliver: [], notify: [], redistribute: [] };
  refused = () => false;
});
const of = async (...records: ReturnType<typeof streamRecord>[]) => {
  const answer = await outbox({ Records: records });
  return { ...sent, failed: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
};
const NOTHING = { deliver: [], notify: [], redistribute: [], failed: [] };

describe('outbox', () => {
  it('queues a new delivery and each new round of one', async () => {
    expect(await of(streamRecord(undefined, deliveryItem()))).toEqual({
      ...NOTHING,
      deliver: [{ lead_id: aLead().lead_id, channel: 'email', round: 1, attempt_count: 0 }],
    });
    sent.deliver = [];
    expect(
      (
        await of(
          streamRecord(deliveryItem({ status: 'failed', attempt_count: 3 }), deliveryItem({ round: 2 })),
        )
      ).deliver,
    ).toEqual([{ lead_id: aLead().lead_id, channel: 'email', round: 2, attempt_count: 0 }]);
  });

  it('sends nothing for attempts, removals and other items', async () => {
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

  it('announces assigned and pending leads, and claims', async () => {
    const id = aLead().lead_id;
    expect(
      (
        await of(
          streamRecord(leadItem({ status: 'received' }), leadItem()),
          streamRecord(leadItem({ status: 'received' }), leadItem({ status: 'pending' })),
          streamRecord(leadItem(), leadItem({ claim_id: 1, claim_status: 'pending' })),
          streamRecord(leadItem({ claim_status: 'pending' }), leadItem({ claim_status: 'approved' })),
          streamRecord(leadItem({ claim_status: 'pending' }), leadItem({ claim_status: 'rejected' })),
          streamRecord(leadItem(), leadItem({ status: 'deleted' })),
        )
      ).notify,
    ).toEqual([
      { about: 'lead', lead_id: id, status: 'assigned' },
      { about: 'lead', lead_id: id, status: 'ineligible' },
      { about: 'claim_filed', lead_id: id },
      { about: 'claim_decided', lead_id: id, status: 'approved' },
      { about: 'claim_decided', lead_id: id, status: 'rejected' },
    ]);
  });

  it.each([
    ['an order was opened', poolEntry({ order_id: null }), poolEntry(), true],
    ['a new buyer is open at once', undefined, poolEntry(), true],
    ['a limit was raised', poolEntry({ has_capacity: false }), poolEntry(), true],
    ['another order took over', poolEntry(), poolEntry({ order_id: 13 }), true],
    ['a weight was given', poolEntry({ probability: 0 }), poolEntry(), true],
    ['the minimum was lowered', poolEntry({ min_investment: 100 }), poolEntry(), true],
    ['a pause ended', poolEntry({ active: false }), poolEntry(), true],
    ['the minimum was raised', poolEntry(), poolEntry({ min_investment: 100 }), false],
    ['the order is full', poolEntry(), poolEntry({ has_capacity: false }), false],
    ['another weight', poolEntry(), poolEntry({ probability: 100 }), false],
    [
      'a change while paused',
      poolEntry({ active: false, order_id: null }),
      poolEntry({ active: false }),
      false,
    ],
    ['the buyer was deleted', poolEntry(), undefined, false],
  ])('asks for another look at the backlog: %s', async (_, before, after, asks) => {
    expect((await of(streamRecord(before, after))).redistribute).toEqual(asks ? [{ buyer: 7 }] : []);
  });

  it('asks for one redistribution for a whole batch', async () => {
    const opened = streamRecord(poolEntry({ has_capacity: false }), poolEntry());
    expect((await of(opened, opened, opened)).redistribute).toHaveLength(1);
  });

  it('names the first record whose message was refused', async () => {
    const ids = ['01J00000000000000000000001', '01J00000000000000000000002', '01J00000000000000000000003'];
    refused = (message) => 'round' in message && 'lead_id' in message && message.lead_id !== ids[0];
    const answer = await of(
      ...ids.map((lead_id, at) => streamRecord(undefined, deliveryItem({ lead_id }), `s${at}`)),
      streamRecord(leadItem({ status: 'received' }), leadItem(), 's3'),
    );
    expect(answer.failed).toEqual(['s1']);
    expect(answer.deliver).toHaveLength(1);
  });
});
