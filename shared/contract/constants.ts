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
] as const;

/** A new source is in test; `paused` refuses every call. */
export const SOURCE_STATES = ['test', 'live', 'paused'] as const;

/** What happens to a lead whose person the same source has sent before: refused, or kept for an admin. */
export const DUPLICATE_POLICIES = ['refuse', 'hold'] as const;

/** A source has at most two keys, so that one can be replaced without a pause. */
export const KEY_SLOTS = ['a', 'b'] as const;
export type KeySlot = (typeof KEY_SLOTS)[number];

/** The fields of a lead that a source sends, under these names or its own. */
export const INTAKE_FIELDS = [
  'external_id',
  'anrede',
  'vorname',
  'nachname',
  'email',
  'telefon',
  'anlagebetrag',
  'laufzeit',
  'clickId',
] as const;
export type IntakeField = (typeof INTAKE_FIELDS)[number];

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
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** The reasons of the backlog, which is redistributed when a buyer gains capacity; other leads wait for an admin. */
export const REDISTRIBUTED_REASONS = [
  'no_active_order',
  'limits_reached',
  'below_min_investment',
  'already_received',
] as const satisfies readonly PendingReason[];

export const ORDER_STATUSES = ['Active', 'Completed', 'Deleted', 'Inactive'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

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
