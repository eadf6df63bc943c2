/**
 * The statistics: for every lead what was counted of it, and read from the sums of all leads the figures of buyers on days
 * (Berlin) and the totals. Counts and sums change in one transaction that states the version of each item, so nothing is
 * counted twice or in part.
 */

import * as z from 'zod/mini';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import type { DataContext } from '#functions/data/context';
import { decisionFromItem } from '#functions/data/leads/decisions';
import {
  type Decision,
  type Delivery,
  decisionSchema,
  deliverySchema,
  type Lead,
  leadSchema,
} from '#functions/data/leads/lead';
import { reindexed } from '#functions/data/leads/search-index';
import { personal } from '#functions/data/personal';
import {
  nameOf,
  type Sums,
  type SumsShard,
  sumsIn,
  sumsPut,
  versioned,
  whatOf,
} from '#functions/data/statistics/sums';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, TransactionItem } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';
import { latencySeries } from '#shared/contract/rows/latency-series';
import { CLAIM_STATUSES, FEEDBACKS, LEAD_TYPES } from '#shared/rules/constants';

/** How long a lead took: for each series the Berlin day on which it arrived there, and the bucket of the time that it took. */
export const latencySchema = z.partialRecord(latencySeries, z.tuple([z.string(), z.int()]));
export type Latency = z.output<typeof latencySchema>;

/** What was counted of a lead. It is complete enough to be subtracted again. */
export const countedSchema = z.object({
  state: z.nullable(z.enum(['assigned', 'pending', 'discarded'])),
  /** While assigned: the buyer and day of the assignment, and the price in cents. */
  assignment: z.nullable(
    z.object({
      day: z.string(),
      buyer: z.int(),
      type: z.enum(LEAD_TYPES),
      by_hand: z.boolean(),
      price: z.nullable(z.int()),
      /** Left out of what was counted before November 2026. */
      order: z.optional(z.int()),
    }),
  ),
  /** The choice by the weights; null for a lead assigned by hand and before the first choice. */
  decided: z.nullable(
    z.object({
      ...z.pick(decisionSchema, { rule: true, mode: true, winner: true, eligible: true }).shape,
      at: z.string(),
      day: z.string(),
      /** Cents. */
      amount: z.int(),
      /** Buyers that other weights, minimums or limits would have made eligible, by the reason they were not. */
      curable: decisionSchema.shape.not_eligible,
    }),
  ),
  /** The words of the lead in the search index. */
  words: personal(z.array(z.string()), { kept: 'counted anew, without words, once the lead is gone' }),
  /** Its claim, whatever became of the lead: the day it was filed, and its present status. Left out without a claim. */
  claim: z.optional(
    z.object({
      day: z.string(),
      buyer: z.int(),
      status: z.enum(CLAIM_STATUSES),
      order: z.optional(z.int()),
    }),
  ),
  /** The buyers that refused it, so that it went on, each with the day. Left out where none did. */
  refused: z.optional(z.array(z.object({ day: z.string(), buyer: z.int() }))),
  /** What its buyer said of it, while it is in an order. */
  feedback: z.optional(z.enum(FEEDBACKS)),
  /** How it came in, if from a source: the day and the hour of Berlin, and whether it was refused as a duplicate. */
  came: z.optional(z.object({ day: z.string(), hour: z.int(), source: z.int(), duplicate: z.boolean() })),
  /** How long it took, also once it is deleted. Left out for a lead that waited for an order or an admin. */
  latency: z.optional(latencySchema),
});
export type Counted = z.output<typeof countedSchema>;

export const NOTHING_COUNTED: Counted = { state: null, assignment: null, decided: null, words: [] };

/** A stored value with the version that a change of it must state: 0 while there is no item. */
export interface Versioned<T> {
  readonly version: number;
  readonly value: T;
}

/** The figures of a buyer's day that are plain sums. */
export const FIGURES = [
  // Assigned leads that are not deleted, and how many of both were assigned by hand.
  'originals',
  'reimbursements',
  'by_hand',
  // The sum of the buyer's shares in the leads of the day, in parts of a lead: `LEAD` of the share rule is one lead.
  'wanted',
  // The leads that it received by weight.
  'got',
  // The leads that were given to others, or to nobody, because its order was full, or for its minimum investment.
  'limit_reached',
  'below_minimum',
  // The claims that it filed on the day, and how many of them have been approved or rejected by now.
  'claims',
  'approved',
  'rejected',
  // The leads that it refused on the day, and that went on to others.
  'refused',
] as const;
type Figure = (typeof FIGURES)[number];

/**
 * The figures of a buyer's day that are sums under names: how many of the originals were sold at each price, in cents, and the
 * leads that were not for it for other reasons of its own.
 */
const COUNTED_BY = ['prices', 'missed'] as const;
type CountedBy = (typeof COUNTED_BY)[number];

/** One buyer's part of a day. */
export type BuyerDay = Readonly<Record<Figure, number> & Record<CountedBy, Readonly<Record<string, number>>>>;

export const EMPTY_BUYER_DAY: BuyerDay = {
  originals: 0,
  reimbursements: 0,
  by_hand: 0,
  wanted: 0,
  got: 0,
  limit_reached: 0,
  below_minimum: 0,
  claims: 0,
  approved: 0,
  rejected: 0,
  refused: 0,
  prices: {},
  missed: {},
};

/** By internal buyer id. */
export type Day = ReadonlyMap<number, BuyerDay>;

/** The change of what is counted of a lead. */
export interface Recount {
  readonly leadId: string;
  readonly seen: Versioned<Counted>;
  readonly now: Counted;
}

/** What is counted of. */
export interface Current {
  readonly lead: Lead | undefined;
  readonly decision: Decision | undefined;
  readonly claim: Claim | undefined;
  /** Those that were asked for and are there. */
  readonly deliveries: readonly Delivery[];
}

/** The channels whose deliveries are of interest. */
export type ChannelsOf = (leadId: string) => Iterable<Channel>;

/** What was counted of these leads, in the order of the ids. */
export async function counted(
  { table }: DataContext,
  leadIds: readonly string[],
): Promise<Versioned<Counted>[]> {
  const items = await table.getMany(leadIds.map((id) => keys.counted(id)));
  return items.map((item) =>
    item === undefined
      ? { version: 0, value: NOTHING_COUNTED }
      : { version: Number(item.version), value: countedFromItem(item) },
  );
}

/** The leads with their latest decisions, their claims and some deliveries, in the order of the ids. */
export async function current(
  { table }: DataContext,
  leadIds: readonly string[],
  channelsOf: ChannelsOf,
): Promise<Current[]> {
  const wanted = leadIds.map((id) => [
    keys.lead(id),
    keys.decision(id),
    ...Array.from(channelsOf(id), (channel) => keys.delivery(id, channel)),
  ]);
  const items = await table.getMany(wanted.flat());
  let next = 0;
  const found = wanted.map(({ length }) => {
    const [lead, decision, ...deliveries] = items.slice(next, next + length);
    next += length;
    return {
      lead: lead && leadSchema.parse(lead),
      decision: decision && decisionFromItem(decision),
      deliveries: deliveries.flatMap((item) => (item === undefined ? [] : [deliverySchema.parse(item)])),
    };
  });
  // Few leads have one. A claim changes together with its lead, so it is as new as the lead or newer.
  const claims = await table.getMany(
    found.flatMap(({ lead }) => (lead?.claim_id === undefined ? [] : [keys.claim(lead.claim_id)])),
  );
  const ofLead = new Map(
    claims
      .flatMap((item) => (item === undefined ? [] : [claimSchema.parse(item)]))
      .map((claim) => [claim.lead_id, claim]),
  );
  return found.map((one, at) => ({ ...one, claim: ofLead.get(leadIds[at] ?? '') }));
}

/** Leads by their states, `revenue` in cents, of originals, and `priced`: originals that have a price. */
export async function allTotals(context: DataContext): Promise<Sums> {
  const what = whatOf(nameOf.totals());
  return (await sumsIn(context, keys.statistics(), { prefix: what })).get(what) ?? new Map();
}

/** All days from one to another, as `YYYY-MM-DD`, both included; days without a lead are missing. */
export async function range(
  context: DataContext,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, Day>> {
  const days = await sumsIn(context, keys.statistics(), { from, to });
  return new Map([...days].map(([day, sums]) => [day, buyerDays(sums)]));
}

/** The same of one buyer: days on which nothing of it was counted are missing. */
export async function rangeOf(
  context: DataContext,
  buyer: number,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, BuyerDay>> {
  const days = await sumsIn(context, keys.statistics(), { from, to }, String(buyer));
  return new Map([...days].flatMap(([day, sums]) => [...buyerDays(sums).values()].map((of) => [day, of])));
}

/** @returns false when anything has changed since it was read; then nothing is written */
export async function write(
  { table }: DataContext,
  recounts: readonly Recount[],
  sums: readonly SumsShard[],
): Promise<boolean> {
  const items = [...recounts.flatMap(recounted), ...sums.map(sumsPut)];
  return items.length === 0 || (await table.transact(items)).ok;
}

/** Counts the pending leads, from the index and not from the totals. @returns undefined for more than `most` */
export async function pendingUpTo({ table }: DataContext, most: number): Promise<number | undefined> {
  let found = 0;
  let after: Item | undefined;
  do {
    const { items, next } = await table.query({
      index: 'gsi1',
      partition: indexed.pending(),
      limit: most + 1 - found,
      only: ['sk'],
      ...(after !== undefined && { after }),
    });
    found += items.length;
    after = next;
  } while (after !== undefined && found <= most);
  return found > most ? undefined : found;
}

/** What was counted of every lead, page by page, in no order. */
export async function* everyCounted({
  table,
}: DataContext): AsyncGenerator<readonly { leadId: string; counted: Counted }[]> {
  for await (const items of table.scan()) {
    yield items
      .filter((item) => item.sk === keys.counted('').sk)
      .map((item) => ({ leadId: String(item.lead_id), counted: countedFromItem(item) }));
  }
}

/** The ids of all leads, page by page, in no order. */
export async function* everyLead({ table }: DataContext): AsyncGenerator<readonly string[]> {
  for await (const items of table.scan()) {
    yield items.filter((item) => item.sk === keys.lead('').sk).map((item) => String(item.lead_id));
  }
}

/** The leads decided by weight on a day, earliest first. */
export async function decidedOn(
  { table }: DataContext,
  day: string,
  limit: number,
): Promise<{ leadId: string; counted: Counted }[]> {
  const found: { leadId: string; counted: Counted }[] = [];
  let after: Item | undefined;
  do {
    const { items, next } = await table.query({
      index: 'gsi1',
      partition: indexed.decided(day),
      limit: limit - found.length,
      ...(after !== undefined && { after }),
    });
    found.push(...items.map((item) => ({ leadId: String(item.lead_id), counted: countedFromItem(item) })));
    after = next;
  } while (after !== undefined && found.length < limit);
  return found;
}

/** The writes of a recount. The item is never removed, because its version protects against a late writer. */
export function recounted({ leadId, seen, now }: Recount): TransactionItem[] {
  const { decided } = now;
  const put = {
    ...keys.counted(leadId),
    lead_id: leadId,
    counted: JSON.stringify(now),
    ...(decided !== null && {
      gsi1pk: indexed.decided(decided.day),
      gsi1sk: indexed.at(decided.at, leadId),
    }),
  };
  return [versioned(put, seen.version), ...reindexed(leadId, seen.value.words, now.words)];
}

/** The figures of each buyer, from the sums of a day: `originals:7`, `prices:7:4550`, `missed:7:daily_cap`. */
export function buyerDays(sums: Sums): Map<number, BuyerDay> {
  const days = new Map<number, Writable<BuyerDay>>();
  for (const [name, value] of sums) {
    const [field = '', buyer, of = ''] = name.split(':');
    const day = days.get(Number(buyer)) ?? { ...EMPTY_BUYER_DAY };
    days.set(Number(buyer), day);
    const [figure, kind] = [FIGURES.find((one) => one === field), COUNTED_BY.find((one) => one === field)];
    if (figure !== undefined) day[figure] = value;
    if (kind !== undefined) day[kind] = { ...day[kind], [of]: value };
  }
  return days;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The sum of figures, of many days or many buyers. */
export function addedUp(parts: Iterable<BuyerDay>): BuyerDay {
  const total: Writable<BuyerDay> = { ...EMPTY_BUYER_DAY };
  for (const part of parts) {
    for (const field of FIGURES) total[field] += part[field];
    for (const field of COUNTED_BY)
      for (const [name, leads] of Object.entries(part[field]))
        total[field] = { ...total[field], [name]: (total[field][name] ?? 0) + leads };
  }
  return total;
}

/** What a buyer is billed, in cents. */
export function revenueOf({ prices }: Pick<BuyerDay, 'prices'>): number {
  return Object.entries(prices).reduce((cents, [price, leads]) => cents + Number(price) * leads, 0);
}

function countedFromItem(item: Item): Counted {
  return countedSchema.parse(JSON.parse(String(item.counted)));
}
