/** Constants and closed lists of the domain, shared by browser, functions and infrastructure. */

export const SALUTATIONS = ['Herr', 'Frau'] as const;
export type Salutation = (typeof SALUTATIONS)[number];

export const BUYER_TYPES = ['prepay', 'postpay'] as const;

export const CLAIM_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

export const CLAIM_REASONS = [
  'falsche_nummer',
  'falsche_email',
  'doppelt',
  'fake',
  'falsche_daten',
  'ausland',
  'ne',
  'other',
] as const;
export type ClaimReason = (typeof CLAIM_REASONS)[number];

/** What becomes of a claim that is not decided by its day: nothing, or the decision that silence stands for. */
export const ON_SILENCE = ['none', 'approve', 'reject'] as const;
export type OnSilence = (typeof ON_SILENCE)[number];
/** Working days. */
export const MAX_DECISION_DAYS = 60;

/** The rules by which a claim is proven; what each of them says is in `shared/rules/claim-rules.ts`. */
export const CLAIM_RULES = ['duplicate_same_buyer', 'email_dead', 'phone_dead', 'ne_out_of_window'] as const;
export type ClaimRule = (typeof CLAIM_RULES)[number];

/** What a check of a lead's data found: `dead` is a mailbox or a number of which its provider says that there is none. */
export const CHECK_RESULTS = ['valid', 'invalid', 'unknown', 'dead'] as const;
export const CHECK_KINDS = ['email', 'phone', 'name'] as const;
/** Who checked: the product itself, or a provider. */
export const CHECKERS = ['offline', 'ZeroBounce', 'Twilio', 'NameAPI'] as const;

/** Hours in which an admin may reverse a decision that the product made by itself. */
export const REVERSAL_HOURS = 24;

/** What lists of claims can be sorted by. */
export const CLAIM_SORTS = [
  'created_at',
  'claim_id',
  'claim_status',
  'buyer_email',
  'order_id',
  'nachname',
  'anlagebetrag',
  'claim_reason',
] as const;
export type ClaimSort = (typeof CLAIM_SORTS)[number];

/** The kinds of entries in the replacement ledger, explained in `functions/data/orders/replacement.ts`. */
export const REPLACEMENT_KINDS = [
  'credit',
  'attach',
  'return',
  'take_back',
  'delivery',
  'delivery_undone',
  'credit_undone',
] as const;

/** A new source is in test; `paused` refuses every call. */
export const SOURCE_STATES = ['test', 'live', 'paused'] as const;

/** What happens to a lead whose person the same source has sent before: refused, or kept for an admin. */
export const DUPLICATE_POLICIES = ['refuse', 'hold'] as const;

/** A source has at most two keys, so that one can be replaced without a pause. */
export const KEY_SLOTS = ['a', 'b'] as const;
export type KeySlot = (typeof KEY_SLOTS)[number];

export const MAX_LEADS_PER_INTAKE = 500;

/** Of the body of a call. */
export const MAX_BODY_BYTES = 512 * 1024;

/** For so many days a source that sends a lead again gets the same answer. */
export const SAME_ANSWER_DAYS = 90;

/**
 * What a source is told of a lead that it posted: `accepted`, or `duplicate` of a person that it sent before, or `invalid`,
 * or `conflict` with another lead of the same `external_id`, or `test` while the source is in test.
 */
export const INTAKE_OUTCOMES = ['accepted', 'duplicate', 'invalid', 'conflict', 'test'] as const;

/** Where a lead that a source posted is. */
export const INTAKE_STATES = [
  'in_distribution',
  'assigned',
  'pending',
  'discarded',
  'deleted',
  'duplicate',
] as const;

/** What would happen to a lead of a source in test, if it came now. */
export const WOULD_BE = ['assigned', 'pending', 'duplicate', 'known'] as const;

/** The addresses of a source that are called back: one by signed webhooks, one by the postbacks of affiliate trackers. */
export const ENDPOINTS = ['webhook', 'postback'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The changes of a lead that its source is told of. */
export const CALLBACK_EVENTS = ['lead.assigned', 'lead.pending', 'lead.discarded', 'claim.approved'] as const;
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

/** What the lead is after it, in one word: `{status}` of a postback. */
export const CALLBACK_STATUSES = {
  'lead.assigned': 'assigned',
  'lead.pending': 'pending',
  'lead.discarded': 'discarded',
  'claim.approved': 'claim_approved',
} as const satisfies Record<CallbackEvent, string>;

export const LEAD_TYPES = ['original', 'reimbursement'] as const;
export type LeadType = (typeof LEAD_TYPES)[number];

/** Why a lead is pending. The code is stored; `shared/rules/reasons.ts` has the texts. */
export const PENDING_REASONS = [
  'no_active_order',
  'limits_reached',
  'below_min_investment',
  'email_verification_failed',
  'phone_verification_failed',
  'name_verification_failed',
  'verification_unavailable',
  'manual_review',
  'already_received',
  'duplicate',
  'waits_for_opening',
  'refused_by_buyers',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** What a buyer may be told by e-mail, as it wants: a claim was decided, an order is nearly full, its account every Monday. */
export const NEWS_KINDS = ['claim_decided', 'order_nearly_full', 'weekly_statement'] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];
/** What buyers are told that have chosen nothing. */
export const NEWS_PRESETS: Readonly<Record<NewsKind, boolean>> = {
  claim_decided: true,
  order_nearly_full: false,
  weekly_statement: false,
};
export const NEARLY_FULL_PERCENT = 80;

/** What is wrong with an e-mail address, the worst last: mails came back for now, or for good, or were called spam. */
export const ADDRESS_STATES = ['bounced_soft', 'bounced_hard', 'complained'] as const;
export type AddressStateName = (typeof ADDRESS_STATES)[number];

/** Who said so: the mail server that a mail was given to, or SES later. */
export const BOUNCE_REPORTERS = ['smtp', 'ses'] as const;

/** What a buyer says of a lead: the person was reached, was not, or the deal is closed. */
export const FEEDBACKS = ['reached', 'not_reached', 'closed'] as const;
export type Feedback = (typeof FEEDBACKS)[number];

/** The reasons of the backlog, which is redistributed when a buyer gains capacity; other leads wait for an admin. */
export const REDISTRIBUTED_REASONS = [
  'no_active_order',
  'limits_reached',
  'below_min_investment',
  'already_received',
  'waits_for_opening',
  'refused_by_buyers',
] as const satisfies readonly PendingReason[];

/** Why an order takes no more leads for a time: it has had what its caps, or its end date, allow for the day or the week. */
export const CAP_REASONS = ['daily_cap_reached', 'weekly_cap_reached'] as const;
export type CapReason = (typeof CAP_REASONS)[number];

/** Why a buyer gets no leads for a time, and gets some again by itself. */
export const PAUSE_REASONS = ['outside_schedule', ...CAP_REASONS] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Why leads were not for a buyer, as far as it is told: the reasons are its own. */
export const MISSED_REASONS = [
  'limit_reached',
  'below_minimum',
  'already_received',
  ...PAUSE_REASONS,
] as const;
export type MissedReason = (typeof MISSED_REASONS)[number];

/** In place of a cap where there is none: more than any order takes. */
export const UNCAPPED = 1_000_000_000;

export const ORDER_STATUSES = ['Active', 'Completed', 'Deleted', 'Inactive'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What becomes of a lead that its buyer's partner refuses: the buyer keeps it, or the next one gets it. */
export const ON_REFUSAL = ['keep', 'give_on'] as const;

/**
 * Why a refused lead stays with a buyer though its refused leads are given on: a mail goes to it, another channel did not
 * refuse it, an earlier call may have arrived, an admin assigned it, it has a claim, it is not in its order any more, or nobody
 * would fill its place in an order that is over and paid.
 */
export const KEPT_REASONS = [
  'mail',
  'other_channel',
  'may_have_arrived',
  'by_hand',
  'claimed',
  'left_order',
  'order_over',
] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export const EXPORT_FORMATS = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

/** A quantile of latencies is at most this part of itself away from a time that was measured. Stored buckets depend on it. */
export const LATENCY_ERROR = 0.02;

/** The periods of the statistics, in days. */
export const TIME_RANGE_DAYS = [7, 30, 90, 365] as const;
/** The periods of the latencies, in days up to today. */
export const LATENCY_RANGE_DAYS = [1, 7, 30] as const;
export type LatencyRangeDays = (typeof LATENCY_RANGE_DAYS)[number];
export const CLAIM_PAGE_SIZES = [10, 20, 50, 100] as const;
export const INVESTMENT_CHOICES_EURO = [10_000, 25_000, 50_000, 75_000, 100_000, 200_000, 500_000] as const;
/** The buyer's page counts leads with an investment below this amount as "under", all others as "over". */
export const INVESTMENT_SPLIT_EURO = 25_000;

export const DEFAULT_MAX_CLAIM_DAYS = 7;
export const DEFAULT_MIN_DAYS_FOR_NE = 5;
/** The most pending leads in one answer. */
export const PENDING_LEADS_LIMIT = 1000;

/** Replaces stored secrets in answers; in a request it means that the stored secret stays. */
export const SECRET_MASK = '********';

/** Of a password that somebody chooses; a generated one has 96 random bits. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 200;

/** In place of the name of a person who was erased: what buyers read, and admins. */
export const ERASED_NAME = { de: 'gelöscht', en: 'erased' } as const;

/** Of the erasure of a person: the leads are being made blank; they are, and it is looked once more; nothing was found. */
export const ERASURE_STAGES = ['erasing', 'checking', 'done'] as const;
export type ErasureStage = (typeof ERASURE_STAGES)[number];

/**
 * - `received`: in flight, being distributed
 * - `assigned`: belongs to one order for good
 * - `pending`: waits for an order or an admin
 * - `discarded`: given up while pending; its personal data are gone
 * - `deleted`: taken out of its order by an admin
 * - `duplicate`: refused at intake, because its source had sent the person before; kept without the person, so that it gets
 *   the same answer when it is posted again
 */
export const LEAD_STATUSES = [
  'received',
  'assigned',
  'pending',
  'discarded',
  'deleted',
  'duplicate',
] as const;
/** Of one admin. */
export const MAX_PASSKEYS = 10;
/** Made at a time. */
export const RECOVERY_CODES = 10;

/** Of leads, what days of retention are set for, in the order in which they are looked through. */
export const RETENTION_KINDS = ['pending', 'rejected', 'delivered'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** What happens when an order is full: nothing, the next one is opened by itself, or its buyer may ask for the next one. */
export const RENEWALS = ['none', 'auto', 'ask'] as const;
export type Renewal = (typeof RENEWALS)[number];
/** What became of a buyer's wish for another order. */
export const REORDER_STATES = ['open', 'confirmed', 'declined'] as const;
/** From which part of its limit on the buyer of an order may ask for the next one. */
export const REORDER_FROM_PERCENT = 80;

/** Why a buyer's leads are not delivered, or not by e-mail; the last two as in `shared/rules/sender.ts`. */
export const DELIVERY_PROBLEMS = [
  'no_channel',
  'no_template',
  'template_deleted',
  'relay_port',
  'no_sender',
] as const;
export type DeliveryProblemKind = (typeof DELIVERY_PROBLEMS)[number];

/** What may stand between a buyer and its next lead, in the order in which a lead meets it. */
export const CHECKS = [
  'order',
  'limit',
  'paused',
  'review',
  'weight',
  'minimum',
  'schedule',
  'caps',
  'channels',
  'delivery',
  'intake',
  'share',
  'persons',
] as const;
export const CHECK_STATES = ['ok', 'warn', 'blocked'] as const;
export type CheckState = (typeof CHECK_STATES)[number];
/** What mends it. */
export const CHECK_ACTIONS = [
  'create_order',
  'change_limit',
  'resume',
  'weights',
  'edit_buyer',
  'edit_template',
  'deliveries',
  'pending',
  'sources',
] as const;

/** What admins can be alerted of, in the order in which it is shown. */
export const ALERT_KINDS = [
  'order_nearly_full',
  'order_full',
  'order_requested',
  'buyer_without_leads',
  'delivery_failing',
  'leads_waiting',
  'claims_waiting',
  'replacements_owed',
  'source_silent',
  'daily_summary',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
export const ALERT_MEDIA = ['email', 'push'] as const;
export type AlertMedium = (typeof ALERT_MEDIA)[number];

export interface AlertThreshold {
  readonly min: number;
  readonly max: number;
  readonly preset: number;
}
/** The number that an alert depends on, where there is one. */
export const ALERT_THRESHOLDS = {
  /** Percent of the limit. */
  order_nearly_full: { min: 1, max: 99, preset: 80 },
  order_full: null,
  order_requested: null,
  /** Days. */
  buyer_without_leads: { min: 1, max: 90, preset: 3 },
  delivery_failing: null,
  /** Hours. */
  leads_waiting: { min: 1, max: 720, preset: 24 },
  /** Working days. */
  claims_waiting: { min: 1, max: 30, preset: 3 },
  /** Days. */
  replacements_owed: { min: 1, max: 365, preset: 7 },
  source_silent: null,
  /** The hour of the day in Berlin from which it is sent. */
  daily_summary: { min: 0, max: 23, preset: 7 },
} as const satisfies Readonly<Record<AlertKind, AlertThreshold | null>>;
/** Addresses that alerts are sent to. */
export const MAX_ALERT_ADDRESSES = 5;

type ByAlertKind<T> = Readonly<Record<AlertKind, T>>;
/** A value for each kind of alert. */
export function mapAlertKinds<T>(make: (kind: AlertKind) => T): ByAlertKind<T>;
export function mapAlertKinds(make: (kind: AlertKind) => unknown): object {
  return Object.fromEntries(ALERT_KINDS.map((kind) => [kind, make(kind)]));
}
