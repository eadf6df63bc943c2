import type { DataContext } from '#functions/data/context';
import { seriesBegan } from '#functions/data/deliveries/sending';
import type { Kind, Location, Part, Result } from '#functions/data/deliveries/sending-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import { type Delivery, deliverySchema } from '#functions/data/leads/lead';
import { eachOnce } from '#functions/data/table/each-once';
import { read, readAll } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards, pageOfShards } from '#functions/data/table/shards';
import type { Item, Page } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';
import type { DeliveryStatus, ReassignmentBlocker } from '#shared/rules/constants';

/**
 * After a reassignment the same key holds the delivery of another assignment, and an order never reuses a number.
 * So a late write for the former buyer changes nothing.
 */
const LOCATION: Location<Delivery> = {
  schema: deliverySchema,
  keyOf: ({ lead_id, channel }) => keys.delivery(lead_id, channel),
  same: ({ order_id, sequence }) => ({
    condition: 'order_id = :of_order AND #of_sequence = :of_sequence',
    names: { '#of_sequence': 'sequence' },
    values: { ':of_order': order_id, ':of_sequence': sequence },
  }),
};

export const DELIVERIES: Kind<Delivery> = {
  location: LOCATION,
  // Due when another worker may take over.
  claimed: (delivery, until) => ({ set: 'gsi2sk = :due', values: { ':due': dueKey(until, delivery) } }),
  concluded,
  maxAttempts: 60,
};

/** Failed ones latest first, retrying ones by when they are due. */
export async function waiting(
  { table }: DataContext,
  status: 'failed' | 'retrying',
  options: { limit: number; after?: Item | undefined },
): Promise<{ deliveries: Delivery[]; next: Item | undefined }> {
  const page = await table.query({
    index: 'gsi2',
    partition: status === 'failed' ? indexed.failedDeliveries() : indexed.retryingDeliveries(),
    descending: status === 'failed',
    limit: options.limit,
    ...(options.after && { after: options.after }),
  });
  return { deliveries: parsed(page.items), next: page.next };
}

/** Of the new deliveries of all buyers, which are few unless their senders are down. */
const newOfBuyer = (
  { table }: DataContext,
  buyer: number,
  limit: number,
  after: Item | undefined,
): Promise<Page> =>
  pageOfShards(table, indexed.everyNewDelivery(), {
    filter: 'buyer = :buyer',
    values: { ':buyer': buyer },
    limit,
    after,
  });

export const get = (context: DataContext, lead: string, channel: Channel): Promise<Delivery | undefined> =>
  read(context, keys.delivery(lead, channel), deliverySchema);

/**
 * The delivery moves to the list of its buyer. A mail server's ID identifies the e-mail. A partner's ID identifies
 * the lead and is kept over all attempts. The reconciliation finds an unreported failure until `reported`.
 */
function concluded(delivery: Delivery, result: Result, now: Date): Part {
  const { external_id = delivery.external_id } = result;
  const external = delivery.channel === 'email' ? external_id : (external_id ?? delivery.external_id);
  const { pk, sk } = indexKeyOf(delivery, result, now) ?? {};
  const { set, values } = inBuyersList(delivery);
  const marks = (['unreported', 'refused'] as const).filter((mark) => result[mark] === true);
  return {
    set: [
      set,
      'external_id = :external',
      ...marks.map((mark) => `${mark} = :true`),
      ...(pk === undefined ? [] : ['gsi2pk = :pk', 'gsi2sk = :sk']),
    ].join(', '),
    ...(pk === undefined && { remove: 'gsi2pk, gsi2sk' }),
    values: {
      ...values,
      ':external': external,
      ...(marks.length > 0 && { ':true': true }),
      ...(pk !== undefined && { ':pk': pk, ':sk': sk }),
    },
  };
}

/** @returns false if the delivery was resent or reassigned, or has failed already */
export const bounced = (
  context: DataContext,
  expected: Delivery,
  error: string,
  now: Date,
): Promise<boolean> =>
  sendingStore.conclude(context, DELIVERIES, expected, {
    result: {
      status: 'failed',
      attempts: [...expected.attempts, { ...NO_CALL, at: now.toISOString(), answer: error }],
      next_attempt_at: null,
      error,
      unreported: true,
    },
    now,
    still: {
      condition: '#status = :delivered AND external_id = :external',
      values: { ':delivered': 'delivered' },
    },
  });

/** The operator was notified. @param reassignment_blocker why the lead stays with a buyer whose partner refused it */
export async function reported(
  context: DataContext,
  delivery: Delivery,
  failedAt: Date,
  reassignment_blocker: ReassignmentBlocker | undefined,
): Promise<void> {
  await sendingStore.change(context, LOCATION, delivery, {
    set: `gsi2sk = :listed${reassignment_blocker === undefined ? '' : ', reassignment_blocker = :reassignment_blocker'}`,
    remove: 'unreported',
    condition: '#series = :series AND #status = :failed',
    names: { '#series': 'series', '#status': 'status' },
    values: {
      ':series': delivery.series,
      ':failed': 'failed',
      ':listed': dueKey(failedAt, delivery),
      ...(reassignment_blocker !== undefined && { ':reassignment_blocker': reassignment_blocker }),
    },
  });
}

/** Failures of which the operator should have been notified before an instant, oldest first. */
export async function unreported({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.failedDeliveries(),
    sort: { from: indexed.unreported(), to: `${indexed.unreported()}${before.toISOString()}` },
    limit,
  });
  return parsed(page.items);
}

/** @returns false if it was reported */
export async function setNextReportCheckAt(
  context: DataContext,
  delivery: Delivery,
  at: Date,
): Promise<boolean> {
  const { ok } = await sendingStore.change(context, LOCATION, delivery, {
    set: 'gsi2sk = :check',
    condition: '#series = :series AND attribute_exists(unreported)',
    names: { '#series': 'series' },
    values: { ':series': delivery.series, ':check': unreportedKey(at, delivery) },
  });
  return ok;
}

/**
 * Starts a new series. Until the outbox has queued it, it is listed as retrying, so that the reconciliation finds it if
 * that message is lost. @returns the unchanged delivery if it is being sent already; undefined if there is none
 */
export async function sendAgain(
  context: DataContext,
  lead: string,
  channel: Channel,
  now: Date,
): Promise<{ ok: true } | { ok: false; delivery: Delivery | undefined }> {
  const expected = await get(context, lead, channel);
  if (expected === undefined) return { ok: false, delivery: undefined };
  const { ok, found } = await sendingStore.begin(context, LOCATION, expected, now, {
    set: 'gsi2pk = :waiting, gsi2sk = :due',
    remove: 'unreported, refused, reassignment_blocker',
    values: { ':waiting': indexed.retryingDeliveries(), ':due': dueKey(now, expected) },
  });
  return ok ? { ok } : { ok, delivery: found };
}

export async function overdue({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.retryingDeliveries(),
    sort: { from: '0', to: before.toISOString() },
    limit,
  });
  return parsed(page.items);
}

export async function notTried({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const shards = indexed.everyNewDelivery();
  return parsed(await firstOfShards(table, shards, { before: before.toISOString(), limit }));
}

export const open = ({ table }: DataContext): AsyncGenerator<readonly Delivery[]> =>
  eachOnce(
    table,
    [
      { index: 'gsi2', partition: indexed.retryingDeliveries() },
      ...indexed.everyNewDelivery().map((partition) => ({ index: 'gsi1', partition }) as const),
    ],
    (item) => deliverySchema.parse(item),
    ({ lead_id, channel }) => `${lead_id}#${channel}`,
  );

/** Leads with a delivery that is open or failed permanently, the worst state of each last. */
export async function* unfinished({
  table,
}: DataContext): AsyncGenerator<readonly { readonly leadId: string; readonly status: DeliveryStatus }[]> {
  const lists = [
    ...indexed.everyNewDelivery().map((partition) => ['pending', { index: 'gsi1', partition }] as const),
    ['retrying', { index: 'gsi2', partition: indexed.retryingDeliveries() }] as const,
    ['failed', { index: 'gsi2', partition: indexed.failedDeliveries() }] as const,
  ];
  for (const [status, list] of lists)
    for await (const items of table.pages({ ...list, only: ['lead_id'] }))
      yield items.map(({ lead_id }) => ({ leadId: String(lead_id), status }));
}

/** The delivery whose series began first, among the hundred that are due next and the oldest new one. */
export async function waitingLongest({ table }: DataContext): Promise<Delivery | undefined> {
  const [retrying, fresh] = await Promise.all([
    table.query({ index: 'gsi2', partition: indexed.retryingDeliveries(), limit: 100 }),
    firstOfShards(table, indexed.everyNewDelivery(), { limit: 1 }),
  ]);
  return [...parsed(retrying.items), ...parsed(fresh)].reduce<Delivery | undefined>(
    (first, next) => (first === undefined || seriesBegan(next) < seriesBegan(first) ? next : first),
    undefined,
  );
}

/** Lists an overdue delivery as retrying, due at an instant. @returns false if it changed since it was read */
export async function setNextCheckAt(context: DataContext, delivery: Delivery, at: Date): Promise<boolean> {
  const { ok } = await sendingStore.change(context, LOCATION, delivery, inBuyersList(delivery), {
    set: 'gsi2pk = :waiting, gsi2sk = :due',
    condition: '#status = :expected AND updated_at = :expected_at',
    names: { '#status': 'status' },
    values: {
      ':waiting': indexed.retryingDeliveries(),
      ':due': dueKey(at, delivery),
      ':expected': delivery.status,
      ':expected_at': delivery.updated_at,
    },
  });
  return ok;
}

/** Untried deliveries, then the others, each newest first. */
export async function ofBuyer(
  context: DataContext,
  buyer: number,
  options: { status?: DeliveryStatus | undefined; limit: number; after?: Item | undefined },
): Promise<{ deliveries: Delivery[]; next: Item | undefined }> {
  const { status, limit, after } = options;
  const list = indexed.buyerDeliveries(buyer);
  const inNew = (status === undefined || status === 'pending') && after?.gsi1pk !== list;
  const fresh = inNew ? await newOfBuyer(context, buyer, limit, after) : NO_PAGE;
  if (fresh.next !== undefined || fresh.items.length >= limit)
    return { deliveries: parsed(fresh.items), next: fresh.next ?? beginningOf(list) };
  const page = await context.table.query({
    index: 'gsi1',
    partition: list,
    descending: true,
    limit: limit - fresh.items.length,
    ...(after && !inNew && { after }),
    ...(status && {
      filter: '#status = :status',
      names: { '#status': 'status' },
      values: { ':status': status },
    }),
  });
  return { deliveries: [...parsed(fresh.items), ...parsed(page.items)], next: page.next };
}

export async function failedThenWaiting(
  context: DataContext,
  options: {
    limit: number;
    after?: Item | undefined;
  },
): Promise<{ deliveries: Delivery[]; next: Item | undefined }> {
  const { limit, after } = options;
  const inFailed = after === undefined || after.gsi2pk === indexed.failedDeliveries();
  const failed = inFailed ? await waiting(context, 'failed', options) : { deliveries: [], next: undefined };
  if (failed.next !== undefined) return failed;
  const retrying = await waiting(context, 'retrying', {
    limit: Math.max(1, limit - failed.deliveries.length),
    after: inFailed ? undefined : after,
  });
  return { deliveries: [...failed.deliveries, ...retrying.deliveries], next: retrying.next };
}

/** Reads the failed ones of all buyers, which are few. */
export const failedOf = (context: DataContext, buyer: number): Promise<Delivery[]> =>
  readAll(
    context,
    {
      index: 'gsi2',
      partition: indexed.failedDeliveries(),
      filter: 'buyer = :buyer',
      values: { ':buyer': buyer },
    },
    deliverySchema,
  );

export const failedCount = ({ table }: DataContext) =>
  table.count({ index: 'gsi2', partition: indexed.failedDeliveries() });

const NO_CALL = { outcome: 'permanent', status_code: null, request: null, duration_ms: 0 } as const;

const NO_PAGE: Page = { items: [], next: undefined };

/** Sort keys begin with a year. */
function beginningOf(gsi1pk: string): Item {
  return { ...keys.delivery('', ''), gsi1pk, gsi1sk: '~' };
}

const inBuyersList = ({ buyer, created_at, lead_id }: Delivery) => ({
  set: 'gsi1pk = :list, gsi1sk = :listed',
  values: { ':list': indexed.buyerDeliveries(buyer), ':listed': indexed.at(created_at, lead_id) },
});

function indexKeyOf(delivery: Delivery, result: Result, now: Date): { pk: string; sk: string } | undefined {
  if (result.status === 'delivered') return undefined;
  if (result.status === 'retrying')
    return { pk: indexed.retryingDeliveries(), sk: dueKey(result.next_attempt_at ?? now, delivery) };
  const key = result.unreported === true ? unreportedKey : dueKey;
  return { pk: indexed.failedDeliveries(), sk: key(now, delivery) };
}

function unreportedKey(at: Date, delivery: Delivery): string {
  return `${indexed.unreported()}${dueKey(at, delivery)}`;
}

function dueKey(at: Date, delivery: Pick<Delivery, 'lead_id' | 'channel'>): string {
  return indexed.at(at.toISOString(), `${delivery.lead_id}#${delivery.channel}`);
}

function parsed(items: readonly Item[]): Delivery[] {
  return items.map((item) => deliverySchema.parse(item));
}
