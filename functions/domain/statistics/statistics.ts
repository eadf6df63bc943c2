/**
 * Statistics that stay exact however often, late or out of order a change is reported.
 *
 * A report only says that a lead has changed. The difference between its current and its stored count is added. One transaction writes
 * sums and count, on the condition that no other process did meanwhile. The stored count is read before the lead, so the lead can
 * only be newer than its count. See `docs/adr/0010-statistics.md`.
 */

import type { Claim } from '#functions/data/claims/claim';
import type { Context } from '#functions/data/context';
import { type Decision, type Delivery, feedbackOf, type Lead } from '#functions/data/leads/lead';
import { leadWords, reindexed } from '#functions/data/leads/search-index';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import {
  type ChannelsOf,
  type Counted,
  NOTHING_COUNTED,
  type Recount,
} from '#functions/data/statistics/statistics-store';
import * as sumsStore from '#functions/data/statistics/sums';
import { add, nameOf, type Part, type Sums, summed } from '#functions/data/statistics/sums';
import { STATISTICS_SHARDS } from '#functions/data/table/keys';
import { credits } from '#functions/domain/distribution/share-rule';
import { accountParts } from '#functions/domain/statistics/account-figures';
import { latencyOf, latencyParts } from '#functions/domain/statistics/latency';
import { cameOf, sourceParts } from '#functions/domain/statistics/source-figures';
import { consentsToCalls } from '#shared/rules/consent';
import { berlinDay } from '#shared/rules/working-days';

export interface StatisticsContext extends Context {
  /** The shard this process adds to: the first, until it keeps conflicting with others. */
  readonly home?: { shard: number };
}

/** Each lead needs its count and, when it is new, about eight words. */
const LEADS_PER_TRANSACTION = 8;
const MAX_WRITES = 100;
const MAX_ATTEMPTS = 10;
const STAYS = 1;
/** Multiplied by the number of attempts. */
const MAX_JITTER_MS = 60;

export type Changes = Map<string, Map<string, number>>;

interface Known {
  readonly claim?: Claim | undefined;
  /** What was counted: an expired duplicate stays counted, and so do latencies. */
  readonly before?: Counted;
  readonly deliveries?: readonly Delivery[];
}

/** @param price cents */
export function toCount(
  lead: Lead | undefined,
  decision: Decision | undefined,
  price: number | null,
  { claim, before = NOTHING_COUNTED, deliveries = [] }: Known = {},
): Counted {
  const latency = latencyOf(lead, deliveries, before.latency);
  if (lead === undefined)
    return {
      ...NOTHING_COUNTED,
      ...(before.came?.duplicate === true && { came: before.came }),
      ...(latency && { latency }),
      ...(before.came?.duplicate === true ? { received: before.received } : withoutContent(before)),
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
    // A deleted lead still contains a person, who must be found.
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
    ...(state !== null || came?.duplicate === true
      ? { received: receivedOf(lead, choice) }
      : withoutContent(before)),
  };
}

function receivedOf(
  { received_at, anlagebetrag, laufzeit, consent }: Lead,
  decided: Decision['earlier_choice'] | Decision,
): Counted['received'] {
  if (decided !== undefined) return { at: received_at };
  return {
    at: received_at,
    amount: anlagebetrag,
    term: laufzeit,
    ...(consentsToCalls(consent) && { consents: true }),
  };
}

/** For the removal of its row. */
const withoutContent = ({ received }: Counted): Pick<Counted, 'received'> =>
  received === undefined ? {} : { received: { at: received.at } };

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

const COUNTED_REASONS: ReadonlySet<string> = new Set([
  ...statisticsStore.MISSED_BY_NAME,
  'below_min_investment',
  'limit_reached',
  'probability_zero',
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
    term: lead.laufzeit,
    ...(consentsToCalls(lead.consent) && { consents: true }),
    curable: Object.fromEntries(
      Object.entries(choice.not_eligible).filter(([reason]) => COUNTED_REASONS.has(reason)),
    ),
  };
}

export function addTo(changes: Changes, counted: Counted, sign: 1 | -1): void {
  for (const [name, figure, by] of [
    ...buyerParts(counted),
    ...totalParts(counted),
    ...sourceParts(counted),
    ...latencyParts(counted),
    ...accountParts(counted),
  ]) {
    const sums = changes.get(name) ?? new Map<string, number>();
    changes.set(name, sums);
    add(sums, figure, sign * by);
  }
}

function buyerParts({ assignment, claim, refused = [], decided }: Counted): Part[] {
  const parts: Part[] = [];
  const count = (day: string, figure: string, by = 1) => parts.push([nameOf.day(day), figure, by]);
  if (assignment !== null) {
    const { day, buyer, type, price, by_hand } = assignment;
    count(day, `${type === 'original' ? 'originals' : 'reimbursements'}:${buyer}`);
    if (by_hand) count(day, `by_hand:${buyer}`);
    if (type === 'original' && price !== null) count(day, `prices:${buyer}:${price}`);
  }
  if (claim !== undefined) {
    count(claim.day, `claims:${claim.buyer}`);
    if (claim.status !== 'pending') count(claim.day, `${claim.status}:${claim.buyer}`);
  }
  for (const { day, buyer } of refused) count(day, `refused:${buyer}`);
  if (decided === null) return parts;
  const { day, curable, eligible, winner } = decided;
  for (const buyer of curable.limit_reached ?? []) count(day, `limit_reached:${buyer}`);
  for (const buyer of curable.below_min_investment ?? []) count(day, `below_minimum:${buyer}`);
  for (const reason of statisticsStore.MISSED_BY_NAME)
    for (const buyer of curable[reason] ?? []) count(day, `missed:${buyer}:${reason}`);
  if (winner === null) return parts;
  for (const [buyer, shares] of credits(eligible.map(([buyer, weight]) => ({ buyer, weight }))))
    count(day, `wanted:${buyer}`, shares);
  count(day, `got:${winner}`);
  return parts;
}

function totalParts({ state, assignment }: Counted): Part[] {
  const price = assignment?.type === 'original' ? assignment.price : null;
  return [
    ...(state === null ? [] : [[nameOf.totals(), state, 1] as const]),
    ...(price === null
      ? []
      : ([
          [nameOf.totals(), 'revenue', price],
          [nameOf.totals(), 'priced', 1],
        ] as const)),
  ];
}

/** @param channelsOf channels that may have delivered since @returns how many counts changed @throws Error after repeated conflicts */
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

const NONE: Sums = new Map();
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
    const at = runtime.now().toISOString();
    const counts = await statisticsStore.counted({ table }, ids);
    const leads = await statisticsStore.current({ table }, ids, channelsOf);
    const prices = await pricesOf(context, leads);
    const recounts = ids.flatMap((leadId, index) => {
      const previous = counts[index] ?? { version: 0, value: NOTHING_COUNTED };
      const { lead, decision, claim, deliveries } = leads[index] ?? NOBODY;
      const price = prices.get(lead?.order_id) ?? null;
      const now = toCount(lead, decision, price, { claim, before: previous.value, deliveries });
      return JSON.stringify(now) === JSON.stringify(previous.value) ? [] : [{ leadId, at, previous, now }];
    });
    if (recounts.length === 0) return changed;
    const all: Changes = new Map();
    for (const { previous, now } of recounts) {
      addTo(all, previous.value, -1);
      addTo(all, now, 1);
    }
    const changes = new Map([...all].filter(([, sums]) => sums.size > 0));
    const writes = recounts.reduce((total, recount) => total + writesOf(recount), changes.size);
    if (ids.length > 1 && writes > MAX_WRITES) {
      const half = Math.ceil(ids.length / 2);
      return (
        changed +
        (await countTogether(context, ids.slice(0, half), channelsOf)) +
        (await countTogether(context, ids.slice(half), channelsOf))
      );
    }
    const stored = await sumsStore.shards({ table }, [...changes.keys()], home.shard);
    const sums = stored.map((one) => ({ ...one, value: summed([one.value, changes.get(one.name) ?? NONE]) }));
    if (await statisticsStore.write({ table }, recounts, sums)) {
      // Before this write, another process may have read the lead after it changed back, and found its count correct.
      // So the process that wrote a count checks it again.
      changed += recounts.length;
      failed = 0;
    } else {
      failed += 1;
      if (failed > STAYS) home.shard = Math.floor(runtime.random() * STATISTICS_SHARDS);
    }
  }
  throw new Error('The statistics kept changing while they were counted');
}

function writesOf({ leadId, previous, now }: Recount): number {
  return 1 + reindexed(leadId, previous.value.words, now.words).length;
}

async function pricesOf(
  context: StatisticsContext,
  leads: readonly { lead: Lead | undefined }[],
): Promise<ReadonlyMap<number | undefined, number | null>> {
  const ids = [...new Set(leads.flatMap(({ lead }) => lead?.order_id ?? []))];
  const orders = await orderStore.getMany(context, ids);
  return new Map(orders.map((order) => [order?.order_id, order?.price_per_lead ?? null]));
}
