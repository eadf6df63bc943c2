import * as z from 'zod';
import { CLAIM_PAGE_SIZES, CLAIM_STATUSES, REPLACEMENT_KINDS } from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { leadPerson } from '#shared/contract/schemas/leads';

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

export const claimRow = z.object({
  claim_id: z.number(),
  claim_status: z.enum(CLAIM_STATUSES),
  created_at: z.string(),
  created_at_formatted: z.string(),
  processed_at: z.string().nullable(),
  processed_at_formatted: z.string().nullable(),
  admin_notes: z.string().nullable(),
  /** The reason as text to show; for `other` what the buyer wrote. */
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

/** What the holder of a link may see of a claim. */
export const publicClaim = z.object({
  claim_id: z.number(),
  lead_id: z.string(),
  display_id: z.string(),
  order_id: z.number(),
  claim_status: z.enum(CLAIM_STATUSES),
  claim_reason: z.string(),
  created_at: z.string(),
  created_at_formatted: z.string(),
  processed_at: z.string().nullable(),
  processed_at_formatted: z.string().nullable(),
  admin_notes: z.string().nullable(),
});

/** One movement of replacements in a buyer's ledger. */
const replacementRow = z.object({
  at: z.string(),
  at_formatted: z.string(),
  /**
   * `credit` for an approved claim, `attach` to a new order, `return` from a deleted order, `take_back` by a restored
   * one, `delivery`, and `delivery_undone` where a delivered replacement was deleted
   */
  kind: z.enum(REPLACEMENT_KINDS),
  amount: z.number(),
  /** Null for a credit to the balance. */
  order_id: z.number().nullable(),
  /** The claim credited, or the one whose replacement was delivered: the oldest that was waiting. */
  claim_id: z.number().nullable(),
  lead_id: z.string().nullable(),
  /** `balance_count` after it. */
  balance_after: z.number(),
  /** All replacements owed after it: the balance and what orders owe. */
  owed_after: z.number(),
});
export type ReplacementRow = z.output<typeof replacementRow>;

const claimPath = z.object({ claimId: field.wholeNumberId });
const decisionBody = z.object({
  admin_notes: z
    .union([field.text(5000), z.null()])
    .optional()
    .transform((value) => value ?? ''),
});
const optionalToken = z.object({ token: field.token.optional() });
const blankToUndefined = (value: string) => (value === '' ? undefined : value);

export const claimSchemas = {
  fileClaim: {
    query: optionalToken,
    body: z.object({
      lead_id: field.leadId,
      order_id: field.wholeNumberId,
      buyer_id: field.buyerId,
      /** A code of the list, or for the reason `other` the text itself. */
      claim_reason: z
        .string({ error: 'Bitte wählen Sie einen Grund...' })
        .trim()
        .min(1, 'Bitte wählen Sie einen Grund...')
        .max(1000, 'Höchstens 1000 Zeichen'),
    }),
    answer: z.object({ message: z.string(), claim: publicClaim }),
  },
  getLeadClaim: {
    params: z.object({ leadId: field.leadId }),
    query: optionalToken,
    answer: z.object({ claim: publicClaim }),
  },
  listPendingClaims: { answer: z.object({ claims: z.array(claimRow) }) },
  listClaims: {
    query: z.object({
      page: field.integer(1, 1_000_000).default(1),
      limit: field
        .integer(1, 100)
        .refine((value) => CLAIM_PAGE_SIZES.some((size) => size === value), 'Must be 10, 20, 50 or 100')
        .default(20),
      buyer_id: z
        .union([z.literal(''), field.buyerId])
        .transform(blankToUndefined)
        .optional(),
      order_id: z.union([z.literal('').transform(() => undefined), field.wholeNumberId]).optional(),
      /** One status, or several with commas between: `pending,approved`. */
      claim_status: z
        .string()
        .transform((value) => value.split(',').filter((status) => status !== ''))
        .pipe(z.array(z.enum(CLAIM_STATUSES, { error: 'Unknown status' })))
        .optional(),
      search: field.line(100, 0).transform(blankToUndefined).optional(),
      sort_by: z.enum(CLAIM_SORTS, { error: 'Unknown sort column' }).default('created_at'),
      sort_dir: z.enum(['asc', 'desc'], { error: 'Must be asc or desc' }).default('desc'),
    }),
    answer: z.object({
      claims: z.array(claimRow),
      pagination: z.object({
        page: z.number(),
        limit: z.number(),
        totalPages: z.number(),
        total: z.number(),
        /** Set when the chosen sort cannot be applied to so many rows; they are then by creation date. */
        notice: z.string().optional(),
      }),
    }),
  },
  listReplacements: {
    params: z.object({ buyerId: field.buyerId }),
    /** The newest first. */
    answer: z.object({ balance_count: z.number(), owed: z.number(), entries: z.array(replacementRow) }),
  },
  approveClaim: {
    params: claimPath,
    body: decisionBody,
    answer: z.object({ message: z.string(), claim: claimRow }),
  },
  rejectClaim: {
    params: claimPath,
    body: decisionBody,
    answer: z.object({ message: z.string(), claim: claimRow }),
  },
} as const;
