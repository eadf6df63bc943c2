/** Buyers, orders and leads on a real table, and invariants that always hold. */

import { ulid } from 'ulid';
import * as templateStore from '#functions/data/administration/template-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { decisionFromItem } from '#functions/data/leads/decisions';
import { displayId, type Lead, leadSchema } from '#functions/data/leads/lead';
import { type Order, orderSchema, originalLeads } from '#functions/data/orders/order';
import { type Caps, NO_CAPS } from '#functions/data/orders/pace';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import { keys } from '#functions/data/table/keys';
import type { Item, Table } from '#functions/data/table/table';
import { createBuyer } from '#functions/domain/buyers/buyers';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { recompute } from '#functions/domain/distribution/decision-check';
import { ingest } from '#functions/domain/distribution/distribution';
import { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import { createOrder } from '#functions/domain/orders/orders';
import { createCipher } from '#functions/keys/cipher';
import { createLogger } from '#functions/platform/logger';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import type { DistributeMessage } from '#functions/queues/messages';
import type { Queue } from '#functions/queues/queue';
import type { Checks } from '#functions/verification/verification';
import type { Schedule } from '#shared/rules/schedule';
import { aReceivedLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import { aTemplate } from '#test/factories/templates';
import { IN_MEMORY, shortSleep } from '#test/harness/memory-table';

const VALID = { status: 'valid', note: null } as const;
export const PASSING_CHECKS: Checks = {
  email: async () => VALID,
  phone: async () => VALID,
  name: async () => VALID,
};

let lastIdMs = 0;
/** IDs increase even within a millisecond, so that an audit trail has one order. */
function newIdInOrder(): string {
  lastIdMs = Math.max(Date.now(), lastIdMs + 1);
  return ulid(lastIdMs);
}

export const quietRuntime: Runtime = {
  ...systemRuntime,
  newId: newIdInOrder,
  ...(IN_MEMORY && { sleep: shortSleep }),
  log: createLogger(() => undefined),
};

/** Its time passes by a millisecond whenever it is read, and by `later`; it never sleeps. */
export function tickingRuntime(begins = Date.parse('2026-11-20T10:00:00.000Z')) {
  let now = begins;
  const runtime: Runtime = {
    ...quietRuntime,
    now: () => new Date((now += 1)),
    sleep: async () => undefined,
  };
  return { runtime, later: (milliseconds: number) => void (now += milliseconds) };
}

export function distributionOn(
  table: Table,
  changes: Partial<DistributionContext> = {},
): DistributionContext {
  const runtime = changes.runtime ?? quietRuntime;
  return {
    table,
    reservations: createReservationStore(table),
    ledger: new LedgerBatcher({ table, runtime }),
    checks: PASSING_CHECKS,
    mustBeCertain: false,
    runtime,
    ...changes,
  };
}

/** The same for ingesting many leads; collects the messages for the distributor. */
export function ingestionOn(table: Table, changes: Partial<DistributionContext> = {}) {
  const messages: DistributeMessage[] = [];
  const distributeQueue: Queue<DistributeMessage> = {
    send: async (all) => {
      messages.push(...all.map(({ message }) => message));
      return all.map(() => true);
    },
  };
  return { ...distributionOn(table, changes), distributeQueue, messages };
}

/**
 * New leads, all received now.
 * @param changes by index
 */
export function manyLeads(count: number, changes: (at: number) => Partial<Lead> = () => ({})): Lead[] {
  return Array.from({ length: count }, (_, at) =>
    aReceivedLead({ lead_id: systemRuntime.newId(), ...changes(at) }),
  );
}

export function adminOn(table: Table, runtime: Runtime = quietRuntime) {
  return {
    table,
    personKey: async () => Buffer.alloc(32),
    reservations: createReservationStore(table),
    cipher: async () => createCipher([{ id: '1', key: Buffer.alloc(32, 7) }]),
    runtime,
  };
}

export interface BuyerPlan {
  readonly id: string;
  /** Percent. */
  readonly probability: number;
  readonly limit?: number;
  /** Euro. */
  readonly minimum?: number;
  /** Euro. */
  readonly price?: number;
  readonly review?: boolean;
  readonly email?: boolean;
  readonly consent?: boolean;
  /** Of its order. */
  readonly caps?: Partial<Caps>;
  readonly schedule?: Schedule;
}

/**
 * Adds buyers, with an order if a limit is given.
 * @returns the orders by buyer ID
 */
export async function addBuyers(
  table: Table,
  plans: readonly BuyerPlan[],
  runtime: Runtime = quietRuntime,
): Promise<Map<string, Order>> {
  const admin = adminOn(table, runtime);
  const orders = new Map<string, Order>();
  // Does nothing if an earlier call has created it.
  const template = aTemplate();
  await table.transact([templateStore.created(template)]);
  for (const plan of plans) {
    await createBuyer(admin, 'test', {
      buyer_id: plan.id,
      buyer_email: `${plan.id}@example.org`,
      probability: plan.probability,
      min_investment: plan.minimum ?? null,
      price_per_lead: plan.price ?? null,
      manual_review: plan.review ?? false,
      send_email: plan.email ?? true,
      requires_consent: plan.consent ?? false,
      email_template_id: template.id,
      ...(plan.schedule && { schedule: { ...plan.schedule, weekdays: [...plan.schedule.weekdays] } }),
    });
    if (plan.limit !== undefined)
      orders.set(
        plan.id,
        await createOrder(admin, 'test', {
          buyerId: plan.id,
          leadLimit: plan.limit,
          balance: 0,
          caps: { ...NO_CAPS, ...plan.caps },
        }),
      );
  }
  return orders;
}

/** By key, because each engine scans in its own order. */
export async function itemsOf(table: Table): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of table.scan()) items.push(...page);
  const key = ({ pk, sk }: Item) => `${String(pk)}\u0000${String(sk)}`;
  return items.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

export const leadsAmong = (items: readonly Item[]): Lead[] =>
  items.filter(({ sk }) => sk === 'LEAD').map((item) => leadSchema.parse(item));

export const ordersAmong = (items: readonly Item[]): Order[] =>
  items
    .filter(({ pk, sk }) => String(pk).startsWith('ORDERS#') && !String(sk).includes('#'))
    .map((item) => orderSchema.parse(item));

export const ledgerOf = async (table: Table) => (await poolStore.read({ table })).ledger;

/** What the ledger must contain: the sum of all recorded decisions, recomputed. */
export async function sumOfDecisions(table: Table): Promise<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const item of await itemsOf(table)) {
    if (item.sk !== 'DECISION') continue;
    const recomputed = recompute(decisionFromItem(item));
    if (!recomputed.agrees)
      throw new Error(`The decision on lead ${String(item.lead_id)} cannot be recomputed`);
    for (const [buyer, by] of recomputed.choice?.changes ?? []) sum[buyer] = (sum[buyer] ?? 0) + by;
  }
  return sum;
}

/**
 * The four invariants of a table at rest.
 * @param accepted the number of ingested leads, if known
 * @returns violations as sentences; empty if all hold
 */
export async function violations(table: Table, accepted?: number): Promise<string[]> {
  const items = await itemsOf(table);
  const leads = leadsAmong(items);
  const deliveries = items.filter(({ sk }) => String(sk).startsWith('DELIVERY#'));
  const found: string[] = [];
  const expectThat = (reservations: boolean, otherwise: string) => {
    if (!reservations) found.push(otherwise);
  };

  for (const lead of leads) expectThat(lead.status !== 'received', `lead ${lead.lead_id} is still in flight`);
  if (accepted !== undefined)
    expectThat(leads.length === accepted, `${accepted} leads were accepted, ${leads.length} are stored`);

  const assigned = leads.filter(({ status }) => status === 'assigned');
  for (const order of ordersAmong(items)) {
    const its = assigned.filter(({ order_id }) => order_id === order.order_id);
    const originals = its.filter(({ lead_type }) => lead_type === 'original').length;
    const replacements = its.length - originals;
    const compensated = leads.filter(
      ({ order_id, status, claim_status }) =>
        order_id === order.order_id && status === 'deleted' && claim_status === 'approved',
    ).length;
    expectThat(
      originalLeads(order) === originals,
      `order ${order.order_id} counts ${originalLeads(order)} leads and has ${originals}`,
    );
    expectThat(
      order.compensated_deletions === compensated,
      `order ${order.order_id} counts ${order.compensated_deletions} compensated leads and had ${compensated}`,
    );
    expectThat(
      order.reimbursement_delivered === replacements,
      `order ${order.order_id} counts ${order.reimbursement_delivered} replacements and has ${replacements}`,
    );
    expectThat(order.leads_received <= order.lead_limit, `order ${order.order_id} is over its limit`);
    expectThat(order.reimbursement_pending >= 0, `order ${order.order_id} owes a negative number`);
  }

  const numbers = assigned.map(({ order_id = 0, sequence = 0 }) => displayId({ order_id, sequence }));
  expectThat(new Set(numbers).size === numbers.length, 'a number occurs twice in an order');

  for (const lead of assigned) {
    const its = deliveries.filter(({ lead_id }) => lead_id === lead.lead_id);
    expectThat(its.length === 1, `lead ${lead.lead_id} has ${its.length} deliveries`);
  }
  expectThat(deliveries.length === assigned.length, 'there are deliveries without an assigned lead');
  return found;
}

/** The same table, with some methods replaced. */
export const changedTable = (table: Table, calls: Partial<Table>): Table =>
  new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(name in calls ? calls : target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The same table, with each call passed through `around`, which sends it. */
export const aroundCalls = (
  table: Table,
  around: (send: () => Promise<unknown>, name: string, args: readonly unknown[]) => Promise<unknown>,
): Table =>
  new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) =>
        around(() => value.apply(target, args) as Promise<unknown>, String(name), args);
    },
  });

/** The same table with a one-time action before or after the first matching call of this name. */
export function interruptedTable(
  table: Table,
  verb: keyof Table,
  happens: () => Promise<unknown>,
  { when = 'before', fits = () => true }: { when?: 'before' | 'after'; fits?: (key: Key) => boolean } = {},
): Table {
  let done = false;
  return aroundCalls(table, async (send, name, [first]) => {
    const isNow = !done && name === verb && fits(first as Key);
    if (isNow) done = true;
    if (isNow && when === 'before') await happens();
    const result = await send();
    if (isNow && when === 'after') await happens();
    return result;
  });
}
/** The key of an item or of a queried list. */
interface Key {
  readonly pk?: string;
  readonly sk?: string;
  readonly partition?: string;
}

/** A killed process: its call never returns. */
export class Killed extends Error {}

/**
 * Runs in a process that dies at its n-th call.
 * @param when `before`: the call never reached the table; `after`: it took effect and its answer was lost
 * @returns whether it died; false if it ended before
 */
export async function runDying(
  table: Table,
  n: number,
  when: 'before' | 'after',
  run: (table: Table) => Promise<unknown>,
): Promise<boolean> {
  let calls = 0;
  /** Calls sent before the process died still reach the table. */
  const underWay = new Set<Promise<unknown>>();
  const dying = aroundCalls(table, async (send) => {
    calls += 1;
    if (calls > n || (calls === n && when === 'before')) throw new Killed();
    const call = send();
    underWay.add(call);
    const result = await call.finally(() => underWay.delete(call));
    if (calls >= n) throw new Killed();
    return result;
  });
  await run(dying).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  await Promise.allSettled(underWay);
  return calls >= n;
}

/**
 * A table for a process that sleeps before a call until it is woken.
 * @param sleepsAt `count` is the number of calls of that name, this one included
 */
export function sleepingTable(
  table: Table,
  sleepsAt: (name: string, count: number, args: readonly unknown[]) => boolean,
) {
  let wake = (): void => undefined;
  let fell = (): void => undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const asleep = new Promise<void>((resolve) => {
    fell = resolve;
  });
  const counts = new Map<string, number>();
  const proxy = aroundCalls(table, async (send, name, args) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (sleepsAt(name, count, args)) {
      fell();
      await woken;
    }
    return send();
  });
  return { table: proxy, asleep, wake };
}

/**
 * A distribution attempt that reserves capacity and dies before the next write.
 * @throws Killed
 */
export async function dieWithAReservation(table: Table): Promise<never> {
  const deps = distributionOn(table);
  const reservations = {
    ...deps.reservations,
    reserve: async (...args: Parameters<typeof deps.reservations.reserve>) => {
      await deps.reservations.reserve(...args);
      throw new Killed();
    },
  };
  const recordless = changedTable(table, {
    put: (write) => (write.put.sk === keys.decision('').sk ? new Promise(() => undefined) : table.put(write)),
  });
  const dying = { ...deps, table: recordless, reservations };
  await ingest(dying, aPerson(), undefined);
  throw new Error('It did not die');
}
