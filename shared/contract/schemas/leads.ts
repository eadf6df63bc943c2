import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { addressState } from '#shared/contract/rows/address-state';
import { callbackRow } from '#shared/contract/rows/callback';
import { checkRow } from '#shared/contract/rows/check';
import { deliveryRow } from '#shared/contract/rows/delivery';
import { leadFields } from '#shared/contract/rows/lead-fields';
import { leadRow } from '#shared/contract/rows/lead-person';
import {
  CLAIM_STATUSES,
  FEEDBACKS,
  LEAD_STATUSES,
  LEAD_TYPES,
  PENDING_REASONS,
} from '#shared/rules/constants';

/** The fields an admin may edit later. */
export const leadEdit = field.edit(leadFields);

export type DeliveryRow = z.output<typeof deliveryRow>;

/** The decision record of a lead. */
const decision = z.object({
  rule: z.string(),
  decided_at: z.string(),
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.nullable(z.string()),
  eligible: z.array(
    z.object({
      buyer_id: z.string(),
      /** The buyer's weight in percent. */
      probability: z.number(),
      /** The buyer's share among the eligible buyers, in percent. */
      share: z.number(),
      /** In leads, before the choice: positive behind, negative ahead of the share. */
      deficit: z.number(),
    }),
  ),
  not_eligible: z.array(z.object({ buyer_id: z.string(), reason: z.string() })),
});

/** An assignment that ended because the buyer's partner refused the lead, which then went on. */
const refusal = z.object({
  buyer_id: z.string(),
  order_id: z.number(),
  display_id: z.string(),
  lead_type: z.enum(LEAD_TYPES),
  assigned_at: z.string(),
  refused_at: z.string(),
  /** The choice that had made it, which was taken back; null where an earlier version had recorded none. */
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
  delivery_timestamp: z.nullable(z.string()),
  lead_type: z.nullable(z.enum(LEAD_TYPES)),
  reason: z.nullable(z.enum(PENDING_REASONS)),
  buyer_id: z.nullable(z.string()),
  order_id: z.nullable(z.number()),
  excel_link: z.nullable(z.string()),
  claim_id: z.nullable(z.number()),
  claim_status: z.nullable(z.enum(CLAIM_STATUSES)),
  /** When the list was first opened with this lead in it; null before that. */
  opened_at: z.nullable(z.string()),
  /** What the buyer said of it; null while it said nothing. */
  feedback: z.nullable(
    z.object({
      said: z.enum(FEEDBACKS),
      at: z.string(),
      /** `link` for whoever had the link, or the name of an admin. */
      who: z.string(),
    }),
  ),
  /** The replacement for this lead; null without an approved claim, and for a postpaid buyer. */
  replacement: z.nullable(
    z.object({
      owed_since: z.string(),
      /** The order that owes or owed it; null where it was added to the buyer's balance. */
      order_id: z.nullable(z.number()),
      /** Null while it is still owed. */
      delivered_at: z.nullable(z.string()),
      lead: z.nullable(leadReference),
    }),
  ),
  /** For a replacement: the claimed lead in whose place it was delivered. */
  replaces: z.nullable(z.extend(leadReference, { claim_id: z.number() })),
  /**
   * Other leads of the person that came within the window of its source; null where nobody looked, as for leads that an admin
   * posted.
   */
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
  /** What is known against the e-mail address; null while nothing is. */
  email_state: z.nullable(addressState),
  verification_notes: z.array(z.string()),
  /** The buyers that had it before and refused it, in this order. */
  refusals: z.array(refusal),
  /** The checks that were made of it; none are known of a lead that came in before November 2026. */
  checks: z.array(checkRow),
  decision: z.nullable(decision),
  deliveries: z.array(deliveryRow),
  /** What the source that posted it was told of it. */
  callbacks: z.array(callbackRow),
});
export type LeadDetails = z.output<typeof leadDetails>;

const leadPath = z.object({ leadId: field.leadId });

export const leadSchemas = {
  createLead: {
    summary: 'Create a lead and assign it to a buyer',

    body: z.object({
      ...leadFields,
      buyer_id: z.pipe(
        z.optional(z.union([field.buyerId, z.literal(''), z.null()])),
        z.transform((value) => value || undefined),
      ),
    }),
    answer: z.object({
      lead_id: z.string(),
      /** `ineligible`: the lead is pending. */
      status: z.enum(['assigned', 'ineligible']),
      message: z.string(),
      buyer: z.optional(z.string()),
      /** Null while the link is switched off. */
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
