/**
 * The statistics: for every lead what was counted of it, for each day (Berlin) the figures of all buyers, and the totals.
 * They change in one transaction that states the version of each item, so nothing is counted twice or in part. Figures of a
 * day and totals are sums over shards, because functions that count at the same moment would exclude each other from one item.
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
import { type AccountShard, accountPut } from '#functions/data/statistics/accounts';
import { type LatencyShard, latencyPut, latencySchema } from '#functions/data/statistics/latencies';
import { type SourceDayShard, sourceDayPut } from '#functions/data/statistics/source-figures';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Put, Table, TransactionItem } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';
import { CLAIM_STATUSES, FEEDBACKS, LEAD_TYPES } from '#shared/rules/constants';

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

const daySchema = z.object({
  /** Assigned leads that are not deleted. */
  originals: z.int(),
  reimbursements: z.int(),
  /** How many of both were assigned by hand. */
  by_hand: z.int(),
  /**
   * The sum of the buyer's shares in the leads of the day, in parts of a lead: `LEAD` of the share rule is one lead.
   */
  wanted: z.int(),
  /** The leads that it received by weight. */
  got: z.int(),
  /** The leads that were given to others, or to nobody, because its order was full, or for its minimum investment. */
  limit_reached: z.int(),
  below_minimum: z.int(),
  /** The claims that it filed on the day, and how many of them have been approved or rejected by now. */
  claims: z.int(),
  approved: z.int(),
  rejected: z.int(),
  /** The leads that it refused on the day, and that went on to others. */
  refused: z.int(),
  /** How many of the originals were sold at each price, in cents; those without a price are left out. */
  prices: z.record(z.string(), z.int()),
  /** The leads that were not for it for other reasons of its own, by reason. */
  missed: z.record(z.string(), z.int()),
});
/** One buyer's part of a day. */
export type BuyerDay = z.output<typeof daySchema>;
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

/** The figures of a buyer's day that are plain sums. */
export const FIGURES = [
  'originals',
  'reimbursements',
  'by_hand',
  'wanted',
  'got',
  'limit_reached',
  'below_minimum',
  'claims',
  'approved',
  'rejected',
  'refused',
] as const satisfies readonly Exclude<keyof BuyerDay, CountedBy>[];

/** The figures of a buyer's day that are sums under names: prices in cents, and reasons. */
export const COUNTED_BY = ['prices', 'missed'] as const;
type CountedBy = (typeof COUNTED_BY)[number];

/** By internal buyer id. */
export type Day = ReadonlyMap<number, BuyerDay>;

const totalsSchema = z.object({
  assigned: z.int(),
  pending: z.int(),
  discarded: z.int(),
  /** Cents, of originals. */
  revenue: z.int(),
  /** Originals that have a price. */
  priced: z.int(),
});
export type Totals = z.output<typeof totalsSchema>;
export const EMPTY_TOTALS: Totals = { assigned: 0, pending: 0, discarded: 0, revenue: 0, priced: 0 };

/** A part of the figures of a day, and of the totals. */
export interface DayShard extends Versioned<Day> {
  readonly day: string;
  readonly shard: number;
}
export interface TotalsShard extends Versioned<Totals> {
  readonly shard: number;
}

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

/** One shard of these days, as `YYYY-MM-DD` here and below. */
export async function days(
  { table }: DataContext,
  days: readonly string[],
  shard: number,
): Promise<DayShard[]> {
  const items = await table.getMany(days.map((day) => keys.statisticsDay(day, shard)));
  return items.map((item, at) =>
    item === undefined
      ? { day: days[at] ?? '', shard, version: 0, value: new Map() }
      : dayShardFromItem(item),
  );
}

export async function totals({ table }: DataContext, shard: number): Promise<TotalsShard> {
  const item = await table.get(keys.totals(shard));
  return item === undefined ? { shard, version: 0, value: EMPTY_TOTALS } : totalsShardFromItem(item);
}

/** The sum of all shards. */
export async function allTotals({ table }: DataContext): Promise<Totals> {
  const sort = { prefix: keys.totals().sk };
  const items = await table.queryAll({ partition: keys.statistics(), sort });
  return items
    .map((item) => totalsShardFromItem(item).value)
    .reduce((sum, part) => sumOfTotals(sum, part), EMPTY_TOTALS);
}

/** All days from one to another, both included; days without a lead are missing. */
export async function range(
  { table }: DataContext,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, Day>> {
  const items = await readRange(table, from, to);
  return sumOfDays(items.map((item) => dayShardFromItem(item)));
}

/** The same of one buyer: days on which nothing of it was counted are missing. */
export async function rangeOf(
  { table }: DataContext,
  buyer: number,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, BuyerDay>> {
  const days = new Map<string, BuyerDay>();
  for (const item of await readRange(table, from, to)) {
    const part = dayFromItem(item, String(buyer)).get(buyer);
    const day = String(item.day);
    if (part !== undefined) days.set(day, addedUp([days.get(day) ?? EMPTY_BUYER_DAY, part]));
  }
  return days;
}

/** @returns false when anything has changed since it was read; then nothing is written */
export async function write(
  { table }: DataContext,
  {
    recounts,
    days,
    totals,
    sources = [],
    latencies = [],
    accounts = [],
  }: {
    recounts: readonly Recount[];
    days: readonly DayShard[];
    totals: readonly TotalsShard[];
    sources?: readonly SourceDayShard[];
    latencies?: readonly LatencyShard[];
    accounts?: readonly AccountShard[];
  },
): Promise<boolean> {
  const items: TransactionItem[] = recounts.flatMap(recounted);
  items.push(...days.map(dayPut), ...totals.map(totalsPut), ...sources.map(sourceDayPut));
  items.push(...latencies.map(latencyPut), ...accounts.map(accountPut));
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

/** Every shard of every day and of the totals. */
export async function everyShard({
  table,
}: DataContext): Promise<{ days: readonly DayShard[]; totals: readonly TotalsShard[] }> {
  const items = await table.queryAll({ partition: keys.statistics(), consistent: true });
  return {
    days: items.filter(({ day }) => day !== undefined).map((item) => dayShardFromItem(item)),
    totals: items.filter(({ day }) => day === undefined).map((item) => totalsShardFromItem(item)),
  };
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

function readRange(table: Table, from: string, to: string): Promise<Item[]> {
  return table.queryAll({
    partition: keys.statistics(),
    // The shards of the last day come behind it.
    sort: { from: keys.statisticsDay(from).sk, to: `${keys.statisticsDay(to).sk}~` },
  });
}

/** The writes of a recount. The item is never removed, because its version protects against a late writer. */
export function recounted({ leadId, seen, now }: Recount): TransactionItem[] {
  const { decided } = now;
  const item = guarded(
    {
      ...keys.counted(leadId),
      lead_id: leadId,
      counted: JSON.stringify(now),
      ...(decided !== null && {
        gsi1pk: indexed.decided(decided.day),
        gsi1sk: indexed.at(decided.at, leadId),
      }),
    },
    seen.version,
  );
  return [item, ...reindexed(leadId, seen.value.words, now.words)];
}

/**
 * What was added later stands in attributes of its own, so that earlier code still reads a day. What it writes lacks them,
 * until the statistics are rebuilt.
 */
export function dayPut({ day, shard, version, value }: DayShard): Put {
  const buyers: Record<string, z.input<typeof figuresSchema>> = {};
  const more: Record<string, z.input<typeof moreSchema>> = {};
  const missed: Record<string, BuyerDay['missed']> = {};
  const refused: Record<string, number> = {};
  for (const [buyer, of] of value) {
    buyers[buyer] = [of.originals, of.reimbursements, of.by_hand, of.wanted, of.got];
    const { limit_reached, below_minimum, claims, approved, rejected, prices } = of;
    const rest: z.input<typeof moreSchema> = [
      limit_reached,
      below_minimum,
      claims,
      approved,
      rejected,
      prices,
    ];
    if (JSON.stringify(rest) !== JSON.stringify(NO_MORE)) more[buyer] = rest;
    if (Object.keys(of.missed).length > 0) missed[buyer] = of.missed;
    if (of.refused !== 0) refused[buyer] = of.refused;
  }
  return guarded(
    {
      ...keys.statisticsDay(day, shard),
      day,
      buyers: JSON.stringify(buyers),
      more: JSON.stringify(more),
      ...(Object.keys(missed).length > 0 && { missed: JSON.stringify(missed) }),
      ...(Object.keys(refused).length > 0 && { refused: JSON.stringify(refused) }),
    },
    version,
  );
}

export function totalsPut({ shard, version, value }: TotalsShard): Put {
  return guarded({ ...keys.totals(shard), ...value }, version);
}

/** The days of these shards, each the sum of its own. */
export function sumOfDays(shards: readonly DayShard[]): Map<string, Map<number, BuyerDay>> {
  const days = new Map<string, Map<number, BuyerDay>>();
  for (const { day, value } of shards) {
    const sum = days.get(day) ?? new Map<number, BuyerDay>();
    for (const [buyer, part] of value) sum.set(buyer, addedUp([sum.get(buyer) ?? EMPTY_BUYER_DAY, part]));
    days.set(day, sum);
  }
  return days;
}

/** The sum of figures, of many days or many buyers. */
export function addedUp(parts: Iterable<BuyerDay>): BuyerDay {
  const total: { -readonly [Field in keyof BuyerDay]: BuyerDay[Field] } = {
    ...EMPTY_BUYER_DAY,
    prices: {},
    missed: {},
  };
  for (const part of parts) {
    for (const field of FIGURES) total[field] += part[field];
    for (const field of COUNTED_BY)
      for (const [name, leads] of Object.entries(part[field]))
        total[field][name] = (total[field][name] ?? 0) + leads;
  }
  return total;
}

/** What a buyer is billed, in cents. */
export function revenueOf({ prices }: Pick<BuyerDay, 'prices'>): number {
  return Object.entries(prices).reduce((cents, [price, leads]) => cents + Number(price) * leads, 0);
}

export function sumOfTotals(a: Totals, b: Totals): Totals {
  return {
    assigned: a.assigned + b.assigned,
    pending: a.pending + b.pending,
    discarded: a.discarded + b.discarded,
    revenue: a.revenue + b.revenue,
    priced: a.priced + b.priced,
  };
}

function guarded(item: Put['put'], version: number): Put {
  return {
    put: { ...item, version: version + 1 },
    condition: version === 0 ? 'attribute_not_exists(pk)' : 'version = :seen',
    ...(version > 0 && { values: { ':seen': version } }),
  };
}

const figuresSchema = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]);
const moreSchema = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), daySchema.shape.prices]);

/** The shard stands at the end of the sort key; the first has none there. */
function shardAfter(prefix: string, { sk }: Item): number {
  return Number(String(sk).slice(prefix.length + 1));
}

function dayShardFromItem(item: Item): DayShard {
  const day = String(item.day);
  const shard = shardAfter(keys.statisticsDay(day).sk, item);
  return { day, shard, version: Number(item.version), value: dayFromItem(item) };
}

function totalsShardFromItem(item: Item): TotalsShard {
  const shard = shardAfter(keys.totals().sk, item);
  return { shard, version: Number(item.version), value: totalsSchema.parse(item) };
}

/** @param only one buyer; the others are left out unread */
function dayFromItem(item: Item, only?: string): Day {
  const parts = <Part extends z.ZodMiniType>(text: unknown, part: Part) => {
    const all: unknown = typeof text === 'string' ? JSON.parse(text) : {};
    const one = only === undefined ? all : { [only]: z.record(z.string(), z.unknown()).parse(all)[only] };
    return z.record(z.string(), z.optional(part)).parse(one);
  };
  const more = parts(item.more, moreSchema);
  const missed = parts(item.missed, daySchema.shape.missed);
  const refused = parts(item.refused, z.int());
  return new Map(
    Object.entries(parts(item.buyers, figuresSchema)).flatMap(([buyer, figures]) => {
      if (figures === undefined) return [];
      const [originals, reimbursements, by_hand, wanted, got] = figures;
      const [limit_reached, below_minimum, claims, approved, rejected, prices] = more[buyer] ?? NO_MORE;
      const part: BuyerDay = {
        originals,
        reimbursements,
        by_hand,
        wanted,
        got,
        limit_reached,
        below_minimum,
        claims,
        approved,
        rejected,
        refused: refused[buyer] ?? 0,
        prices,
        missed: missed[buyer] ?? {},
      };
      return [[Number(buyer), part]];
    }),
  );
}

const NO_MORE: z.output<typeof moreSchema> = [0, 0, 0, 0, 0, {}];

function countedFromItem(item: Item): Counted {
  return countedSchema.parse(JSON.parse(String(item.counted)));
}
