/**
 * How many more leads orders take, for a process that chooses for several leads before it reserves for the first of them.
 * Without it, an order with capacity for one lead would be eligible for all of them, and its buyer would be credited for leads
 * that it cannot get.
 */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Context } from '#functions/data/context';
import { capacityOf, type Order, paceAt } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { cappedBy, paceCapacity } from '#functions/data/orders/pace';
import {
  type DistributionAttempt,
  type Refusal,
  reservationOf,
} from '#functions/data/orders/reservation-store';
import type { Schedule } from '#shared/rules/schedule';

export interface Left {
  readonly leads: number;
  readonly refusal: Refusal;
}

/** Orders that are missing are unknown: one lead may be chosen for each of them. */
export type LeftByOrder = ReadonlyMap<number, Left>;

export interface TakingOrder {
  readonly order_id: number;
  readonly schedule?: Schedule | undefined;
}

/** An attempt that has not reserved after this time has failed. */
const OPEN_MS = 45_000;
/** An order that had at least this many more leads left than needed is not read again. */
const AMPLE = 20;

interface OpenChoice extends DistributionAttempt {
  readonly until: number;
}

export class CapacityAhead {
  readonly #context: Context;
  readonly #open = new Map<number, readonly OpenChoice[]>();
  /** What orders had left at the last read, minus the choices since. */
  readonly #estimates = new Map<number, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  chosen(orderId: number, { lead_id, distribution_attempt }: DistributionAttempt): void {
    const until = this.#context.runtime.now().getTime() + OPEN_MS;
    this.#open.set(orderId, [...this.#openOf(orderId), { lead_id, distribution_attempt, until }]);
    const estimate = this.#estimates.get(orderId);
    if (estimate !== undefined) this.#estimates.set(orderId, estimate - 1);
  }

  /** The reservation was made, refused or abandoned. */
  answered(orderId: number, { lead_id, distribution_attempt }: DistributionAttempt): void {
    const others = this.#openOf(orderId).filter(
      (one) => one.lead_id !== lead_id || one.distribution_attempt !== distribution_attempt,
    );
    if (others.length > 0) this.#open.set(orderId, others);
    else this.#open.delete(orderId);
  }

  /** Reads the orders that may have too little left. @param choose is called again after such a read */
  async within<Made extends { readonly taking: readonly TakingOrder[] }>(
    choose: (left: LeftByOrder) => Made,
  ): Promise<Made> {
    const left = new Map<number, Left>();
    for (;;) {
      const made = choose(left);
      const doubtful = this.#doubtful(made.taking, left);
      if (doubtful.length === 0) return made;
      const orders = await orderStore.ofEach(this.#context, doubtful);
      for (const [at, { order_id, schedule }] of doubtful.entries()) {
        const has = leftOf(orders[at], this.#openOf(order_id), schedule, this.#context.runtime.now());
        left.set(order_id, has);
        this.#estimates.set(order_id, has.leads);
      }
    }
  }

  #doubtful(taking: readonly TakingOrder[], known: LeftByOrder): TakingOrder[] {
    const wanted = new Map<number, number>();
    for (const { order_id } of taking) wanted.set(order_id, (wanted.get(order_id) ?? 0) + 1);
    const orders = [...new Map(taking.map((one) => [one.order_id, one])).values()];
    return orders.filter(({ order_id }) => {
      if (known.has(order_id)) return false;
      const leads = wanted.get(order_id) ?? 0;
      if (leads + this.#openOf(order_id).length <= 1) return false;
      return (this.#estimates.get(order_id) ?? 0) < leads + AMPLE;
    });
  }

  #openOf(orderId: number): readonly OpenChoice[] {
    const now = this.#context.runtime.now().getTime();
    return this.#open.get(orderId)?.filter(({ until }) => now < until) ?? [];
  }
}

function leftOf(
  order: Order | undefined,
  open: readonly DistributionAttempt[],
  schedule: Schedule | undefined,
  at: Date,
): Left {
  if (order === undefined) return { leads: 0, refusal: 'limit_reached' };
  const capacity = capacityOf(order);
  const pace = paceAt(order, schedule, at);
  const paceLeft = paceCapacity(pace);
  // Reservations that are stored on the order are counted there.
  const ahead = open.filter((attempt) => reservationOf(order, attempt) === undefined).length;
  const full = pace && {
    ...pace,
    day_received: pace.day_received + paceLeft,
    week_received: pace.week_received + paceLeft,
  };
  const capped = paceLeft < capacity ? cappedBy(full, schedule)?.by : undefined;
  return { leads: Math.max(0, Math.min(capacity, paceLeft) - ahead), refusal: capped ?? 'limit_reached' };
}

export function ordersOf(
  entries: readonly Pick<PoolEntry, 'buyer' | 'order_id' | 'schedule' | 'manual_review'>[],
): (buyer: number) => TakingOrder | undefined {
  const byBuyer = new Map(entries.map((entry) => [entry.buyer, entry]));
  return (buyer) => {
    const entry = byBuyer.get(buyer);
    if (entry === undefined || entry.order_id === null || entry.manual_review) return undefined;
    return { order_id: entry.order_id, schedule: entry.schedule };
  };
}
