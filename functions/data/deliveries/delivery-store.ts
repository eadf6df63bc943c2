/**
 * Deliveries in the table: each one's life from `pending` to `delivered` or `failed`. A condition that fails may be that
 * of a write which took effect and whose answer was lost: such a write is known again, and counts as made.
 */
import { type Attempt, type Delivery, deliverySchema } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Page, Table } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { Channel } from '#shared/channels/channels';
import type { DeliveryStatus } from '#shared/contract/constants';

/** How a try ended. */
export interface Result {
  readonly status: Exclude<DeliveryStatus, 'pending'>;
  readonly attempts: readonly Attempt[];
  /** Tries made in this round; a try that was put off does not count. */
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly external_id: string | null;
  readonly error: string | null;
  /** True for one that failed and has to be reported; `reported` takes it back. */
  readonly unreported?: true;
}

export type DeliveryRepository = ReturnType<typeof createDeliveryRepository>;

export function createDeliveryRepository(table: Table) {
  /** The failed or the retrying ones of all buyers; failed: latest first, retrying: next one first. */
  const waiting = async (
    status: 'failed' | 'retrying',
    options: { limit: number; after?: Item | undefined },
  ): Promise<{ deliveries: Delivery[]; next: Item | undefined }> => {
    const page = await table.query({
      index: 'gsi2',
      partition: status === 'failed' ? indexed.failedDeliveries() : indexed.retryingDeliveries(),
      descending: status === 'failed',
      limit: options.limit,
      ...(options.after && { after: options.after }),
    });
    return { deliveries: parsed(page), next: page.next };
  };

  const get = async (lead: string, channel: Channel): Promise<Delivery | undefined> => {
    const item = await table.get(keys.delivery(lead, channel));
    return item === undefined ? undefined : deliverySchema.parse(item);
  };

  const conclude = async (
    delivery: Delivery,
    result: Result,
    now: Date,
    still: { condition: string; values: Item },
  ): Promise<boolean> => {
    const place = placeOf(delivery, result, now);
    const written = await table.update({
      key: keys.delivery(delivery.lead_id, delivery.channel),
      update: `SET #status = :status, attempt_count = :attempt_count, attempts = :attempts, updated_at = :now, next_attempt_at = :next, external_id = :external, #error = :error${
        result.unreported === true ? ', unreported = :true' : ''
      }${
        place === undefined
          ? ' REMOVE sending_until, sending_by, gsi2pk, gsi2sk'
          : ', gsi2pk = :pk, gsi2sk = :sk REMOVE sending_until, sending_by'
      }`,
      condition: still.condition,
      names: { '#status': 'status', '#round': 'round', '#error': 'error' },
      values: {
        ':status': result.status,
        ':attempt_count': result.attempt_count,
        ':attempts': keptAttempts(result.attempts),
        ':now': now.toISOString(),
        ':next': result.next_attempt_at?.toISOString() ?? null,
        ':external': result.external_id,
        ':error': result.error,
        ':round': delivery.round,
        ...(result.unreported === true && { ':true': true }),
        ...(place && { ':pk': place.pk, ':sk': place.sk }),
        ...still.values,
      },
    });
    if (written.ok || written.item === undefined) return written.ok;
    const stands = deliverySchema.parse(written.item);
    return (
      stands.updated_at === now.toISOString() &&
      stands.round === delivery.round &&
      stands.attempt_count === result.attempt_count &&
      stands.status === result.status
    );
  };

  return {
    get,

    /**
     * Takes the next try, so that nobody else makes it: counts it and writes it down as one whose outcome is unknown,
     * which it stays if the worker dies.
     * @param seen the delivery as read; any change since then makes the claim fail
     * @returns the delivery as it now stands, or undefined when another was faster
     */
    async claim(seen: Delivery, attempt: Attempt, until: Date): Promise<Delivery | undefined> {
      const by = newWriteId();
      const written = await table.update({
        key: keys.delivery(seen.lead_id, seen.channel),
        update: `SET attempt_count = :attempt_count, attempts = :attempts, updated_at = :now, sending_until = :until, sending_by = :by, next_attempt_at = :until, gsi2sk = :due`,
        condition:
          '#status = :status AND #round = :round AND attempt_count = :seen_count AND updated_at = :seen_at',
        names: { '#status': 'status', '#round': 'round' },
        values: {
          ':attempt_count': seen.attempt_count + 1,
          ':attempts': keptAttempts([...seen.attempts, attempt]),
          ':now': attempt.at,
          ':until': until.toISOString(),
          ':by': by,
          ':status': seen.status,
          ':round': seen.round,
          ':seen_count': seen.attempt_count,
          ':seen_at': seen.updated_at,
          // Of one that stands among those waiting; without its partition the index does not hold it.
          ':due': dueKey(until, seen),
        },
      });
      const stands = written.item && deliverySchema.parse(written.item);
      return stands?.sending_by === by ? stands : undefined;
    },

    /** Writes down how a try ended. @returns false when the try was taken over, or a new round began, meanwhile */
    finish: (claimed: Delivery, result: Result, now: Date): Promise<boolean> =>
      conclude(claimed, result, now, {
        condition: '#round = :round AND sending_until = :until',
        values: { ':until': claimed.sending_until ?? '' },
      }),

    /** Writes down that no try was made. @returns false when the delivery changed since it was read */
    putOff: (seen: Delivery, result: Result, now: Date): Promise<boolean> =>
      conclude(seen, result, now, {
        condition: '#round = :round AND #status = :seen_status AND updated_at = :seen_at',
        values: { ':seen_status': seen.status, ':seen_at': seen.updated_at },
      }),

    /** Notes that a failure was reported. */
    async reported(delivery: Delivery): Promise<void> {
      await table.update({
        key: keys.delivery(delivery.lead_id, delivery.channel),
        update: 'REMOVE unreported',
        condition: '#round = :round',
        names: { '#round': 'round' },
        values: { ':round': delivery.round },
      });
    },

    /**
     * Begins a new round at once. The table's stream puts it on the queue; it stands among those waiting meanwhile, where
     * it is found if that message is lost.
     * @returns the delivery as it stands when it cannot begin: it is on its way already, or there is none (undefined)
     */
    async sendAgain(
      lead: string,
      channel: Channel,
      now: Date,
    ): Promise<{ ok: true } | { ok: false; delivery: Delivery | undefined }> {
      const seen = await get(lead, channel);
      if (seen === undefined) return { ok: false, delivery: undefined };
      const written = await table.update({
        key: keys.delivery(lead, channel),
        update:
          'SET #status = :pending, #round = :next, attempt_count = :zero, queued_at = :now, updated_at = :now, next_attempt_at = :null, #error = :null, gsi2pk = :waiting, gsi2sk = :due REMOVE sending_until, sending_by, unreported',
        // The round that was seen: repeated after a lost answer, the write must not begin another one.
        condition:
          '#round = :seen AND #status <> :pending AND (attribute_not_exists(sending_until) OR sending_until < :now)',
        names: { '#status': 'status', '#round': 'round', '#error': 'error' },
        values: {
          ':pending': 'pending',
          ':seen': seen.round,
          ':next': seen.round + 1,
          ':zero': 0,
          ':now': now.toISOString(),
          ':null': null,
          ':waiting': indexed.retryingDeliveries(),
          ':due': dueKey(now, seen),
        },
      });
      const delivery = written.item && deliverySchema.parse(written.item);
      return delivery?.round === seen.round + 1 && delivery.queued_at === now.toISOString()
        ? { ok: true }
        : { ok: false, delivery };
    },

    /** Those waiting for a try that was due before an instant, most overdue first. */
    async overdue(before: Date, limit: number): Promise<Delivery[]> {
      const page = await table.query({
        index: 'gsi2',
        partition: indexed.retryingDeliveries(),
        sort: { from: '0', to: before.toISOString() },
        limit,
      });
      return parsed(page);
    },

    /** Of those waiting for another try, the one whose round began first; looks at the next hundred that are due. */
    async waitingLongest(): Promise<Delivery | undefined> {
      const page = await table.query({ index: 'gsi2', partition: indexed.retryingDeliveries(), limit: 100 });
      const waiting = parsed(page);
      return waiting.reduce<Delivery | undefined>(
        (first, next) => (first === undefined || roundBegan(next) < roundBegan(first) ? next : first),
        undefined,
      );
    },

    /**
     * Has one that should have been tried stand among those waiting, as if it were due at an instant: so it is found
     * again then, and not before. @returns false when it was brought on meanwhile
     */
    async lookAgain(delivery: Delivery, at: Date): Promise<boolean> {
      const written = await table.update({
        key: keys.delivery(delivery.lead_id, delivery.channel),
        update: 'SET gsi2pk = :waiting, gsi2sk = :due',
        condition: '#status = :seen AND updated_at = :seen_at',
        names: { '#status': 'status' },
        values: {
          ':waiting': indexed.retryingDeliveries(),
          ':due': dueKey(at, delivery),
          ':seen': delivery.status,
          ':seen_at': delivery.updated_at,
        },
      });
      return written.ok;
    },

    /**
     * A buyer's deliveries that were made between two instants and never tried, or whose first try never ended, but for
     * those that stand among the ones waiting.
     */
    async neverEnded(buyer: number, from: Date, to: Date): Promise<Delivery[]> {
      const items = await table.queryAll({
        index: 'gsi1',
        partition: indexed.buyerDeliveries(buyer),
        sort: { from: from.toISOString(), to: to.toISOString() },
        filter: '#status = :pending AND attribute_not_exists(gsi2pk)',
        names: { '#status': 'status' },
        values: { ':pending': 'pending' },
      });
      return items.map((item) => deliverySchema.parse(item));
    },

    /** Newest first. */
    async ofBuyer(
      buyer: number,
      options: { status?: DeliveryStatus | undefined; limit: number; after?: Item | undefined },
    ): Promise<{ deliveries: Delivery[]; next: Item | undefined }> {
      const page = await table.query({
        index: 'gsi1',
        partition: indexed.buyerDeliveries(buyer),
        descending: true,
        limit: options.limit,
        ...(options.after && { after: options.after }),
        ...(options.status && {
          filter: '#status = :status',
          names: { '#status': 'status' },
          values: { ':status': options.status },
        }),
      });
      return { deliveries: parsed(page), next: page.next };
    },

    /** The failed ones of all buyers, then those waiting for another attempt. */
    async failedThenWaiting(options: {
      limit: number;
      after?: Item | undefined;
    }): Promise<{ deliveries: Delivery[]; next: Item | undefined }> {
      const { limit, after } = options;
      const inFailed = after === undefined || after.gsi2pk === indexed.failedDeliveries();
      const failed = inFailed ? await waiting('failed', options) : { deliveries: [], next: undefined };
      if (failed.next !== undefined) return failed;
      const retrying = await waiting('retrying', {
        limit: Math.max(1, limit - failed.deliveries.length),
        after: inFailed ? undefined : after,
      });
      return { deliveries: [...failed.deliveries, ...retrying.deliveries], next: retrying.next };
    },

    waiting,

    /** Every failed one of a buyer. Reads all that failed, which are few. */
    async failedOf(buyer: number): Promise<Delivery[]> {
      const items = await table.queryAll({
        index: 'gsi2',
        partition: indexed.failedDeliveries(),
        filter: 'buyer = :buyer',
        values: { ':buyer': buyer },
      });
      return items.map((item) => deliverySchema.parse(item));
    },

    failedCount: () => table.count({ index: 'gsi2', partition: indexed.failedDeliveries() }),
  };
}

/** When its present round began. */
export function roundBegan(delivery: Pick<Delivery, 'queued_at' | 'created_at'>): string {
  return delivery.queued_at ?? delivery.created_at;
}

/** An item stays small however often a delivery is tried; the oldest attempts go first. */
const MAX_ATTEMPTS = 60;
function keptAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(-MAX_ATTEMPTS);
}

function placeOf(delivery: Delivery, result: Result, now: Date): { pk: string; sk: string } | undefined {
  if (result.status === 'delivered') return undefined;
  return result.status === 'failed'
    ? { pk: indexed.failedDeliveries(), sk: dueKey(now, delivery) }
    : { pk: indexed.retryingDeliveries(), sk: dueKey(result.next_attempt_at ?? now, delivery) };
}

function dueKey(at: Date, delivery: Pick<Delivery, 'lead_id' | 'channel'>): string {
  return indexed.at(at.toISOString(), `${delivery.lead_id}#${delivery.channel}`);
}

function parsed(page: Page): Delivery[] {
  return page.items.map((item) => deliverySchema.parse(item));
}
