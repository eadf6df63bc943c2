import * as z from 'zod/mini';
import { encrypted } from '#functions/data/table/encrypted';
import { ALL_CHANNELS, CHANNELS, type ChannelFlag, mapSettings } from '#shared/channels/channels';
import { answerRule, pair } from '#shared/contract/rows/channel-values';
import { consentsToCalls } from '#shared/rules/consent';
import {
  BUYER_TYPES,
  CAP_REASONS,
  DEFAULT_DECISIONS,
  type Misfit,
  NOBODY,
  NOTIFICATION_DEFAULTS,
  ON_REFUSAL,
  type PauseReason,
} from '#shared/rules/constants';
import { record } from '#shared/rules/lead-fields';
import { isOpen, nextOpening } from '#shared/rules/schedule';

const storedText = (fallback: string | null) => z._default(z.nullable(z.string()), fallback);

export const scheduleSchema = z.object({
  weekdays: z.array(z.int()),
  from: z.string(),
  to: z.string(),
  holidays_off: z.boolean(),
});

/** Settings that the API and the table hold in the same form. */
const plainSettingsSchema = z.object({
  buyer_email: z.string(),
  buyer_type: z.enum(BUYER_TYPES),
  manual_review: z.boolean(),
  /** Gets only leads whose person agreed to be called. */
  requires_consent: z._default(z.boolean(), false),
  /** Months; null: any. */
  min_term: z._default(z.nullable(z.int()), null),
  max_term: z._default(z.nullable(z.int()), null),
  /** Numbers of sources. One of the two is empty; both: any source. */
  sources_allowed: z._default(z.array(z.int()), []),
  sources_excluded: z._default(z.array(z.int()), []),
  on_refusal: z._default(z.enum(ON_REFUSAL), 'keep'),
  max_claim_days: z.int(),
  min_days_for_ne: z.int(),
  /** Working days; null: not agreed. This and the next two apply to orders created from now on. */
  decision_days: z._default(z.nullable(z.int()), null),
  default_decision: z._default(z.enum(DEFAULT_DECISIONS), 'none'),
  /** Percent of an order's lead limit; null: unlimited. */
  claim_quota_percent: z._default(z.nullable(z.int()), null),
  auto_decide_claims: z._default(z.boolean(), false),
  link_code: z._default(z.boolean(), false),
  link_days: z._default(z.nullable(z.int()), null),
  notify_claim_decided: z._default(z.boolean(), NOTIFICATION_DEFAULTS.claim_decided),
  notify_order_nearly_full: z._default(z.boolean(), NOTIFICATION_DEFAULTS.order_nearly_full),
  notify_weekly_statement: z._default(z.boolean(), NOTIFICATION_DEFAULTS.weekly_statement),
  schedule: z._default(z.nullable(scheduleSchema), null),
});
export const PLAIN_SETTINGS = z.keyof(plainSettingsSchema).options;

export const buyerSchema = z.object({
  buyer: z.int(),
  buyer_id: z.string(),
  ...plainSettingsSchema.shape,
  probability: z.int(),
  min_investment: z.nullable(z.int()),
  max_investment: z._default(z.nullable(z.int()), null),
  /** Cents. */
  price_per_lead: z.nullable(z.int()),
  // Buyers stored before a channel existed have none of its settings.
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
  active: z.boolean(),
  deleted_at: z.nullable(z.string()),
  created_at: z.string(),
  last_order_id: z.nullable(z.int()),
  /** All orders of the buyer, deleted ones included. */
  order_count: z.int(),
  /** Replacements owed that belong to no order. */
  balance_count: z.int(),
  total_claims: z.int(),
  approved_claims: z.int(),
  rejected_claims: z.int(),
  /** Incremented by every change. A write requires the version that was read. */
  version: z.int(),
});
export type Buyer = z.output<typeof buyerSchema>;

export function plainSettingsOf(buyer: Buyer): z.output<typeof plainSettingsSchema>;
export function plainSettingsOf(buyer: Buyer): object {
  return record(PLAIN_SETTINGS, (name) => buyer[name]);
}

/**
 * A buyer as distribution sees it, small enough to read all in one query. Every change states the `version` it read.
 */
export const poolEntrySchema = z.object({
  buyer: z.int(),
  buyer_id: z.string(),
  probability: z.int(),
  min_investment: z.int(),
  /** Absent, like the terms in months: any. */
  max_investment: z.optional(z.int()),
  min_term: z.optional(z.int()),
  max_term: z.optional(z.int()),
  sources_allowed: z.optional(z.array(z.int())),
  sources_excluded: z.optional(z.array(z.int())),
  manual_review: z.boolean(),
  /** Absent: false. */
  requires_consent: z.optional(z.boolean()),
  active: z.boolean(),
  channels: z.array(z.enum(CHANNELS)),
  order_id: z.nullable(z.int()),
  /** False once the order is known to be full. It may lag behind; the order's own counters decide. */
  has_capacity: z.boolean(),
  /** Whether its order has caps. If it lags behind, a reservation costs a second write. */
  paced: z.optional(z.boolean()),
  /** Until when (UTC) a cap pauses its order, and which one: both or none. */
  capped_until: z.optional(z.string()),
  capped_by: z.optional(z.enum(CAP_REASONS)),
  /** Absent: always. */
  schedule: z.optional(scheduleSchema),
  /** The last opening of the schedule (UTC) after which waiting leads were distributed. */
  opened_at: z.optional(z.string()),
  /** When the buyer was deleted. The reconciliation ends its reservations and removes the entry. */
  retired_at: z.optional(z.string()),
  version: z.int(),
});
export type PoolEntry = z.output<typeof poolEntrySchema>;

export const listedEntrySchema = z.pick(poolEntrySchema, {
  buyer: true,
  probability: true,
  active: true,
  order_id: true,
  schedule: true,
});
export type ListedEntry = z.output<typeof listedEntrySchema>;

export function channelsOf(buyer: Pick<Buyer, ChannelFlag>): PoolEntry['channels'] {
  return ALL_CHANNELS.filter(({ flag }) => buyer[flag]).map(({ id }) => id);
}

export function isActive(buyer: Pick<Buyer, 'active' | 'deleted_at'>, orderId: number | null): boolean {
  return buyer.active && buyer.deleted_at === null && orderId !== null;
}

export function isServed(
  poolEntry: Pick<PoolEntry, 'active' | 'order_id'> | undefined,
  orderId: number,
): boolean {
  return poolEntry?.active === true && poolEntry.order_id === orderId;
}

export const hasOpenCapacity = ({ active, has_capacity, probability }: PoolEntry): boolean =>
  active && has_capacity && probability > 0;

export const takesLeads = (entry: PoolEntry, at: Date): boolean =>
  hasOpenCapacity(entry) && pausedBy(entry, at) === undefined;

/** Like `isKnownTo`, a rule that an admin cannot override. */
export const lacksConsent = (
  { requires_consent }: Pick<PoolEntry, 'requires_consent'>,
  { consent }: { readonly consent?: Parameters<typeof consentsToCalls>[0] },
): boolean => requires_consent === true && !consentsToCalls(consent);

/** Also if no buyer may get the person. */
export const isKnownTo = (buyer: number, known: readonly number[] = []): boolean =>
  known.includes(buyer) || known.includes(NOBODY);

type SourceLists = Pick<PoolEntry, 'sources_allowed' | 'sources_excluded'>;
export type Criteria = SourceLists &
  Pick<PoolEntry, 'min_investment' | 'max_investment' | 'min_term' | 'max_term'>;

interface Wanted {
  readonly anlagebetrag: number;
  readonly laufzeit: number;
  readonly source?: number | undefined;
}

/** Why a lead is not what the buyer wants. An admin may assign it nevertheless. */
export function misfit(
  { min_investment, max_investment = Infinity, min_term = 0, max_term = Infinity, ...sources }: Criteria,
  { anlagebetrag, laufzeit, source }: Wanted,
): Misfit | undefined {
  if (min_investment > anlagebetrag) return 'below_min_investment';
  if (max_investment < anlagebetrag) return 'above_max_investment';
  if (laufzeit < min_term || max_term < laufzeit) return 'outside_term';
  return takesSource(sources, source) ? undefined : 'source_excluded';
}

/** A lead without a source was entered by an admin or posted with the general key: no list of allowed sources names it. */
function takesSource({ sources_allowed, sources_excluded }: SourceLists, source: number | undefined) {
  if (source === undefined) return sources_allowed === undefined;
  return sources_allowed?.includes(source) ?? sources_excluded?.includes(source) !== true;
}

type Paceable = Pick<PoolEntry, 'schedule' | 'capped_until' | 'capped_by'>;

/** Why a buyer with capacity is paused at this time and will receive leads later without any change. */
export function pausedBy({ schedule, capped_until, capped_by }: Paceable, at: Date): PauseReason | undefined {
  if (!isOpen(schedule, at)) return 'outside_schedule';
  return capped_until !== undefined && at < new Date(capped_until) ? capped_by : undefined;
}

export function pausedUntil({ schedule, capped_until }: Paceable, at: Date): Date | undefined {
  const capEnds = capped_until === undefined ? at : new Date(capped_until);
  return nextOpening(schedule, capEnds > at ? capEnds : at);
}
