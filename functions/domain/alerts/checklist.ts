/** Why a buyer gets no leads: all possible obstacles, in the order in which a lead meets them. Reads no lead. */

import * as templateStore from '#functions/data/administration/template-store';
import {
  type Buyer,
  channelsOf,
  hasOpenCapacity,
  type PoolEntry,
  pausedBy,
  pausedUntil,
} from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import {
  type DeliveryProblem,
  deliveryProblemOf,
  isBlocking,
  templateIdsOf,
} from '#functions/data/buyers/delivery-problem';
import type { Context, DataContext } from '#functions/data/context';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit } from '#functions/data/deliveries/circuits';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { Pool } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { hasCapacity, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, EMPTY_BUYER_DAY, missedFor } from '#functions/data/statistics/statistics-store';
import { notFound } from '#functions/domain/common/errors';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { silentSources } from '#functions/domain/statistics/source-statistics';
import type { Channel } from '#shared/channels/channels';
import { type CheckState, OTHER_MISFITS, type PauseReason } from '#shared/rules/constants';
import { addDays, berlinDay } from '#shared/rules/working-days';

export const CHECKED_DAYS = 30;
export const RECENT_DAYS = 7;

/** `warn`: the buyer misses some leads, or a lead may not arrive. */
export type Check = { readonly state: CheckState } & (
  | { readonly check: 'order'; readonly orderId: number | null }
  | {
      readonly check: 'limit';
      readonly received: number;
      readonly limit: number;
      readonly renews: boolean;
    }
  | { readonly check: 'paused' }
  | { readonly check: 'review' }
  /** @property weight in hundredths of a percent @property free not used by the other active buyers */
  | { readonly check: 'weight'; readonly weight: number; readonly free: number }
  /** @property minimum in cents; 0 for none @property below how many of `leads` have a smaller amount */
  | { readonly check: 'minimum'; readonly minimum: number; readonly below: number; readonly leads: number }
  /** @property limits besides the minimum, amounts in cents @property missed leads that did not fit */
  | { readonly check: 'criteria'; readonly limits: Limits; readonly missed: number }
  /** @property missed leads without consent that the buyer could not get */
  | { readonly check: 'consent'; readonly required: boolean; readonly missed: number }
  | { readonly check: 'schedule'; readonly opens: Date | undefined }
  | { readonly check: 'caps'; readonly by: PauseReason | undefined; readonly until: Date | undefined }
  | {
      readonly check: 'channels';
      readonly on: readonly Channel[];
      readonly problem: DeliveryProblem | undefined;
      readonly order: Order | undefined;
    }
  | { readonly check: 'delivery'; readonly paused: readonly Channel[]; readonly failed: number }
  /** @property leads assigned to any buyer in the last days @property waiting whether there are pending ones @property silent sources */
  | {
      readonly check: 'intake';
      readonly leads: number;
      readonly waiting: boolean;
      readonly silent: readonly string[];
    }
  /** @property ahead of its share, in leads @property turnAfter after about how many leads it is this buyer's turn */
  | { readonly check: 'share'; readonly ahead: number; readonly turnAfter: number | undefined }
  | { readonly check: 'persons'; readonly already: number; readonly known: number; readonly refused: number }
);

type Limits = Pick<
  Buyer,
  'max_investment' | 'min_term' | 'max_term' | 'sources_allowed' | 'sources_excluded'
>;

export async function checklistOf(context: Context, buyerId: string): Promise<readonly Check[]> {
  const buyer = await buyerStore.byId(context, buyerId);
  if (buyer === undefined) throw notFound('Buyer');
  const now = context.runtime.now();
  const today = berlinDay(now);
  const pool = await poolStore.read(context);
  const entry = pool.entries.find((one) => one.buyer === buyer.buyer);
  const [order, range, pending, silent, paused, failed, templates] = await Promise.all([
    entry?.order_id ? orderStore.get(context, entry.order_id) : undefined,
    statisticsStore.range(context, addDays(today, 1 - CHECKED_DAYS), today),
    statisticsStore.pendingUpTo(context, 1),
    silentSources(context),
    pausedChannels(context, buyer, now),
    deliveryStore.failedOf(context, buyer.buyer),
    templateStore.getMany(context, templateIdsOf(buyer)),
  ]);
  const days = [...range];
  const own = addedUp(days.flatMap(([, day]) => day.get(buyer.buyer) ?? EMPTY_BUYER_DAY));
  const leadsSince = (first: string) => {
    const { originals, reimbursements } = addedUp(
      days.flatMap(([day, parts]) => (day >= first ? [...parts.values()] : [])),
    );
    return originals + reimbursements;
  };
  const leads = leadsSince('');
  const recent = leadsSince(addDays(today, 1 - RECENT_DAYS));
  const minimum = entry?.min_investment ?? buyer.min_investment ?? 0;
  // `leads` excludes leads below the minimum that no other buyer received.
  const leadsOffered = Math.max(leads, own.below_minimum);
  const mayBeSmaller = own.below_minimum > 0 && own.below_minimum * 2 >= leadsOffered;
  const by = entry && pausedBy(entry, now);
  const until = entry && pausedUntil(entry, now);
  const problem = deliveryProblemOf(buyer, templates);
  const isClosed = by === 'outside_schedule';
  return [
    ...ofOrder(order, entry),
    { check: 'review', state: (entry ?? buyer).manual_review ? 'blocked' : 'ok' },
    ofWeight(pool, buyer, entry),
    {
      check: 'minimum',
      state: minimum === 0 || !mayBeSmaller ? 'ok' : own.below_minimum === leadsOffered ? 'blocked' : 'warn',
      minimum,
      below: own.below_minimum,
      leads: leadsOffered,
    },
    ofCriteria(buyer, missedFor(own, OTHER_MISFITS)),
    ofConsent((entry ?? buyer).requires_consent === true, own.missed.consent_required ?? 0),
    { check: 'schedule', state: isClosed ? 'blocked' : 'ok', opens: isClosed ? until : undefined },
    isClosed || by === undefined
      ? { check: 'caps', state: 'ok', by: undefined, until: undefined }
      : { check: 'caps', state: 'blocked', by, until },
    {
      check: 'channels',
      state: problem === undefined ? 'ok' : isBlocking(problem) ? 'blocked' : 'warn',
      on: channelsOf(buyer),
      problem,
      order,
    },
    {
      check: 'delivery',
      state: paused.length > 0 || failed.length > 0 ? 'warn' : 'ok',
      paused,
      failed: failed.length,
    },
    {
      check: 'intake',
      state: recent === 0 ? 'blocked' : silent.length > 0 ? 'warn' : 'ok',
      leads: recent,
      waiting: pending !== 0,
      silent: silent.map(({ source }) => source.name),
    },
    ofShare(pool, buyer, entry, now),
    {
      check: 'persons',
      state: own.refused + missedFor(own, ['already_received', 'already_known']) > 0 ? 'warn' : 'ok',
      already: own.missed.already_received ?? 0,
      known: own.missed.already_known ?? 0,
      refused: own.refused,
    },
  ];
}

const ofCriteria = (limits: Limits, missed: number): Check => ({
  check: 'criteria',
  state: isLimited(limits) && missed > 0 ? 'warn' : 'ok',
  limits,
  missed,
});

const isLimited = ({ max_investment, min_term, max_term, ...sources }: Limits): boolean =>
  (max_investment ?? min_term ?? max_term) !== null ||
  sources.sources_allowed.length + sources.sources_excluded.length > 0;

const ofConsent = (required: boolean, missed: number): Check => ({
  check: 'consent',
  state: required && missed > 0 ? 'warn' : 'ok',
  required,
  missed,
});

function ofOrder(order: Order | undefined, entry: PoolEntry | undefined): Check[] {
  if (order === undefined || order.deleted_at !== null)
    return [{ check: 'order', state: 'blocked', orderId: null }];
  return [
    { check: 'order', state: 'ok', orderId: order.order_id },
    {
      check: 'limit',
      state: hasCapacity(order) ? 'ok' : 'blocked',
      received: order.leads_received,
      limit: order.lead_limit,
      renews: order.renewal === 'auto' || order.reorder?.state === 'confirmed',
    },
    { check: 'paused', state: entry?.active === true ? 'ok' : 'blocked' },
  ];
}

function ofWeight({ entries }: Pool, buyer: Buyer, entry: PoolEntry | undefined): Check {
  const weight = entry?.probability ?? buyer.probability;
  const others = entries
    .filter((one) => one.buyer !== buyer.buyer && one.active && one.order_id !== null)
    .reduce((sum, { probability }) => sum + probability, 0);
  const free = Math.max(0, 10_000 - others);
  return { check: 'weight', state: weight > 0 ? 'ok' : 'blocked', weight, free };
}

/** Every lead credits the buyer its share. Its turn comes approximately when these credits equal what it is ahead. */
function ofShare({ entries, ledger }: Pool, buyer: Buyer, entry: PoolEntry | undefined, now: Date): Check {
  const ahead = -(ledger.deficits[buyer.buyer] ?? 0) / LEAD;
  const rivals = entries.filter((one) => hasOpenCapacity(one) && pausedBy(one, now) === undefined);
  const weight = entry?.probability ?? 0;
  const all = rivals.reduce((sum, one) => sum + (one.buyer === buyer.buyer ? 0 : one.probability), weight);
  const turnAfter = weight === 0 ? undefined : Math.max(1, Math.ceil((Math.max(0, ahead) * all) / weight));
  return { check: 'share', state: ahead > 1 ? 'warn' : 'ok', ahead, turnAfter };
}

async function pausedChannels(context: DataContext, buyer: Buyer, now: Date): Promise<Channel[]> {
  const states = await Promise.all(
    channelsOf(buyer).map(async (channel) => ({
      channel,
      until: await circuitStore.openUntil(context, channelCircuit(buyer.buyer, channel)),
    })),
  );
  return states.flatMap(({ channel, until }) => (until !== undefined && until > now ? [channel] : []));
}
