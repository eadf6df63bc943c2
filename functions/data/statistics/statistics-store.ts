/** Counts of leads change in one transaction with the sums, by version, so nothing is counted twice or in part. */

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
import { nameOf, type Sums, type SumsShard, sumsIn, sumsPut, tailOf } from '#functions/data/statistics/sums';
import { versioned } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, TransactionItem } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';
import { latencySeries } from '#shared/contract/rows/latency-series';
import { CLAIM_STATUSES, FEEDBACKS, LEAD_TYPES, OTHER_MISFITS, PAUSE_REASONS } from '#shared/rules/constants';
import { record } from '#shared/rules/lead-fields';

export const latencySchema = z.partialRecord(latencySeries, z.tuple([z.string(), z.int()]));
export type Latency = z.output<typeof latencySchema>;

/** Complete enough to be subtracted again. */
export const countedSchema = z.object({
  state: z.nullable(z.enum(['assigned', 'pending', 'discarded'])),
  /** Price in cents. */
  assignment: z.nullable(
    z.object({
      day: z.string(),
      buyer: z.int(),
      type: z.enum(LEAD_TYPES),
      by_hand: z.boolean(),
      price: z.nullable(z.int()),
      /** Missing in what was counted before November 2026. */
      order: z.optional(z.int()),
    }),
  ),
  /** Null for a lead assigned by hand and before the first choice. */
  decided: z.nullable(
    z.object({
      ...z.pick(decisionSchema, { rule: true, mode: true, winner: true, eligible: true }).shape,
      at: z.string(),
      day: z.string(),
      amount: z.int(),
      /** Months. Absent in records of an earlier version. */
      term: z.optional(z.int()),
      /** Whether its person consents to calls. */
      consents: z.optional(z.literal(true)),
      /** Buyers that other terms would have made eligible, by reason. */
      curable: decisionSchema.shape.not_eligible,
    }),
  ),
  words: personal(z.array(z.string()), { kept: 'counted anew, without words, once the lead is gone' }),
  claim: z.optional(
    z.object({
      day: z.string(),
      buyer: z.int(),
      status: z.enum(CLAIM_STATUSES),
      order: z.optional(z.int()),
    }),
  ),
  refused: z.optional(z.array(z.object({ day: z.string(), buyer: z.int() }))),
  feedback: z.optional(z.enum(FEEDBACKS)),
  /** If from a source: day and hour of Berlin. */
  came: z.optional(z.object({ day: z.string(), hour: z.int(), source: z.int(), duplicate: z.boolean() })),
  /** Kept once the lead is deleted. Absent for a lead that waited for an order or an admin. */
  latency: z.optional(latencySchema),
  /** For the list of leads: what is not in `decided`, so that most counts fit into one write unit. Of a lead that is gone only the instant. */
  received: z.optional(
    z.object({
      at: z.string(),
      /** Cents. */
      amount: z.optional(z.int()),
      term: z.optional(z.int()),
      consents: z.optional(z.literal(true)),
    }),
  ),
});
export type Counted = z.output<typeof countedSchema>;

export const NOTHING_COUNTED: Counted = { state: null, assignment: null, decided: null, words: [] };

export interface Versioned<T> {
  readonly version: number;
  readonly value: T;
}

export const FIGURES = [
  'originals',
  'reimbursements',
  'by_hand',
  // The sum of the buyer's shares in the leads of the day, in parts of a lead (`LEAD` of the share rule).
  'wanted',
  'got',
  // Leads that others or nobody got, because its order was full, or for its minimum investment.
  'limit_reached',
  'below_minimum',
  // Claims filed on the day; their decisions may be later.
  'claims',
  'approved',
  'rejected',
  'refused',
] as const;
type Figure = (typeof FIGURES)[number];

/** Sums by name: originals by price in cents, and leads missed for other reasons of the buyer. */
const COUNTED_BY = ['prices', 'missed'] as const;
type CountedBy = (typeof COUNTED_BY)[number];

export type BuyerDay = Readonly<Record<Figure, number> & Record<CountedBy, Readonly<Record<string, number>>>>;

/** Why leads are missed, as far as the sums know it by name. */
export const MISSED_BY_NAME = [
  ...OTHER_MISFITS,
  'consent_required',
  'already_received',
  'already_known',
  ...PAUSE_REASONS,
] as const;

export const missedFor = (
  { missed }: Pick<BuyerDay, 'missed'>,
  reasons: readonly (typeof MISSED_BY_NAME)[number][],
): number => reasons.reduce((sum, reason) => sum + (missed[reason] ?? 0), 0);

export const EMPTY_BUYER_DAY: BuyerDay = { ...record(FIGURES, () => 0), prices: {}, missed: {} };

export type Day = ReadonlyMap<number, BuyerDay>;

export interface Recount {
  readonly leadId: string;
  /** ISO instant. */
  readonly at: string;
  readonly previous: Versioned<Counted>;
  readonly now: Counted;
}

export interface Current {
  readonly lead: Lead | undefined;
  readonly decision: Decision | undefined;
  readonly claim: Claim | undefined;
  readonly deliveries: readonly Delivery[];
}

export type ChannelsOf = (leadId: string) => Iterable<Channel>;

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
  // A claim changes together with its lead, so it is at least as new.
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

/** Leads by state, `revenue` in cents of originals, and `priced`: originals with a price. */
export async function allTotals(context: DataContext): Promise<Sums> {
  const what = tailOf(nameOf.totals());
  return (await sumsIn(context, keys.statistics(), { prefix: what })).get(what) ?? new Map();
}

/** Days as `YYYY-MM-DD`, both included; days without a lead are missing. */
export async function range(context: DataContext, from: string, to: string): Promise<Map<string, Day>> {
  const days = await sumsIn(context, keys.statistics(), { from, to });
  return new Map([...days].map(([day, sums]) => [day, buyerDays(sums)]));
}

export async function rangeOf(
  context: DataContext,
  buyer: number,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, BuyerDay>> {
  const days = await sumsIn(context, keys.statistics(), { from, to }, String(buyer));
  return new Map([...days].flatMap(([day, sums]) => [...buyerDays(sums).values()].map((of) => [day, of])));
}

/** @returns false if anything changed since it was read; then nothing is written */
export async function write(
  { table }: DataContext,
  recounts: readonly Recount[],
  sums: readonly SumsShard[],
): Promise<boolean> {
  const items = [...recounts.flatMap(recounted), ...sums.map(sumsPut)];
  return items.length === 0 || (await table.transact(items)).ok;
}

/** Counts the index, because the totals lag behind. @returns undefined for more than `most` */
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

export async function* everyCounted({
  table,
}: DataContext): AsyncGenerator<readonly { leadId: string; counted: Counted }[]> {
  for await (const items of table.scan()) {
    yield items
      .filter((item) => item.sk === keys.counted('').sk)
      .map((item) => ({ leadId: leadIdOf(item), counted: countedFromItem(item) }));
  }
}

export async function* everyLead({ table }: DataContext): AsyncGenerator<readonly string[]> {
  for await (const items of table.scan()) {
    yield items.filter((item) => item.sk === keys.lead('').sk).map((item) => leadIdOf(item));
  }
}

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
    found.push(...items.map((item) => ({ leadId: leadIdOf(item), counted: countedFromItem(item) })));
    after = next;
  } while (after !== undefined && found.length < limit);
  return found;
}

/** The item is never removed, because its version protects against a late writer. */
export function recounted({ leadId, at, previous, now }: Recount): TransactionItem[] {
  const { decided } = now;
  const put = {
    ...keys.counted(leadId),
    counted: JSON.stringify(now),
    gsi2pk: indexed.recounted(leadId),
    gsi2sk: at,
    ...(decided !== null && {
      gsi1pk: indexed.decided(decided.day),
      gsi1sk: decided.at,
    }),
  };
  return [versioned(put, previous.version), ...reindexed(leadId, previous.value.words, now.words)];
}

/** From the sums of a day: `originals:7`, `prices:7:4550`, `missed:7:daily_cap`. */
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

export function revenueOf({ prices }: Pick<BuyerDay, 'prices'>): number {
  return Object.entries(prices).reduce((cents, [price, leads]) => cents + Number(price) * leads, 0);
}

/** Not an attribute of its own, so that most counts fit into one write unit. */
export const leadIdOf = ({ pk }: Item): string => String(pk).slice(keys.leadPartition('').length);

export function countedFromItem(item: Item): Counted {
  return countedSchema.parse(JSON.parse(String(item.counted)));
}
