import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { checkRow } from '#shared/contract/rows/check';
import { attempt } from '#shared/contract/rows/delivery';
import { feedbackRow } from '#shared/contract/rows/feedback';
import { leadPerson } from '#shared/contract/rows/lead-person';
import { CHOOSE_REASON, MAX_REASON_CHARACTERS, MIN_REASON_CHARACTERS } from '#shared/rules/claim-windows';
import {
  CLAIM_PAGE_SIZES,
  CLAIM_REASONS,
  CLAIM_RULES,
  CLAIM_SORTS,
  CLAIM_STATUSES,
  DEFAULT_DECISIONS,
  DELIVERY_STATUSES,
  FEEDBACKS,
  MAX_FEEDBACK_ENTRIES,
  REPLACEMENT_KINDS,
} from '#shared/rules/constants';

const deadline = {
  /** A Berlin day; null: no deadline agreed. */
  decide_by: z.nullable(z.string()),
  default_decision: z.enum(DEFAULT_DECISIONS),
};

const progress = {
  created_at: z.string(),
  created_at_formatted: z.string(),
  processed_at: z.nullable(z.string()),
  processed_at_formatted: z.nullable(z.string()),
  admin_notes: z.nullable(z.string()),
  ...deadline,
};

export const claimRow = z.object({
  claim_id: z.number(),
  claim_status: z.enum(CLAIM_STATUSES),
  ...progress,
  /** Set if the product decided it. */
  rule: z.nullable(z.enum(CLAIM_RULES)),
  /** Null: the decision cannot be reversed. */
  reversible_until: z.nullable(z.string()),
  reversed_at: z.nullable(z.string()),
  /** For `other`, what the buyer wrote. */
  claim_reason: z.string(),
  claim_reason_code: z.string(),
  lead_id: z.string(),
  display_id: z.string(),
  ...leadPerson,
  delivery_timestamp: z.string(),
  buyer_id: z.string(),
  buyer_email: z.string(),
  order_id: z.number(),
  buyer_order_number: z.number(),
  order_created_at: z.string(),
  leads_received: z.number(),
  lead_limit: z.number(),
  total_claims: z.number(),
  pending_claims: z.number(),
  approved_claims: z.number(),
  rejected_claims: z.number(),
});
export type ClaimRow = z.output<typeof claimRow>;

/** For the holder of a link. */
export const publicClaim = z.object({
  claim_id: z.number(),
  lead_id: z.string(),
  display_id: z.string(),
  order_id: z.number(),
  claim_status: z.enum(CLAIM_STATUSES),
  claim_reason: z.string(),
  ...progress,
  basis: z.array(z.string()),
});

const automaticDecisionRow = z.object({
  rule: z.enum(CLAIM_RULES),
  status: z.enum(['approved', 'rejected']),
  /** For admins; `notes` are for the buyer. */
  text: z.string(),
  notes: z.string(),
});

/** Instants are in UTC. */
const evidenceRow = z.object({
  at: z.string(),
  assigned_at: z.string(),
  /** First delivery by a channel, and when the buyer first opened its list with the lead. */
  delivered_at: z.nullable(z.string()),
  opened_at: z.nullable(z.string()),
  deliveries: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.array(z.pick(attempt, { at: true, outcome: true })),
    }),
  ),
  checks: z.array(checkRow),
  /** Earlier leads of this person that the buyer has. */
  duplicates: z.array(
    z.object({
      lead_id: z.string(),
      display_id: z.string(),
      delivered_at: z.string(),
      same: z.array(z.enum(['phone', 'email'])),
      claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
    }),
  ),
  /** Later leads of this person with pending or approved claims. */
  claimed_later: z.array(
    z.object({
      lead_id: z.string(),
      display_id: z.string(),
      same: z.array(z.enum(['phone', 'email'])),
      claim_status: z.enum(CLAIM_STATUSES),
    }),
  ),
  /** For leads of the last days. */
  source_claims: z.nullable(
    z.object({ days: z.number(), filed: z.number(), approved: z.number(), rejected: z.number() }),
  ),
  feedback: z.nullable(z.object({ said: z.enum(FEEDBACKS), at: z.string() })),
  address: z.nullable(z.object({ state: z.string(), at: z.string(), code: z.nullable(z.string()) })),
});
export type EvidenceRow = z.output<typeof evidenceRow>;

const replacementRow = z.object({
  at: z.string(),
  at_formatted: z.string(),
  /**
   * `attach`: from the balance to a new order; `return`: from a deleted or ended order to the balance; `take_back`: from the
   * balance to a restored order; `delivery_undone`: a delivered replacement was deleted and is owed again; `credit_undone`: an
   * approval was reversed before its replacement was delivered.
   */
  kind: z.enum(REPLACEMENT_KINDS),
  amount: z.number(),
  order_id: z.nullable(z.number()),
  /** For a delivery, the oldest approved claim without a replacement. */
  claim_id: z.nullable(z.number()),
  lead_id: z.nullable(z.string()),
  balance_after: z.number(),
  /** The balance, and what orders owe. */
  owed_after: z.number(),
});
export type ReplacementRow = z.output<typeof replacementRow>;

/** What `parseClaimReason` removes everywhere, removes at both ends, and counts as text. */
const REMOVED = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*';
const AROUND = '[\\s\\p{Cc}\\p{Cf}]*';
const VISIBLE = '[^\\s\\p{Cc}\\p{Cf}]';

/** For the API document: a code, or the text of the reason `other`. */
const CLAIM_REASON = {
  anyOf: [
    { enum: CLAIM_REASONS.filter((code) => code !== 'other') },
    {
      type: 'string' as const,
      description: `The reason in the buyer's words, without HTML, at least ${MIN_REASON_CHARACTERS} characters`,
      examples: ['Die Nummer gehört einer anderen Person'],
      minLength: MIN_REASON_CHARACTERS,
      maxLength: MAX_REASON_CHARACTERS,
      pattern: `${VISIBLE}[\\s\\S]*(?:[^\\p{Cc}]|[\\t\\n\\r])[\\s\\S]*${VISIBLE}`,
      not: {
        anyOf: [
          { pattern: `^${AROUND}${Array.from('other').join(REMOVED)}${AROUND}$` },
          { pattern: `<${REMOVED}[A-Za-z!/?]` },
        ],
      },
    },
  ],
};

const claimPath = z.object({ claimId: field.wholeNumberId });
const decision = {
  params: claimPath,
  body: z.object({
    admin_notes: z.pipe(
      z.optional(z.union([field.text(5000), z.null()])),
      z.transform((value) => value ?? ''),
    ),
  }),
  answer: z.object({ message: z.string(), claim: claimRow }),
};
const optionalToken = z.object({ token: z.optional(field.token) });
const SOME_STATUS = `(?:${CLAIM_STATUSES.join('|')})?`;
const statuses = z
  .pipe(
    z.pipe(
      z.string(),
      z.transform((value) => value.split(',').filter((part) => part !== '')),
    ),
    z.array(z.enum(CLAIM_STATUSES, { error: 'Unknown status' })),
  )
  .register(publishedAs, {
    description: 'One status, or several separated by commas',
    type: 'string',
    pattern: `^${SOME_STATUS}(?:,${SOME_STATUS})*$`,
  });

const claimRefusals = {
  claim_mismatch: 'lead, order and buyer do not match',
  claim_window_closed: 'the claim period is over',
  invalid_delivery_date: 'the lead has no delivery date',
  ne_too_early: 'the reason `ne` is not allowed yet',
};

const feedbackPath = z.object({ token: field.token, leadId: field.leadId });
const feedbackAnswer = z.object({
  message: z.string(),
  /** What holds now. */
  feedback: z.nullable(z.enum(FEEDBACKS)),
  /** The number of the last entry, 0 without one. */
  entry: z.int(),
});

export const claimSchemas = {
  fileClaim: {
    summary: 'Claim a lead',
    refusals: claimRefusals,

    query: optionalToken,
    body: z.object({
      lead_id: field.leadId,
      order_id: field.wholeNumberId,
      buyer_id: field.buyerId,
      claim_reason: z
        .string({ error: CHOOSE_REASON })
        .check(z.trim(), z.minLength(1, CHOOSE_REASON), z.maxLength(1000, 'Höchstens 1000 Zeichen'))
        .register(publishedAs, CLAIM_REASON),
    }),
    answer: z.object({ message: z.string(), claim: publicClaim }),
  },
  getLeadClaim: {
    summary: 'Read the claim of a lead',

    params: z.object({ leadId: field.leadId }),
    query: optionalToken,
    answer: z.object({ claim: publicClaim }),
  },
  listPendingClaims: {
    summary: 'List pending claims',
    answer: z.object({ claims: z.array(claimRow) }),
  },
  listClaims: {
    summary: 'List claims, filtered, sorted and paged',

    query: z.object({
      page: z._default(field.integer(1, 1_000_000), 1),
      limit: z._default(
        field
          .integer(1, 100)
          .check(
            z.refine((value) => CLAIM_PAGE_SIZES.some((size) => size === value), 'Must be 10, 20, 50 or 100'),
          )
          .register(publishedWith, { enum: [...CLAIM_PAGE_SIZES] }),
        20,
      ),
      buyer_id: field.filter(field.buyerId),
      order_id: field.filter(field.wholeNumberId),
      claim_status: z.optional(statuses),
      search: z.optional(
        z.pipe(
          field.line(100, 0),
          z.transform((value) => value || undefined),
        ),
      ),
      sort_by: z._default(z.enum(CLAIM_SORTS, { error: 'Unknown sort column' }), 'created_at'),
      sort_dir: z._default(z.enum(['asc', 'desc'], { error: 'Must be asc or desc' }), 'desc'),
    }),
    answer: z.object({
      claims: z.array(claimRow),
      pagination: z.object({
        page: z.number(),
        limit: z.number(),
        totalPages: z.number(),
        total: z.number(),
        /** If there are too many claims for the sort; they are then sorted by creation date. */
        notice: z.optional(z.string()),
      }),
    }),
  },
  listReplacements: {
    summary: 'List every entry of a buyer’s replacement account',

    params: z.object({ buyerId: field.buyerId }),
    answer: z.object({ balance_count: z.number(), owed: z.number(), entries: z.array(replacementRow) }),
  },
  approveClaim: {
    summary: 'Approve a claim',
    ...decision,
  },
  rejectClaim: {
    summary: 'Reject a claim',
    ...decision,
  },
  getClaimEvidence: {
    summary: 'Read the evidence for a claim and the suggested decision',

    params: claimPath,
    answer: z.object({
      /** At the decision, or now while the claim is pending. */
      evidence: z.nullable(evidenceRow),
      /** For pending claims, if a rule decides and the buyer's setting allows it. */
      suggestion: z.nullable(automaticDecisionRow),
    }),
  },
  reverseClaim: {
    summary: 'Reverse an automatic decision within a day',
    ...decision,
  },
  viewFeedback: {
    summary: 'Read every feedback of the buyer on a lead, by the buyer’s link',
    params: feedbackPath,
    answer: z.object({
      entries: z.array(z.extend(feedbackRow, { by: z.enum(['buyer', 'admin']) })),
    }),
  },
  saveFeedback: {
    summary: 'Record the buyer’s feedback on a lead; null ends it',

    params: feedbackPath,
    body: z.object({
      feedback: z.nullable(
        z.enum(FEEDBACKS, { error: 'Bitte wählen Sie erreicht, nicht erreicht oder Abschluss.' }),
      ),
    }),
    answer: feedbackAnswer,
  },
  takeBackFeedback: {
    summary: 'Take back feedback that was a mistake; it stays in the diary',
    params: z.extend(feedbackPath, { entry: field.integer(1, MAX_FEEDBACK_ENTRIES) }),
    answer: feedbackAnswer,
  },
} as const;
