import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { addressState } from '#shared/contract/rows/address-state';
import { callbackRow } from '#shared/contract/rows/callback';
import { checkRow } from '#shared/contract/rows/check';
import { consent } from '#shared/contract/rows/consent';
import { consentView } from '#shared/contract/rows/consent-view';
import { deliveryRow } from '#shared/contract/rows/delivery';
import { feedbackRow } from '#shared/contract/rows/feedback';
import { leadFields } from '#shared/contract/rows/lead-fields';
import { leadRow } from '#shared/contract/rows/lead-person';
import { PROOF_FORMATS } from '#shared/rules/consent';
import {
  CLAIM_STATUSES,
  CONFIRMATION_EMAIL_STATES,
  FEEDBACKS,
  LEAD_STATUSES,
  LEAD_TYPES,
  PENDING_REASONS,
} from '#shared/rules/constants';

export const leadEdit = field.edit(leadFields);

export type DeliveryRow = z.output<typeof deliveryRow>;

const decision = z.object({
  rule: z.string(),
  decided_at: z.string(),
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.nullable(z.string()),
  eligible: z.array(
    z.object({
      buyer_id: z.string(),
      probability: z.number(),
      /** Percent among the eligible buyers. */
      share: z.number(),
      /** In leads, before the choice; negative: ahead of the share. */
      deficit: z.number(),
    }),
  ),
  not_eligible: z.array(z.object({ buyer_id: z.string(), reason: z.string() })),
});

/** An assignment that ended because the buyer's partner refused the lead. */
const refusal = z.object({
  buyer_id: z.string(),
  order_id: z.number(),
  display_id: z.string(),
  lead_type: z.enum(LEAD_TYPES),
  assigned_at: z.string(),
  refused_at: z.string(),
  /** Null: an earlier version stored none. */
  decision: z.nullable(decision),
  deliveries: z.array(deliveryRow),
});

const leadReference = z.object({ lead_id: z.string(), display_id: z.string() });

export const leadDetails = z.object({
  lead_id: z.string(),
  display_id: z.nullable(z.string()),
  status: z.enum(LEAD_STATUSES),
  ...leadRow,
  created_at: z.string(),
  withdrawn_at: z.nullable(z.string()),
  /** Since when it is without personal data. */
  erased_at: z.nullable(z.string()),
  /** Of an erased person: until when the proof of consent can be opened. */
  consent_kept_until: z.nullable(z.string()),
  delivery_timestamp: z.nullable(z.string()),
  lead_type: z.nullable(z.enum(LEAD_TYPES)),
  reason: z.nullable(z.enum(PENDING_REASONS)),
  buyer_id: z.nullable(z.string()),
  order_id: z.nullable(z.number()),
  excel_link: z.nullable(z.string()),
  claim_id: z.nullable(z.number()),
  claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
  opened_at: z.nullable(z.string()),
  /** Null: no feedback. */
  feedback: z.nullable(
    z.object({
      said: z.enum(FEEDBACKS),
      at: z.string(),
      who: z.string(),
    }),
  ),
  /** Every entry, also of earlier orders of the lead. */
  feedback_diary: z.array(z.extend(feedbackRow, { order_id: z.number(), who: z.string() })),
  /** Null without an approved claim, and for postpay buyers. */
  replacement: z.nullable(
    z.object({
      owed_since: z.string(),
      /** Null: it was added to the balance. */
      order_id: z.nullable(z.number()),
      delivered_at: z.nullable(z.string()),
      lead: z.nullable(leadReference),
    }),
  ),
  replaces: z.nullable(z.extend(leadReference, { claim_id: z.number() })),
  /** Leads of this person within the source's window; null: not checked, as for leads that an admin created. */
  same_person: z.nullable(
    z.array(
      z.object({
        lead_id: z.string(),
        display_id: z.nullable(z.string()),
        buyer_id: z.nullable(z.string()),
        received_at: z.string(),
      }),
    ),
  ),
  /** Null without one, or once it is erased. */
  consent: z.nullable(consentView),
  /** Null unless the lead waits for its person to confirm the consent. */
  confirmation_email: z.nullable(z.object({ state: z.enum(CONFIRMATION_EMAIL_STATES), at: z.string() })),
  email_state: z.nullable(addressState),
  verification_notes: z.array(z.string()),
  refusals: z.array(refusal),
  /** None before November 2026. */
  checks: z.array(checkRow),
  decision: z.nullable(decision),
  deliveries: z.array(deliveryRow),
  callbacks: z.array(callbackRow),
});
export type LeadDetails = z.output<typeof leadDetails>;

const leadPath = z.object({ leadId: field.leadId });

export const leadSchemas = {
  createLead: {
    summary: 'Create a lead and assign it to a buyer',
    refusals: { invalid_consent: 'the consent lies in the future or names an unknown wording' },

    body: z.object({
      ...leadFields,
      consent: z.optional(consent),
      buyer_id: z.pipe(
        z.optional(z.union([field.buyerId, z.literal(''), z.null()])),
        z.transform((value) => value || undefined),
      ),
    }),
    answer: z.object({
      lead_id: z.string(),
      /** `ineligible`: pending. */
      status: z.enum(['assigned', 'ineligible']),
      message: z.string(),
      buyer: z.optional(z.string()),
      excel_link: z.optional(z.nullable(z.string())),
      display_id: z.optional(z.string()),
      reason: z.optional(z.enum(PENDING_REASONS)),
    }),
  },
  getLead: {
    summary: 'Read a lead with its decision and its deliveries',
    params: leadPath,
    answer: z.object({ lead: leadDetails }),
  },
  downloadConsentProof: {
    summary: 'Read the proof of a lead’s consent as a page, or download it as JSON',
    params: z.extend(leadPath, { format: z.enum(PROOF_FORMATS) }),
    answer: 'file',
  },
  updateLead: {
    summary: 'Change the data of a lead',

    params: leadPath,
    body: leadEdit,
    answer: z.object({ message: z.string() }),
  },
  deleteLead: {
    summary: 'Delete an assigned lead; its capacity is released unless its claim was approved',
    params: leadPath,
    answer: z.object({ message: z.string() }),
  },
} as const;
