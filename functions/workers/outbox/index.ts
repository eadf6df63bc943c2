/**
 * Turns the table's stream into messages, and changes of leads into notifications and callbacks. If a queue refuses a
 * message, or the table a write, the answer names the first such record, and Lambda repeats everything from there.
 * Duplicate messages are harmless.
 */

import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as settingStore from '#functions/data/administration/settings-store';
import type { DataContext } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import { hasCapacity } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import type { SourceEvent } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import * as endpointStore from '#functions/data/sources/endpoints';
import { endpointsFor } from '#functions/data/sources/endpoints';
import * as sourceStore from '#functions/data/sources/source-store';
import { openTable } from '#functions/data/table/open-table';
import type { InstallationEvent } from '#functions/data/webhooks/webhook-call';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import { webhooksFor } from '#functions/data/webhooks/webhooks';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import {
  type CallbackMessage,
  type DeliverMessage,
  isBacklog,
  type NotifyMessage,
  type RedistributeMessage,
} from '#functions/queues/messages';
import type { Queue } from '#functions/queues/queue';
import { createDeliverQueue, createQueue, openQueues } from '#functions/queues/sqs';
import {
  installationEventOf,
  type Messages,
  messagesOf,
  type PushSubject,
  pushesOf,
  sourceEventOf,
} from '#functions/workers/outbox/changes';
import type { FunctionEnvironment } from '#functions/workers/outbox/environment';

export type OutboxHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

interface Queues {
  readonly deliver: Queue<DeliverMessage>;
  readonly notify: Queue<NotifyMessage>;
  readonly callback: Queue<CallbackMessage>;
  readonly redistribute: Queue<RedistributeMessage>;
}

interface OutboxContext extends DataContext {
  readonly runtime: Pick<Runtime, 'log' | 'now'>;
}

export function create(environment: FunctionEnvironment, runtime: Runtime): OutboxHandler {
  const client = openQueues(environment, runtime);
  const table = openTable(environment, runtime);
  return createOutbox(
    {
      deliver: createDeliverQueue(client, environment.DELIVER_QUEUE_URL, runtime.log),
      notify: createQueue(client, environment.NOTIFY_QUEUE_URL, runtime.log),
      callback: createQueue(client, environment.CALLBACK_QUEUE_URL, runtime.log),
      redistribute: createQueue(client, environment.REDISTRIBUTE_QUEUE_URL, runtime.log),
    },
    { table, runtime },
  );
}

export function createOutbox(queues: Queues, context: OutboxContext): OutboxHandler {
  const { log } = context.runtime;
  return async (event) => {
    const changes = event.Records.map(({ dynamodb }) => [dynamodb?.OldImage, dynamodb?.NewImage] as const);
    const messages = changes.map(([before, after]) => messagesOf(before, after));
    const pushes = changes.map(([before, after]) => pushesOf(before, after));
    const sourceEvents = event.Records.map(({ dynamodb }) =>
      sourceEventOf(dynamodb?.OldImage, dynamodb?.NewImage, dynamodb?.ApproximateCreationDateTime),
    );
    const installationEvents = event.Records.map(({ dynamodb }) => {
      const seconds = dynamodb?.ApproximateCreationDateTime;
      const at = seconds === undefined ? context.runtime.now() : new Date(seconds * 1000);
      return installationEventOf(dynamodb?.OldImage, dynamodb?.NewImage, at);
    });
    const all = <Kind extends keyof Messages>(kind: Kind) => messages.map((one) => one[kind]);
    const failures = await Promise.all([
      sendPerRecord(queues.deliver, all('deliver')),
      sendPerRecord(queues.notify, all('notify')),
      sendPerRecord(queues.callback, all('callback')),
      sendPerRecord(queues.redistribute, lastOfBacklog(all('redistribute'))),
      createNotifications(context, pushes),
      createCallbacks(context, sourceEvents),
      createWebhookCalls(context, installationEvents),
    ]);
    const first = Math.min(...failures);
    const failed = event.Records[first];
    if (failed === undefined) return { batchItemFailures: [] };
    log.error('outbox: a queue did not accept a message', { record: first, records: changes.length });
    return { batchItemFailures: [{ itemIdentifier: failed.dynamodb?.SequenceNumber ?? '' }] };
  };
}

type PerRecord<Item> = readonly (readonly Item[])[];

/** @returns the index of the first record with a message that the queue refused, else Infinity */
async function sendPerRecord<Message>(queue: Queue<Message>, perRecord: PerRecord<Message>): Promise<number> {
  const all = perRecord.flatMap((messages, record) => messages.map((message) => ({ message, record })));
  if (all.length === 0) return Number.POSITIVE_INFINITY;
  const accepted = await queue.send(all.map(({ message }) => ({ message })));
  return Math.min(
    ...all.map(({ record }, at) => (accepted[at] === true ? Number.POSITIVE_INFINITY : record)),
  );
}

/** @returns like `sendPerRecord` */
async function createNotifications(context: OutboxContext, pushes: PerRecord<PushSubject>): Promise<number> {
  const { log, now } = context.runtime;
  const all = pushes.flatMap((some, record) => some.map((push) => ({ push, record })));
  if (all.length === 0) return Number.POSITIVE_INFINITY;
  let done = 0;
  try {
    const credentials = await settingStore.credentials(context);
    const asked = {
      lead: credentials.some(({ notify_lead_assignment }) => notify_lead_assignment),
      claim_filed: credentials.some(({ notify_lead_claims }) => notify_lead_claims),
      confirm_consent: true,
    };
    for (const { push } of all) {
      if (asked[push.about]) await context.table.put(notificationStore.created(push, now()));
      done += 1;
    }
    return Number.POSITIVE_INFINITY;
  } catch (error) {
    log.error('outbox: a notification could not be written', errorFields(error));
    return all[done]?.record ?? 0;
  }
}

/** @returns like `sendPerRecord` */
async function createCallbacks(
  context: OutboxContext,
  perRecord: readonly (SourceEvent | undefined)[],
): Promise<number> {
  const { now } = context.runtime;
  const { failures, failed } = unwritten(context);
  const bySource = new Map<number, { readonly event: SourceEvent; readonly record: number }[]>();
  for (const [record, event] of perRecord.entries())
    if (event !== undefined)
      bySource.set(event.source, [...(bySource.get(event.source) ?? []), { event, record }]);
  await mapConcurrently([...bySource], async ([source, all]) => {
    try {
      const endpoints = await endpointStore.get(context, source);
      const notified = all.flatMap(({ event, record }) =>
        endpointsFor(endpoints, event.event).map((endpoint) => ({ event, endpoint, record })),
      );
      if (notified.length === 0) return;
      const stored = await sourceStore.get(context, source);
      if (stored?.state === 'test') return;
      const isBuyerNotification = ({ ofBuyersOnly }: SourceEvent) =>
        ofBuyersOnly !== true || stored?.sees_buyers === true;
      await mapConcurrently(notified, async ({ event, endpoint, record }) => {
        if (!isBuyerNotification(event)) return;
        const created = callbackStore.created(event, endpoint, now());
        await context.table.put(created).catch((error: unknown) => failed(record, error));
      });
    } catch (error) {
      failed(all[0]?.record ?? 0, error);
    }
  });
  return Math.min(...failures);
}

/** @returns like `sendPerRecord` */
async function createWebhookCalls(
  context: OutboxContext,
  perRecord: readonly (InstallationEvent | undefined)[],
): Promise<number> {
  const { failures, failed } = unwritten(context);
  const seen = perRecord.flatMap((event, record) => (event === undefined ? [] : [{ event, record }]));
  if (seen.length === 0) return Number.POSITIVE_INFINITY;
  try {
    const stored = await webhookStore.get(context);
    await mapConcurrently(seen, async ({ event, record }) => {
      const webhooks = webhooksFor(stored, event.event);
      if (webhooks.length === 0) return;
      try {
        const complete = event.event === 'order.full' ? await withLimit(context, event) : event;
        if (complete === undefined) return;
        for (const { webhook } of webhooks)
          await context.table.put(callbackStore.callCreated(complete, webhook, context.runtime.now()));
      } catch (error) {
        failed(record, error);
      }
    });
  } catch (error) {
    failed(seen[0]?.record ?? 0, error);
  }
  return Math.min(...failures);
}

/** @returns undefined if the order was deleted, or has room again */
async function withLimit(
  context: OutboxContext,
  event: InstallationEvent,
): Promise<InstallationEvent | undefined> {
  const order = await orderStore.get(context, event.order_id);
  return order === undefined || order.deleted_at !== null || hasCapacity(order)
    ? undefined
    : { ...event, lead_limit: order.lead_limit };
}

/** The records whose callbacks could not be written. */
function unwritten({ runtime }: OutboxContext) {
  const failures = new Set<number>();
  const failed = (record: number, error: unknown) => {
    failures.add(record);
    runtime.log.error('outbox: a callback could not be written', errorFields(error));
  };
  return { failures, failed };
}

/** One redistribution covers every change before it, so the last message is enough; refused leads have one each. */
function lastOfBacklog(perRecord: PerRecord<RedistributeMessage>): PerRecord<RedistributeMessage> {
  const last = perRecord.findLastIndex((messages) => messages.some(isBacklog));
  return perRecord.map((messages, record) =>
    messages.filter((message) => !isBacklog(message) || record === last),
  );
}
