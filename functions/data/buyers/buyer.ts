import * as z from 'zod/mini';
import { encrypted } from '#functions/data/table/encrypted';
import { ALL_CHANNELS, CHANNELS, type ChannelFlag, mapSettings } from '#shared/channels/channels';
import { answerRule, pair } from '#shared/contract/rows/channel-values';
import {
  BUYER_TYPES,
  CAP_REASONS,
  NEWS_PRESETS,
  ON_REFUSAL,
  ON_SILENCE,
  type PauseReason,
} from '#shared/rules/constants';
import { isOpen, nextOpening } from '#shared/rules/schedule';

const storedText = (fallback: string | null) => z._default(z.nullable(z.string()), fallback);

/** The hours of a buyer; see `shared/rules/schedule.ts`. */
export const scheduleSchema = z.object({
  weekdays: z.array(z.int()),
  from: z.string(),
  to: z.string(),
  holidays_off: z.boolean(),
});

/** A buyer and how leads reach it. */
export const buyerSchema = z.object({
  /** The immutable internal id; `buyer_id` is what admins chose and may change. */
  buyer: z.int(),
  buyer_id: z.string(),
  buyer_email: z.string(),
  /** Hundredths of a percent. */
  probability: z.int(),
  /** Cents. */
  min_investment: z.nullable(z.int()),
  /** Cents. */
  price_per_lead: z.nullable(z.int()),
  buyer_type: z.enum(BUYER_TYPES),
  // A buyer that was stored before there was a channel has none of its settings.
  ...mapSettings({
    flag: () => z._default(z.boolean(), false),
    text: ({ defaultValue = null }) => storedText(defaultValue),
    choice: ({ defaultValue }) => storedText(defaultValue),
    host: () => storedText(null),
    address: () => storedText(null),
    area: () => storedText(null),
    secret: () => z._default(z.nullable(encrypted), null),
    template: () => storedText(null),
    mapping: () => z._default(z.record(z.string(), z.string()), {}),
    pairs: () => z._default(z.array(pair), []),
    rules: () => z._default(z.array(answerRule), []),
  }),
  manual_review: z.boolean(),
  /** What becomes of leads that its partner refuses. */
  on_refusal: z._default(z.enum(ON_REFUSAL), 'keep'),
  max_claim_days: z.int(),
  min_days_for_ne: z.int(),
  /** Working days within which claims are decided; null: not agreed. For the orders created from now on, as the next two. */
  decision_days: z._default(z.nullable(z.int()), null),
  on_silence: z._default(z.enum(ON_SILENCE), 'none'),
  /** Percent of an order's lead limit; null: any number of claims. */
  claim_quota_percent: z._default(z.nullable(z.int()), null),
  /** Whether its claims that a rule proves are decided at once. */
  auto_decide_claims: z._default(z.boolean(), false),
  /** Whether its links open on a device only after a code sent by e-mail. */
  link_code: z._default(z.boolean(), false),
  /** Days after which its links expire; null: never. */
  link_days: z._default(z.nullable(z.int()), null),
  /** What it is told by e-mail. */
  news_claim_decided: z._default(z.boolean(), NEWS_PRESETS.claim_decided),
  news_order_nearly_full: z._default(z.boolean(), NEWS_PRESETS.order_nearly_full),
  news_weekly_statement: z._default(z.boolean(), NEWS_PRESETS.weekly_statement),
  /** When it takes leads; null: always. */
  schedule: z._default(z.nullable(scheduleSchema), null),
  active: z.boolean(),
  deleted_at: z.nullable(z.string()),
  created_at: z.string(),
  /** The latest order, also after the buyer is deleted and has no pool entry any more. */
  last_order_id: z.nullable(z.int()),
  /** How many orders the buyer ever had; the next one's `buyer_order_number` is one more. */
  order_count: z.int(),
  /** Replacements owed that belong to no order. */
  balance_count: z.int(),
  total_claims: z.int(),
  approved_claims: z.int(),
  rejected_claims: z.int(),
  /** Raised by every change; a change states the one it read. */
  version: z.int(),
});
export type Buyer = z.output<typeof buyerSchema>;

/**
 * The pool entry: a buyer as distribution sees it, small enough that all are read in one query. Every change of it,
 * such as opening, closing, deleting or restoring an order, states the `version` it read.
 */
export const poolEntrySchema = z.object({
  buyer: z.int(),
  buyer_id: z.string(),
  /** Hundredths of a percent. */
  probability: z.int(),
  /** Cents. */
  min_investment: z.int(),
  manual_review: z.boolean(),
  active: z.boolean(),
  channels: z.array(z.enum(CHANNELS)),
  /** The open order, or else the latest one that is not deleted; null without any. */
  order_id: z.nullable(z.int()),
  /** False once the order is known to be full. It may lag behind: the order's own counters decide. */
  has_capacity: z.boolean(),
  /** Whether its order has caps; it may lag behind as well, which then costs a second write. */
  paced: z.optional(z.boolean()),
  /** Until when (UTC) its order takes no more leads, and by which cap: both or none, and without effect afterwards. */
  capped_until: z.optional(z.string()),
  capped_by: z.optional(z.enum(CAP_REASONS)),
  /** When the buyer takes leads; absent: always. */
  schedule: z.optional(scheduleSchema),
  /** The last opening of the schedule (UTC) that the reconciliation has told: leads that waited for it were distributed. */
  opened_at: z.optional(z.string()),
  /** When the buyer was deleted. It gets no leads; the reconciliation ends its reservations and removes the entry. */
  retired_at: z.optional(z.string()),
  version: z.int(),
});
export type PoolEntry = z.output<typeof poolEntrySchema>;

/** What lists show of a pool entry. */
export const listedEntrySchema = z.pick(poolEntrySchema, {
  buyer: true,
  probability: true,
  active: true,
  order_id: true,
  schedule: true,
});
export type ListedEntry = z.output<typeof listedEntrySchema>;

/** The channels that are switched on. */
export function channelsOf(buyer: Pick<Buyer, ChannelFlag>): PoolEntry['channels'] {
  return ALL_CHANNELS.filter(({ flag }) => buyer[flag]).map(({ id }) => id);
}

/** Active: it has an order and is neither paused nor deleted. */
export function isActive(buyer: Pick<Buyer, 'active' | 'deleted_at'>, orderId: number | null): boolean {
  return buyer.active && buyer.deleted_at === null && orderId !== null;
}

/** Whether a buyer's leads go to this order; a buyer has one such order at most. */
export function isServed(
  poolEntry: Pick<PoolEntry, 'active' | 'order_id'> | undefined,
  orderId: number,
): boolean {
  return poolEntry?.active === true && poolEntry.order_id === orderId;
}

/** Whether a buyer is eligible for any lead at all, whatever its amount, at some time. */
export const hasRoom = ({ active, has_capacity, probability }: PoolEntry): boolean =>
  active && has_capacity && probability > 0;

/** The same at an instant. */
export const takesLeads = (entry: PoolEntry, at: Date): boolean =>
  hasRoom(entry) && pausedBy(entry, at) === undefined;

type Paceable = Pick<PoolEntry, 'schedule' | 'capped_until' | 'capped_by'>;

/** Why a buyer that has room gets no lead at an instant, though it will again by itself. */
export function pausedBy({ schedule, capped_until, capped_by }: Paceable, at: Date): PauseReason | undefined {
  if (!isOpen(schedule, at)) return 'outside_schedule';
  return capped_until !== undefined && at < new Date(capped_until) ? capped_by : undefined;
}

/** When a buyer that is paused at an instant takes leads again; undefined where that is not known. */
export function pausedUntil({ schedule, capped_until }: Paceable, at: Date): Date | undefined {
  const capEnds = capped_until === undefined ? at : new Date(capped_until);
  return nextOpening(schedule, capEnds > at ? capEnds : at);
}
