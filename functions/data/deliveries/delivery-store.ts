/**
 * Deliveries and their transitions from `pending` to `delivered` or `failed`. The SDK repeats a write whose answer was
 * lost, and the condition of the repeated write fails; such a write is recognised by the item found and counts as made.
 */

import type { DataContext } from '#functions/data/context';
import { hasBegun, isWritten, nextAttempt, nextRound, roundBegan } from '#functions/data/deliveries/sending';
import { type Attempt, type Delivery, deliverySchema } from '#functions/data/leads/lead';
import { eachOnce } from '#functions/data/table/each-once';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards, pageOfShards } from '#functions/data/table/shards';
import type { Item, Page } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { Channel } from '#shared/channels/channels';
import type { DeliveryStatus, KeptReason } from '#shared/rules/constants';

/** How a delivery attempt ended. */
export interface Result {
  readonly status: Exclude<DeliveryStatus, 'pending'>;
  readonly attempts: readonly Attempt[];
  /** Delivery attempts made in this round; one that was put off does not count. */
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly external_id: string | null;
  readonly error: string | null;
  /** True for a final failure that the operator must be told of; found by the reconciliation until `reported` removes it. */
  readonly unreported?: true;
  /** True when the partner said no to this lead. */
  readonly refused?: true;
}

/** Deliveries of all buyers by status: failed ones latest first, retrying ones by when they are due. */
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

/** Of the new deliveries of all buyers those of one. They are few, unless their senders stand still. */
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

export async function get(
  { table }: DataContext,
  lead: string,
  channel: Channel,
): Promise<Delivery | undefined> {
  const item = await table.get(keys.delivery(lead, channel));
  return item === undefined ? undefined : deliverySchema.parse(item);
}

/** Writes a result if the condition `still` is met. @returns whether it was written */
async function conclude(
  { table }: DataContext,
  delivery: Delivery,
  result: Result,
  now: Date,
  still: { condition: string; values: Item },
): Promise<boolean> {
  const indexKey = indexKeyOf(delivery, result, now);
  const written = await table.update({
    key: keys.delivery(delivery.lead_id, delivery.channel),
    update: `SET ${IN_BUYERS_LIST}, #status = :status, attempt_count = :attempt_count, attempts = :attempts, updated_at = :now, next_attempt_at = :next, external_id = :external, #error = :error${
      result.unreported === true ? ', unreported = :true' : ''
    }${result.refused === true ? ', refused = :true' : ''}${
      indexKey === undefined
        ? ' REMOVE sending_until, sending_by, gsi2pk, gsi2sk'
        : ', gsi2pk = :pk, gsi2sk = :sk REMOVE sending_until, sending_by'
    }`,
    condition: `${still.condition} AND ${SAME_ASSIGNMENT}`,
    names: { ...OF_ASSIGNMENT, '#status': 'status', '#round': 'round', '#error': 'error' },
    values: {
      ':status': result.status,
      ':attempt_count': result.attempt_count,
      ':attempts': keptAttempts(result.attempts),
      ':now': now.toISOString(),
      ':next': result.next_attempt_at?.toISOString() ?? null,
      ':external': result.external_id,
      ':error': result.error,
      ':round': delivery.round,
      ...listKeys(delivery),
      ...((result.unreported ?? result.refused) === true && { ':true': true }),
      ...assignmentValues(delivery),
      ...(indexKey && { ':pk': indexKey.pk, ':sk': indexKey.sk }),
      ...still.values,
    },
  });
  if (written.ok || written.item === undefined) return written.ok;
  const { attempt_count, status } = result;
  const found = deliverySchema.parse(written.item);
  return (
    isSameAssignment(found, delivery) &&
    isWritten(found, { round: delivery.round, attempt_count }, status, now)
  );
}

/**
 * Claims the next delivery attempt for this worker: counts it and records it with an unknown outcome, which remains
 * if the worker dies.
 * @param seen the delivery as read; any change since then makes the claim fail
 * @param until when another worker may take over
 * @returns the delivery after the write, or undefined when another worker was faster
 */
export async function claim(
  { table }: DataContext,
  seen: Delivery,
  attempt: Attempt,
  until: Date,
): Promise<Delivery | undefined> {
  const by = newWriteId(table.runtime);
  const attempts = keptAttempts([...seen.attempts, attempt]);
  const { set, condition, names, values } = nextAttempt(seen, { at: attempt.at, attempts, by, until });
  const written = await table.update({
    key: keys.delivery(seen.lead_id, seen.channel),
    update: `SET ${set}, gsi2sk = :due`,
    condition: `${condition} AND ${SAME_ASSIGNMENT}`,
    names: { ...names, ...OF_ASSIGNMENT },
    // Only for a delivery that is in gsi2 already: without gsi2pk the item is not in the index.
    values: { ...values, ...assignmentValues(seen), ':due': dueKey(until, seen) },
  });
  const current = written.item && deliverySchema.parse(written.item);
  return current?.sending_by === by ? current : undefined;
}

/** Records how a claimed attempt ended. @returns false when it was taken over or a new round began meanwhile */
export const finish = (
  context: DataContext,
  claimed: Delivery,
  result: Result,
  now: Date,
): Promise<boolean> =>
  conclude(context, claimed, result, now, {
    condition: '#round = :round AND sending_until = :until',
    values: { ':until': claimed.sending_until ?? '' },
  });

/** Records that no attempt was made. @returns false when the delivery changed since it was read */
export const recordSkipped = (
  context: DataContext,
  seen: Delivery,
  result: Result,
  now: Date,
): Promise<boolean> =>
  conclude(context, seen, result, now, {
    condition: '#round = :round AND #status = :seen_status AND updated_at = :seen_at',
    values: { ':seen_status': seen.status, ':seen_at': seen.updated_at },
  });

/**
 * Records that the mail came back after its server had taken it: the delivery has failed, and the operator is to be told.
 * @param seen the delivered delivery, with the id by which the server named the mail
 * @returns false when it is sent again or was given on meanwhile, or has failed already
 */
export const bounced = (context: DataContext, seen: Delivery, error: string, now: Date): Promise<boolean> =>
  conclude(
    context,
    seen,
    {
      status: 'failed',
      attempts: [...seen.attempts, { ...NO_CALL, at: now.toISOString(), answer: error }],
      attempt_count: seen.attempt_count,
      next_attempt_at: null,
      external_id: seen.external_id,
      error,
      unreported: true,
    },
    now,
    {
      condition: '#round = :round AND #status = :delivered AND external_id = :external',
      values: { ':delivered': 'delivered' },
    },
  );

/**
 * Records that the operator was told of the failure.
 * @param failedAt when the delivery failed @param kept why the lead stays with a buyer whose partner refused it
 */
export async function reported(
  { table }: DataContext,
  delivery: Delivery,
  failedAt: Date,
  kept: KeptReason | undefined,
): Promise<void> {
  await table.update({
    key: keys.delivery(delivery.lead_id, delivery.channel),
    update: `SET gsi2sk = :listed${kept === undefined ? '' : ', kept = :kept'} REMOVE unreported`,
    condition: `#round = :round AND #status = :failed AND ${SAME_ASSIGNMENT}`,
    names: { ...OF_ASSIGNMENT, '#round': 'round', '#status': 'status' },
    values: {
      ...assignmentValues(delivery),
      ':round': delivery.round,
      ':failed': 'failed',
      ':listed': dueKey(failedAt, delivery),
      ...(kept !== undefined && { ':kept': kept }),
    },
  });
}

/** Failed deliveries that the operator was to be told of before an instant, the oldest first. */
export async function unreported({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.failedDeliveries(),
    sort: { from: indexed.unreported(), to: `${indexed.unreported()}${before.toISOString()}` },
    limit,
  });
  return parsed(page.items);
}

/** Has the reconciliation look at such a delivery at an instant and not before. @returns false when it was reported */
export async function recheckReportAt(
  { table }: DataContext,
  delivery: Delivery,
  at: Date,
): Promise<boolean> {
  const written = await table.update({
    key: keys.delivery(delivery.lead_id, delivery.channel),
    update: 'SET gsi2sk = :look',
    condition: `#round = :round AND attribute_exists(unreported) AND ${SAME_ASSIGNMENT}`,
    names: { ...OF_ASSIGNMENT, '#round': 'round' },
    values: {
      ...assignmentValues(delivery),
      ':round': delivery.round,
      ':look': unreportedKey(at, delivery),
    },
  });
  return written.ok;
}

/**
 * Starts a new round. The outbox puts it on the queue; meanwhile it is listed as retrying, so that the
 * reconciliation finds it if that message is lost.
 * @returns when no round can start, the delivery as it is: being sent already, or undefined if there is none
 */
export async function sendAgain(
  context: DataContext,
  lead: string,
  channel: Channel,
  now: Date,
): Promise<{ ok: true } | { ok: false; delivery: Delivery | undefined }> {
  const seen = await get(context, lead, channel);
  if (seen === undefined) return { ok: false, delivery: undefined };
  const { set, condition, names, values } = nextRound(seen, now);
  const written = await context.table.update({
    key: keys.delivery(lead, channel),
    update: `SET ${set}, gsi2pk = :waiting, gsi2sk = :due REMOVE sending_until, sending_by, unreported, refused, kept`,
    condition: `${condition} AND ${SAME_ASSIGNMENT}`,
    names: { ...names, ...OF_ASSIGNMENT },
    values: {
      ...values,
      ...assignmentValues(seen),
      ':waiting': indexed.retryingDeliveries(),
      ':due': dueKey(now, seen),
    },
  });
  const delivery = written.item && deliverySchema.parse(written.item);
  return hasBegun(delivery, seen, now) ? { ok: true } : { ok: false, delivery };
}

/** Retrying deliveries whose next attempt was due before an instant, the most overdue first. */
export async function overdue({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const page = await table.query({
    index: 'gsi2',
    partition: indexed.retryingDeliveries(),
    sort: { from: '0', to: before.toISOString() },
    limit,
  });
  return parsed(page.items);
}

/** Deliveries created before an instant whose first delivery attempt has not ended, the oldest first. */
export async function notTried({ table }: DataContext, before: Date, limit: number): Promise<Delivery[]> {
  const shards = indexed.everyNewDelivery();
  return parsed(await firstOfShards(table, shards, { before: before.toISOString(), limit }));
}

/** Every delivery that is neither delivered nor failed. Each comes once, though it may be changed meanwhile. */
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

/**
 * Of the deliveries that are neither delivered nor failed the one whose round began first, among the hundred that are
 * due first and the one created first.
 */
export async function waitingLongest({ table }: DataContext): Promise<Delivery | undefined> {
  const [retrying, fresh] = await Promise.all([
    table.query({ index: 'gsi2', partition: indexed.retryingDeliveries(), limit: 100 }),
    firstOfShards(table, indexed.everyNewDelivery(), { limit: 1 }),
  ]);
  return [...parsed(retrying.items), ...parsed(fresh)].reduce<Delivery | undefined>(
    (first, next) => (first === undefined || roundBegan(next) < roundBegan(first) ? next : first),
    undefined,
  );
}

/**
 * Lists an overdue delivery as retrying and due at an instant, so that the reconciliation finds it then and not
 * before. @returns false when it changed since it was read
 */
export async function recheckAt({ table }: DataContext, delivery: Delivery, at: Date): Promise<boolean> {
  const written = await table.update({
    key: keys.delivery(delivery.lead_id, delivery.channel),
    update: `SET ${IN_BUYERS_LIST}, gsi2pk = :waiting, gsi2sk = :due`,
    condition: `#status = :seen AND updated_at = :seen_at AND ${SAME_ASSIGNMENT}`,
    names: { ...OF_ASSIGNMENT, '#status': 'status' },
    values: {
      ...assignmentValues(delivery),
      ':waiting': indexed.retryingDeliveries(),
      ...listKeys(delivery),
      ':due': dueKey(at, delivery),
      ':seen': delivery.status,
      ':seen_at': delivery.updated_at,
    },
  });
  return written.ok;
}

/** A buyer's deliveries: those that were not tried yet, then the others, each newest first. */
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

/** Deliveries of all buyers: the failed ones, then the retrying ones. */
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

/** Every failed delivery of a buyer. Reads the failed ones of all buyers, which are few. */
export async function failedOf({ table }: DataContext, buyer: number): Promise<Delivery[]> {
  const items = await table.queryAll({
    index: 'gsi2',
    partition: indexed.failedDeliveries(),
    filter: 'buyer = :buyer',
    values: { ':buyer': buyer },
  });
  return items.map((item) => deliverySchema.parse(item));
}

export const failedCount = ({ table }: DataContext) =>
  table.count({ index: 'gsi2', partition: indexed.failedDeliveries() });

/**
 * Part of every condition; names from `OF_ASSIGNMENT`, values from `assignmentValues`. A lead that was given on has a delivery of
 * another assignment under the same key, and no number of an order is given twice: so whoever is late with what it read of
 * the former buyer's delivery changes nothing.
 */
const SAME_ASSIGNMENT = 'order_id = :of_order AND #of_sequence = :of_sequence';
const OF_ASSIGNMENT = { '#of_sequence': 'sequence' } as const;
const assignmentValues = ({ order_id, sequence }: Delivery): Item => ({
  ':of_order': order_id,
  ':of_sequence': sequence,
});
const isSameAssignment = (one: Delivery, other: Delivery) =>
  one.order_id === other.order_id && one.sequence === other.sequence;

/** What stands in the log where nothing was called. */
const NO_CALL = { outcome: 'permanent', status_code: null, request: null, duration_ms: 0 } as const;

const NO_PAGE: Page = { items: [], next: undefined };

/** The position before the newest item of a partition of gsi1: its sort keys begin with a year. */
function beginningOf(gsi1pk: string): Item {
  return { ...keys.delivery('', ''), gsi1pk, gsi1sk: '~' };
}

/** Part of the update of a delivery whose first attempt has ended; values from `listKeys`. */
const IN_BUYERS_LIST = 'gsi1pk = :list, gsi1sk = :listed';

function listKeys({ buyer, created_at, lead_id }: Delivery): Item {
  return { ':list': indexed.buyerDeliveries(buyer), ':listed': indexed.at(created_at, lead_id) };
}

/** Keeps the item small however many attempts are made; the oldest ones are dropped. */
const MAX_ATTEMPTS = 60;
function keptAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(-MAX_ATTEMPTS);
}

/** The key in gsi2; none once it is delivered. */
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
