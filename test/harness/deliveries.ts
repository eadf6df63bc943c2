/** Deliveries on a real table: the stored items and the context for sending. */

import type { ChannelAdapter } from '#functions/channels/channel';
import { RENEW_EVERY_MS } from '#functions/data/deliveries/destination-leases';
import type { Delivery } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import type { DeliverContext } from '#functions/domain/deliveries/deliveries';
import type { NotifyContext } from '#functions/domain/deliveries/notifications';
import { createLogger } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import type { Outgoing, Queue } from '#functions/queues/queue';
import { createReassign } from '#functions/workers/deliver/reassign';
import { aBuyer } from '#test/factories/buyers';
import { aLead } from '#test/factories/leads';
import { aTemplate } from '#test/factories/templates';

/** Stores a delivery with its lead, buyer and template. */
export async function putDelivery(table: Table, row: Delivery): Promise<void> {
  await table.put({ put: { ...keys.lead(row.lead_id), ...aLead({ lead_id: row.lead_id }) } });
  await table.put({ put: { ...keys.buyer(7), ...aBuyer() } });
  await table.put({ put: { ...keys.template(aTemplate().id), ...aTemplate() } });
  await table.put({
    put: {
      ...keys.delivery(row.lead_id, row.channel),
      ...(row.attempts.length === 0 && row.status === 'pending'
        ? {
            gsi1pk: indexed.newDeliveries(row.lead_id),
            gsi1sk: indexed.at(row.created_at, `${row.lead_id}#${row.channel}`),
          }
        : {
            gsi1pk: indexed.buyerDeliveries(row.buyer),
            gsi1sk: indexed.at(row.created_at, row.lead_id),
          }),
      ...row,
    },
  });
}

/** A queue that accepts every message and keeps it in `sent`. */
export const listQueue = <T>(sent: Outgoing<T>[] = []): Queue<T> => ({
  send: async (messages) => {
    sent.push(...messages);
    return messages.map(() => true);
  },
});

/** Lets every call start immediately. */
export const unlimited = async (_: unknown, work: () => Promise<void>): Promise<boolean> => {
  await work();
  return true;
};

/** The context of `deliver`, with one adapter for every channel. */
export const deliverDepsOn = (
  table: Table,
  adapter: ChannelAdapter,
  rest: Pick<DeliverContext, 'runtime'> & Partial<DeliverContext>,
): DeliverContext => ({
  table,
  queue: listQueue(),
  deadLetters: null,
  notifyOperator: async () => undefined,
  limiter: unlimited,
  channels: { email: adapter, heroleads: adapter, trackbox: adapter, sellanylead: adapter, http: adapter },
  reassign: createReassign(table, rest.runtime),
  personKey: async () => Buffer.alloc(32),
  ...rest,
});

/** The context of `notify`, with the test's own parts. */
export const notifyDepsOn = (
  table: Table,
  rest: Pick<NotifyContext, 'mail' | 'runtime'> & Partial<NotifyContext>,
): NotifyContext => ({
  table,
  alertAddresses: async () => [],
  push: async () => ({ outcome: 'sent' }),
  cipher: { decrypt: (text) => text },
  unsubscribeToken: () => 'token',
  personKey: async () => Buffer.alloc(32),
  linkCode: () => '12345678',
  personToken: () => 'token',
  platformMail: async () => true,
  reviewClaim: async () => undefined,
  notifyOperator: async () => undefined,
  texts: {
    push: () => ({ title: '', message: '' }),
    link: () => ({ to: '', subject: '', text: '', messageId: '' }),
    decision: () => ({ to: '', subject: '', text: '', messageId: '' }),
    alert: () => ({ text: '' }),
    erasure: () => ({ to: '', subject: '', text: '', messageId: '' }),
    confirmation: () => ({ to: '', subject: '', text: '', messageId: '' }),
  },
  ...rest,
});

/**
 * A runtime with the test's clock. `sleep` advances the clock by `pass` and returns immediately. Calls end before a lease is
 * renewed.
 */
export const runtimeAt = (
  now: () => Date,
  pass: (milliseconds: number) => void = () => undefined,
): Runtime => ({
  now,
  newId: () => '',
  newToken: () => '',
  random: () => 0,
  sleep: async (milliseconds) =>
    milliseconds < RENEW_EVERY_MS ? pass(milliseconds) : new Promise<void>(() => undefined),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  log: createLogger(() => undefined),
  metrics: { record: () => undefined },
});
