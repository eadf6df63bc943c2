/**
 * Statistics that are exact however often, late or out of order a change is reported.
 *
 * A report only says that a lead has changed. What is added is the difference between what was counted of the lead
 * before, which is stored with the lead, and what is to be counted now. Days, totals and the stored count are written
 * in one transaction on the condition that nobody else did so meanwhile. The stored count is read before the lead, so
 * the lead can only be newer than its count. See `docs/adr/0010-statistics.md`.
 */

import type { Claim } from '#functions/data/claims/claim';
import type { Context, DataContext } from '#functions/data/context';
import { type Decision, type Delivery, feedbackOf, type Lead } from '#functions/data/leads/lead';
import { leadWords, reindexed } from '#functions/data/leads/search-index';
import * as orderStore from '#functions/data/orders/order-store';
import type { AccountMonthName, AccountShard } from '#functions/data/statistics/accounts';
import * as accountStore from '#functions/data/statistics/accounts';
import type { LatencyDayName, LatencyShard } from '#functions/data/statistics/latencies';
import * as latencyStore from '#functions/data/statistics/latencies';
import * as sourceFigureStore from '#functions/data/statistics/source-figures';
import {
  type SourceDayName,
  type SourceDayShard,
  type Sums,
  summed,
} from '#functions/data/statistics/source-figures';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import {
  addedUp,
  type BuyerDay,
  type ChannelsOf,
  COUNTED_BY,
  type Counted,
  type DayShard,
  EMPTY_BUYER_DAY,
  EMPTY_TOTALS,
  FIGURES,
  NOTHING_COUNTED,
  type Recount,
  sumOfTotals,
  type Totals,
  type TotalsShard,
} from '#functions/data/statistics/statistics-store';
import { STATISTICS_SHARDS } from '#functions/data/table/keys';
import { credits } from '#functions/domain/distribution/share-rule';
import { accountSums } from '#functions/domain/statistics/account-figures';
import { latencyOf, latencySums } from '#functions/domain/statistics/latency';
import { cameOf, sourceSums } from '#functions/domain/statistics/source-figures';
import { PAUSE_REASONS } from '#shared/rules/constants';
import { berlinDay } from '#shared/rules/working-days';

export interface StatisticsContext extends Context {
  /** The shard to which this process adds: the first, until others that count at the same moment are in its way. */
  readonly home?: { shard: number };
}

/** Leads counted in one transaction: each needs its count and, when it is new, about eight words. */
const LEADS_PER_TRANSACTION = 8;
/** Items of a transaction. */
const MAX_WRITES = 100;
/** Attempts to count until all is counted as it stands; most need two, of which the second only looks. */
const MAX_ATTEMPTS = 10;
/** So many writes may fail before another shard is taken: a process that seldom meets another stays where it is. */
const STAYS = 1;
/** Upper bound of the random wait, times the attempts made. */
const MAX_JITTER_MS = 60;

/** A sum of changes to days and totals; taking something out is a change by negative numbers. */
export interface Changes {
  readonly days: Map<string, Map<number, BuyerDay>>;
  totals: Totals;
  readonly sources: Map<SourceDayName, Sums>;
  readonly latencies: Map<LatencyDayName, Sums>;
  readonly accounts: Map<AccountMonthName, Sums>;
}

export const noChanges = (): Changes => ({
  days: new Map(),
  totals: EMPTY_TOTALS,
  sources: new Map(),
  latencies: new Map(),
  accounts: new Map(),
});

/**
 * What is to be counted of a lead as it is now.
 * @param price cents, of the order it belongs to
 * @param before what was counted of it: a refused lead expires and stays counted, and so do times
 * @param deliveries those that may have changed
 */
export function toCount(
  lead: Lead | undefined,
  decision: Decision | undefined,
  price: number | null,
  claim?: Claim,
  before: Counted = NOTHING_COUNTED,
  deliveries: readonly Delivery[] = [],
): Counted {
  const latency = latencyOf(lead, deliveries, before.latency);
  if (lead === undefined)
    return {
      ...NOTHING_COUNTED,
      ...(before.came?.duplicate === true && { came: before.came }),
      ...(latency && { latency }),
    };
  const came = cameOf(lead);
  const state =
    lead.status === 'assigned' || lead.status === 'pending' || lead.status === 'discarded'
      ? lead.status
      : null;
  const feedback = state === 'assigned' ? feedbackOf(lead)?.said : undefined;
  const choice = decision?.mode === 'manual' ? decision.earlier_choice : decision;
  return {
    state,
    assignment: assignmentOf(lead, decision, price),
    decided: choice === undefined ? null : decidedOf(lead, choice),
    // A deleted lead still holds a person, who may ask for it.
    words: state === 'assigned' || state === 'pending' || lead.status === 'deleted' ? leadWords(lead) : [],
    ...(claim !== undefined && {
      claim: {
        day: berlinDay(new Date(claim.created_at)),
        buyer: claim.buyer,
        status: claim.claim_status,
        order: claim.order_id,
      },
    }),
    ...(lead.refused_by !== undefined && {
      refused: lead.refused_by.map(({ buyer, at }) => ({ day: berlinDay(new Date(at)), buyer })),
    }),
    ...(feedback && { feedback }),
    ...(came && { came }),
    ...(latency && { latency }),
  };
}

function assignmentOf(
  lead: Lead,
  decision: Decision | undefined,
  price: number | null,
): Counted['assignment'] {
  const { status, buyer, order_id, lead_type, assigned_at } = lead;
  if (status !== 'assigned' || buyer === undefined || lead_type === undefined || assigned_at === undefined)
    return null;
  return {
    day: berlinDay(new Date(assigned_at)),
    buyer,
    type: lead_type,
    by_hand: decision?.mode === 'manual',
    price,
    ...(order_id !== undefined && { order: order_id }),
  };
}

/** Those that the simulation can take away, and those that a buyer is told of. */
const COUNTED_REASONS: ReadonlySet<string> = new Set([
  'below_min_investment',
  'limit_reached',
  'probability_zero',
  'already_received',
  ...PAUSE_REASONS,
]);

function decidedOf(lead: Lead, choice: NonNullable<Decision['earlier_choice']>): Counted['decided'] {
  const { rule, mode, winner, eligible, decided_at } = choice;
  return {
    rule,
    mode,
    winner,
    eligible,
    at: decided_at,
    day: berlinDay(new Date(decided_at)),
    amount: lead.anlagebetrag,
    curable: Object.fromEntries(
      Object.entries(choice.not_eligible).filter(([reason]) => COUNTED_REASONS.has(reason)),
    ),
  };
}

/** Adds what a lead counts for, or takes it out. */
export function addTo(changes: Changes, counted: Counted, sign: 1 | -1): void {
  const add = (day: string, buyer: number, part: Partial<BuyerDay>) => {
    const buyers = changes.days.get(day) ?? new Map<number, BuyerDay>();
    changes.days.set(day, buyers);
    buyers.set(buyer, sum(buyers.get(buyer) ?? EMPTY_BUYER_DAY, part, sign));
  };
  const { state, assignment, decided, claim, refused = [] } = counted;
  const earns = assignment !== null && assignment.type === 'original' && assignment.price !== null;
  if (assignment !== null) {
    add(assignment.day, assignment.buyer, {
      originals: assignment.type === 'original' ? 1 : 0,
      reimbursements: assignment.type === 'reimbursement' ? 1 : 0,
      by_hand: assignment.by_hand ? 1 : 0,
      ...(earns && { prices: { [String(assignment.price)]: 1 } }),
    });
  }
  if (claim !== undefined) {
    add(claim.day, claim.buyer, {
      claims: 1,
      approved: claim.status === 'approved' ? 1 : 0,
      rejected: claim.status === 'rejected' ? 1 : 0,
    });
  }
  for (const { day, buyer } of refused) add(day, buyer, { refused: 1 });
  if (decided !== null) {
    for (const buyer of decided.curable.limit_reached ?? []) add(decided.day, buyer, { limit_reached: 1 });
    for (const buyer of decided.curable.below_min_investment ?? [])
      add(decided.day, buyer, { below_minimum: 1 });
    for (const reason of ['already_received', ...PAUSE_REASONS] as const)
      for (const buyer of decided.curable[reason] ?? []) add(decided.day, buyer, { missed: { [reason]: 1 } });
  }
  if (decided !== null && decided.winner !== null) {
    const wanted = credits(decided.eligible.map(([buyer, weight]) => ({ buyer, weight })));
    for (const [buyer, shares] of wanted) add(decided.day, buyer, { wanted: shares });
    add(decided.day, decided.winner, { got: 1 });
  }
  const ofSource = sourceSums(counted);
  if (ofSource !== undefined) addSums(changes.sources, ofSource.name, ofSource.sums, sign);
  for (const { name, bucket } of latencySums(counted.latency ?? {}))
    addSums(changes.latencies, name, new Map([[bucket, 1]]), sign);
  for (const { name, sums } of accountSums(counted)) addSums(changes.accounts, name, sums, sign);
  changes.totals = {
    assigned: changes.totals.assigned + (state === 'assigned' ? sign : 0),
    pending: changes.totals.pending + (state === 'pending' ? sign : 0),
    discarded: changes.totals.discarded + (state === 'discarded' ? sign : 0),
    revenue: changes.totals.revenue + (earns ? sign * (assignment.price ?? 0) : 0),
    priced: changes.totals.priced + (earns ? sign : 0),
  };
}

function addSums(to: Map<string, Sums>, name: string, sums: Sums, sign: 1 | -1): void {
  const part = new Map([...sums].map(([key, value]) => [key, sign * value]));
  const before = to.get(name);
  to.set(name, before === undefined ? part : summed([before, part]));
}

/** Adds figures of a buyer to others, or takes them out. */
function sum(to: BuyerDay, part: Partial<BuyerDay>, sign: 1 | -1): BuyerDay {
  const total = addedUp([to]);
  for (const field of FIGURES) total[field] += sign * (part[field] ?? 0);
  for (const field of COUNTED_BY)
    for (const [name, leads] of Object.entries(part[field] ?? {})) {
      const left = (total[field][name] ?? 0) + sign * leads;
      if (left === 0) delete total[field][name];
      else total[field][name] = left;
    }
  return total;
}

const isNothing = (day: BuyerDay) =>
  FIGURES.every((field) => day[field] === 0) &&
  COUNTED_BY.every((field) => Object.keys(day[field]).length === 0);

/**
 * Brings what is counted of these leads up to date.
 * @param channelsOf the channels over which a lead may have been delivered since it was counted
 * @returns how many leads had not been counted as they stand
 * @throws Error when others keep counting the same days at the same moment
 */
export async function count(
  context: StatisticsContext,
  leadIds: readonly string[],
  channelsOf: ChannelsOf = () => [],
): Promise<number> {
  const ids = [...new Set(leadIds)];
  let changed = 0;
  for (let start = 0; start < ids.length; start += LEADS_PER_TRANSACTION)
    changed += await countTogether(context, ids.slice(start, start + LEADS_PER_TRANSACTION), channelsOf);
  return changed;
}

const NOBODY = { lead: undefined, decision: undefined, claim: undefined, deliveries: [] } as const;

async function countTogether(
  context: StatisticsContext,
  ids: readonly string[],
  channelsOf: ChannelsOf,
): Promise<number> {
  const { table, runtime, home = { shard: 0 } } = context;
  let changed = 0;
  let failed = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (failed > 0) await runtime.sleep(runtime.random() * MAX_JITTER_MS * failed);
    const counts = await statisticsStore.counted({ table }, ids);
    const leads = await statisticsStore.current({ table }, ids, channelsOf);
    const prices = await pricesOf(context, leads);
    const recounts = ids.flatMap((leadId, at) => {
      const seen = counts[at] ?? { version: 0, value: NOTHING_COUNTED };
      const { lead, decision, claim, deliveries } = leads[at] ?? NOBODY;
      const price = prices.get(lead?.order_id) ?? null;
      const now = toCount(lead, decision, price, claim, seen.value, deliveries);
      return JSON.stringify(now) === JSON.stringify(seen.value) ? [] : [{ leadId, seen, now }];
    });
    if (recounts.length === 0) return changed;
    const changes = noChanges();
    for (const { seen, now } of recounts) {
      addTo(changes, seen.value, -1);
      addTo(changes, now, 1);
    }
    const writes =
      recounts.reduce((total, recount) => total + writesOf(recount), 1) +
      changes.days.size +
      changes.sources.size +
      changes.latencies.size +
      changes.accounts.size;
    if (ids.length > 1 && writes > MAX_WRITES) {
      const half = Math.ceil(ids.length / 2);
      return (
        changed +
        (await countTogether(context, ids.slice(0, half), channelsOf)) +
        (await countTogether(context, ids.slice(half), channelsOf))
      );
    }
    if (
      await statisticsStore.write({ table }, { recounts, ...(await applied({ table }, changes, home.shard)) })
    ) {
      // Until this write another process may have looked at a lead that had changed back, and found its count in order. So
      // whoever has written a count looks whether it still holds.
      changed += recounts.length;
      failed = 0;
    } else {
      failed += 1;
      if (failed > STAYS) home.shard = Math.floor(runtime.random() * STATISTICS_SHARDS);
    }
  }
  throw new Error('The statistics kept changing while they were counted');
}

/** The writes of a recount: its stored count, and each word added or removed. */
function writesOf({ leadId, seen, now }: Recount): number {
  return 1 + reindexed(leadId, seen.value.words, now.words).length;
}

async function pricesOf(
  context: StatisticsContext,
  leads: readonly { lead: Lead | undefined }[],
): Promise<ReadonlyMap<number | undefined, number | null>> {
  const ids = [...new Set(leads.flatMap(({ lead }) => lead?.order_id ?? []))];
  const orders = await orderStore.getMany(context, ids);
  return new Map(orders.map((order) => [order?.order_id, order?.price_per_lead ?? null]));
}

/** The changed days and totals of a shard with their new values, each with the version that was read. */
async function applied(
  context: DataContext,
  changes: Changes,
  shard: number,
): Promise<{
  days: DayShard[];
  totals: TotalsShard[];
  sources: SourceDayShard[];
  latencies: LatencyShard[];
  accounts: AccountShard[];
}> {
  const touched = new Map(
    [...changes.days].filter(([, buyers]) => [...buyers.values()].some((day) => !isNothing(day))),
  );
  const moves = Object.values(changes.totals).some((value) => value !== 0);
  const [days, totals, sources, latencies, accounts] = await Promise.all([
    statisticsStore.days(context, [...touched.keys()], shard),
    moves ? statisticsStore.totals(context, shard) : undefined,
    sourceFigureStore.shards(context, changed(changes.sources), shard),
    latencyStore.shards(context, changed(changes.latencies), shard),
    accountStore.shards(context, changed(changes.accounts), shard),
  ]);
  return {
    days: days.map((stored) => ({
      ...stored,
      value: merged(stored.value, touched.get(stored.day) ?? new Map<number, BuyerDay>()),
    })),
    totals: totals === undefined ? [] : [{ ...totals, value: sumOfTotals(totals.value, changes.totals) }],
    sources: sources.map((stored) => withChange(stored, changes.sources)),
    latencies: latencies.map((stored) => withChange(stored, changes.latencies)),
    accounts: accounts.map((stored) => withChange(stored, changes.accounts)),
  };
}

/** The names of sums that change. */
const changed = (sums: ReadonlyMap<string, Sums>) =>
  [...sums].flatMap(([name, { size }]) => (size === 0 ? [] : [name]));

const withChange = <Shard extends SourceDayShard>(stored: Shard, changes: ReadonlyMap<string, Sums>) => ({
  ...stored,
  value: summed([stored.value, changes.get(stored.name) ?? new Map<string, number>()]),
});

function merged(
  stored: ReadonlyMap<number, BuyerDay>,
  changes: ReadonlyMap<number, BuyerDay>,
): Map<number, BuyerDay> {
  const result = new Map(stored);
  for (const [buyer, change] of changes) {
    const day = sum(result.get(buyer) ?? EMPTY_BUYER_DAY, change, 1);
    if (isNothing(day)) result.delete(buyer);
    else result.set(buyer, day);
  }
  return result;
}
