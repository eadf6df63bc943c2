/** Closed lists and limits that browser, functions and infrastructure share. */

export const SALUTATIONS = ['Herr', 'Frau'] as const;
export type Salutation = (typeof SALUTATIONS)[number];

export const BUYER_TYPES = ['prepay', 'postpay'] as const;

export const CLAIM_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];
export type DecidedStatus = Exclude<ClaimStatus, 'pending'>;

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

/** What happens to a claim that is not decided in time. */
export const DEFAULT_DECISIONS = ['none', 'approve', 'reject'] as const;
export type DefaultDecision = (typeof DEFAULT_DECISIONS)[number];
export const MAX_DECISION_DAYS = 60;

export const CLAIM_RULES = ['duplicate_same_buyer', 'email_dead', 'phone_dead', 'ne_out_of_window'] as const;
export type ClaimRule = (typeof CLAIM_RULES)[number];

/** `dead`: the provider says that this mailbox or number does not exist. */
export const CHECK_RESULTS = ['valid', 'invalid', 'unknown', 'dead'] as const;
export const CHECK_KINDS = ['email', 'phone', 'name'] as const;
/** `offline`: the product itself. */
export const CHECKERS = ['offline', 'ZeroBounce', 'Twilio', 'NameAPI'] as const;

/** For decisions made automatically. */
export const REVERSAL_HOURS = 24;

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

/** Explained in `functions/data/orders/replacement.ts`. */
export const REPLACEMENT_KINDS = [
  'credit',
  'attach',
  'return',
  'take_back',
  'delivery',
  'delivery_undone',
  'credit_undone',
] as const;

/** New sources are in test; `paused` refuses every call. */
export const SOURCE_STATES = ['test', 'live', 'paused'] as const;

/** For a person that the same source already sent. */
export const DUPLICATE_POLICIES = ['refuse', 'hold'] as const;

/** Two, so that a key can be replaced without a pause. */
export const KEY_SLOTS = ['a', 'b'] as const;
export type KeySlot = (typeof KEY_SLOTS)[number];

export const MAX_LEADS_PER_INTAKE = 500;

export const MAX_BODY_BYTES = 512 * 1024;

/** Repeating a lead returns the same answer for this time. */
export const SAME_ANSWER_DAYS = 90;

/**
 * `duplicate`: the source already sent this person; `withdrawn`: the person withdrew the consent; `conflict`: `external_id` was
 * used for another lead; `test`: the source is in test.
 */
export const INTAKE_OUTCOMES = ['accepted', 'duplicate', 'withdrawn', 'invalid', 'conflict', 'test'] as const;

export const INTAKE_STATES = [
  'in_distribution',
  'assigned',
  'pending',
  'discarded',
  'deleted',
  'duplicate',
  'withdrawn',
] as const;

/** For sources in test and dry runs. */
export const PREDICTED_OUTCOMES = ['assigned', 'pending', 'duplicate', 'withdrawn', 'known'] as const;

/** `postback`: for affiliate trackers. */
export const ENDPOINTS = ['webhook', 'postback'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

export const CALLBACK_EVENTS = [
  'lead.assigned',
  'lead.pending',
  'lead.discarded',
  'lead.feedback',
  'claim.approved',
  'claim.rejected',
] as const;
export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

/** Sent to the webhooks of the installation. */
export const WEBHOOK_EVENTS = ['lead.assigned', 'claim.filed', 'order.full'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export const MAX_WEBHOOKS = 10;
export const MAX_WEBHOOK_NAME = 60;

/** `{status}` of a postback. Of feedback: what the buyer says, if it still says something. */
export const CALLBACK_STATUSES = {
  'lead.assigned': 'assigned',
  'lead.pending': 'pending',
  'lead.discarded': 'discarded',
  'lead.feedback': 'no_feedback',
  'claim.approved': 'claim_approved',
  'claim.rejected': 'claim_rejected',
} as const satisfies Record<CallbackEvent, string>;

export const LEAD_TYPES = ['original', 'reimbursement'] as const;
export type LeadType = (typeof LEAD_TYPES)[number];

/** Months. */
export const MAX_TERM = 1200;

/** How many sources a buyer may allow or exclude. */
export const MAX_LISTED_SOURCES = 50;

/** Why a buyer does not want a lead, in the order of the checks. */
export const MISFITS = [
  'below_min_investment',
  'above_max_investment',
  'outside_term',
  'source_excluded',
] as const;
/** Those that the sums of missed leads know by this name. */
export const OTHER_MISFITS = ['above_max_investment', 'outside_term', 'source_excluded'] as const;
export type Misfit = (typeof MISFITS)[number];

/** Stored; the texts are in `shared/rules/reasons.ts`. */
export const PENDING_REASONS = [
  'no_active_order',
  'limits_reached',
  ...MISFITS,
  'email_verification_failed',
  'phone_verification_failed',
  'name_verification_failed',
  'verification_unavailable',
  'manual_review',
  'already_received',
  'already_known',
  'duplicate',
  'waits_for_opening',
  'refused_by_buyers',
  'consent_missing',
  'consent_unconfirmed',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** E-mails that a buyer can turn on or off. */
export const NOTIFICATION_KINDS = ['claim_decided', 'order_nearly_full', 'weekly_statement'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
export const NOTIFICATION_DEFAULTS: Readonly<Record<NotificationKind, boolean>> = {
  claim_decided: true,
  order_nearly_full: false,
  weekly_statement: false,
};
export const NEARLY_FULL_PERCENT = 80;

/** The worst last. */
export const ADDRESS_STATES = ['bounced_soft', 'bounced_hard', 'complained'] as const;
export type AddressStateName = (typeof ADDRESS_STATES)[number];

/** The mail server at delivery, or SES later. */
export const BOUNCE_REPORTERS = ['smtp', 'ses'] as const;

export const FEEDBACKS = ['reached', 'not_reached', 'closed'] as const;
export type Feedback = (typeof FEEDBACKS)[number];
/** Of one lead in one order. The oldest are kept. */
export const MAX_FEEDBACK_ENTRIES = 50;

/** Pending leads that are redistributed when a buyer gains capacity; the others wait for an admin. */
export const REDISTRIBUTED_REASONS = [
  'no_active_order',
  'limits_reached',
  ...MISFITS,
  'already_received',
  'already_known',
  'waits_for_opening',
  'refused_by_buyers',
  'consent_missing',
] as const satisfies readonly PendingReason[];

/** An end date works like a daily cap. */
export const CAP_REASONS = ['daily_cap_reached', 'weekly_cap_reached'] as const;
export type CapReason = (typeof CAP_REASONS)[number];

/** They end without an admin. */
export const PAUSE_REASONS = ['outside_schedule', ...CAP_REASONS] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Reasons that a buyer may see: they concern the buyer itself. */
export const MISSED_REASONS = [
  'limit_reached',
  'below_minimum',
  'above_max_investment',
  'outside_term',
  'source_excluded',
  'consent_required',
  'already_received',
  'already_known',
  ...PAUSE_REASONS,
] as const;
export type MissedReason = (typeof MISSED_REASONS)[number];

/** Instead of a buyer's number: no buyer may get these people. */
export const NOBODY = 0;

/** More than any order takes. */
export const UNCAPPED = 1_000_000_000;

export const ORDER_STATUSES = ['Active', 'Completed', 'Deleted', 'Inactive'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** For leads that the buyer's partner refuses. */
export const ON_REFUSAL = ['keep', 'reassign'] as const;

/**
 * Why a refused lead stays although its buyer reassigns refused leads; `order_over`: its capacity would be lost, because the
 * order is over and paid.
 */
export const REASSIGNMENT_BLOCKERS = [
  'mail',
  'other_channel',
  'may_have_arrived',
  'by_hand',
  'claimed',
  'left_order',
  'order_over',
] as const;
export type ReassignmentBlocker = (typeof REASSIGNMENT_BLOCKERS)[number];

export const EXPORT_FORMATS = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

/** Maximum relative error of a latency quantile. Stored buckets depend on it. */
export const LATENCY_ERROR = 0.02;

export const TIME_RANGE_DAYS = [7, 30, 90, 365] as const;
/** Up to today. */
export const LATENCY_RANGE_DAYS = [1, 7, 30] as const;
export type LatencyRangeDays = (typeof LATENCY_RANGE_DAYS)[number];
export const CLAIM_PAGE_SIZES = [10, 20, 50, 100] as const;
export const INVESTMENT_CHOICES_EURO = [10_000, 25_000, 50_000, 75_000, 100_000, 200_000, 500_000] as const;
/** The buyer's page splits leads at this amount. */
export const INVESTMENT_SPLIT_EURO = 25_000;

export const DEFAULT_MAX_CLAIM_DAYS = 7;
export const DEFAULT_MIN_DAYS_FOR_NE = 5;
export const PENDING_LEADS_LIMIT = 1000;

/** In answers; in requests it keeps the stored secret. */
export const SECRET_MASK = '********';

/** For chosen passwords; generated ones have 96 random bits. */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 200;

/** For buyers and for admins. */
export const ERASED_NAME = { de: 'gelöscht', en: 'erased' } as const;

/** `checking`: the leads are blank, and the table is searched once more. */
export const ERASURE_STAGES = ['erasing', 'checking', 'done'] as const;
export type ErasureStage = (typeof ERASURE_STAGES)[number];
/** What a person asked for, of which the buyers that received the leads are notified. */
export const ERASURE_PURPOSES = ['erasure', 'withdrawal'] as const;
export type ErasurePurpose = (typeof ERASURE_PURPOSES)[number];
/** How a consent was withdrawn: by an admin, by the person's own link, by the key of the source. */
export const WITHDRAWAL_WAYS = ['admin', 'link', 'source'] as const;
export type WithdrawalWay = (typeof WITHDRAWAL_WAYS)[number];

/**
 * `received`: in distribution; `discarded`: given up while pending, without personal data; `duplicate`: refused at intake,
 * kept without the person for the same answer when it is sent again; `withdrawn`: the same, because the person withdrew the consent.
 */
export const LEAD_STATUSES = [
  'received',
  'assigned',
  'pending',
  'discarded',
  'deleted',
  'duplicate',
  'withdrawn',
] as const;
/**
 * In the list of all leads. `refused` at intake, as a duplicate or because the person withdrew the consent; an assignment that a
 * partner refused leads to another one.
 */
export const LEAD_ROW_STATUSES = ['assigned', 'pending', 'discarded', 'refused'] as const;
export type LeadRowStatus = (typeof LEAD_ROW_STATUSES)[number];
/** What a period of that list can mean. `refused` by a partner. */
export const LEAD_EVENTS = ['received', 'assigned', 'claimed', 'refused'] as const;
/** What entries of the audit trail are about. */
export const AUDITED = [
  'buyer',
  'order',
  'lead',
  'claim',
  'template',
  'source',
  'setting',
  'admin',
  'key',
] as const;
/** Per admin. */
export const MAX_PASSKEYS = 10;
export const RECOVERY_CODES = 10;

/** In the order in which they are erased. */
export const RETENTION_KINDS = ['pending', 'rejected', 'delivered'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];
/** How long the proof of a consent is kept after an erasure. */
export const DEFAULT_CONSENT_YEARS = 5;
export const MAX_CONSENT_YEARS = 10;
/** Characters of the reason for which a kept proof is opened. */
export const [MIN_OPENING_REASON, MAX_OPENING_REASON] = [10, 500];

/** When an order is full. */
export const RENEWALS = ['none', 'auto', 'ask'] as const;
export type Renewal = (typeof RENEWALS)[number];
export const REORDER_STATES = ['open', 'confirmed', 'declined'] as const;
/** Of the limit. */
export const REORDER_FROM_PERCENT = 80;

/** The last two as in `shared/rules/sender.ts`. */
export const DELIVERY_PROBLEMS = [
  'no_channel',
  'no_template',
  'template_deleted',
  'relay_port',
  'no_sender',
] as const;
export type DeliveryProblemKind = (typeof DELIVERY_PROBLEMS)[number];

/** In the order in which a lead meets them. */
export const CHECKS = [
  'order',
  'limit',
  'paused',
  'review',
  'weight',
  'minimum',
  'criteria',
  'consent',
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

/** In the order of the settings. */
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
/** Why a notification was not sent: by the mail server, by the state of its address, or after a day of attempts. */
export const UNSENT_REASONS = ['refused', 'address_closed', 'given_up'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];
export const CONFIRMATION_EMAIL_STATES = ['queued', 'sent', ...UNSENT_REASONS] as const;
export type ConfirmationEmailState = (typeof CONFIRMATION_EMAIL_STATES)[number];

export const ALERT_MEDIA = ['email', 'push'] as const;
export type AlertMedium = (typeof ALERT_MEDIA)[number];

export interface AlertThreshold {
  readonly min: number;
  readonly max: number;
  readonly preset: number;
}
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
  /** Hour of the day in Berlin. */
  daily_summary: { min: 0, max: 23, preset: 7 },
} as const satisfies Readonly<Record<AlertKind, AlertThreshold | null>>;
export const MAX_ALERT_ADDRESSES = 5;

type ByAlertKind<T> = Readonly<Record<AlertKind, T>>;
export function mapAlertKinds<T>(make: (kind: AlertKind) => T): ByAlertKind<T>;
export function mapAlertKinds(make: (kind: AlertKind) => unknown): object {
  return Object.fromEntries(ALERT_KINDS.map((kind) => [kind, make(kind)]));
}
