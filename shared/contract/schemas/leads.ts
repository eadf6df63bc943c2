import * as z from 'zod';
import {
  CHANNELS,
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  LEAD_TYPES,
  PENDING_REASONS,
  SALUTATIONS,
} from '#shared/contract/constants';
import * as field from '#shared/contract/fields';

/** What a person told us, as it arrives. */
export const leadFields = {
  anrede: z.enum(SALUTATIONS, { error: 'Must be Herr or Frau' }),
  vorname: field.line(100),
  nachname: field.line(100),
  email: field.email,
  telefon: field.line(50),
  /** Euro. */
  anlagebetrag: field.euro(),
  /** Months. */
  laufzeit: field.integer(0, 1200),
  clickId: field.optionalLine(200),
  src: field.optionalLine(200),
};

/** The fields an admin may edit later. */
export const leadEdit = z.object(leadFields).partial();

/** A person's data in an answer. */
export const leadPerson = {
  anrede: z.string(),
  vorname: z.string(),
  nachname: z.string(),
  email: z.string(),
  telefon: z.string(),
  anlagebetrag: z.number(),
  laufzeit: z.number(),
};

const attempt = z.object({
  at: z.string(),
  outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown', 'skipped']),
  status_code: z.number().nullable(),
  /** What was sent and what came back; secrets and links removed. */
  request: z.string().nullable(),
  answer: z.string().nullable(),
  duration_ms: z.number(),
});

export const deliveryRow = z.object({
  lead_id: z.string(),
  display_id: z.string(),
  buyer_id: z.string(),
  order_id: z.number(),
  channel: z.enum(CHANNELS),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  next_attempt_at: z.string().nullable(),
  external_id: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.array(attempt),
});
export type DeliveryRow = z.output<typeof deliveryRow>;

/** Why the lead went where it went. */
const decision = z.object({
  rule: z.string(),
  decided_at: z.string(),
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.string().nullable(),
  eligible: z.array(
    z.object({
      buyer_id: z.string(),
      /** Percent as set on the buyer. */
      probability: z.number(),
      /** Percent among those eligible for this lead. */
      share: z.number(),
      /** Leads the buyer was behind (positive) or ahead (negative) before the choice. */
      deficit: z.number(),
    }),
  ),
  not_eligible: z.array(z.object({ buyer_id: z.string(), reason: z.string() })),
});

const leadReference = z.object({ lead_id: z.string(), display_id: z.string() });

export const leadDetails = z.object({
  lead_id: z.string(),
  display_id: z.string().nullable(),
  status: z.enum(['received', 'assigned', 'pending', 'discarded', 'deleted']),
  ...leadPerson,
  clickId: z.string().nullable(),
  src: z.string().nullable(),
  created_at: z.string(),
  delivery_timestamp: z.string().nullable(),
  lead_type: z.enum(LEAD_TYPES).nullable(),
  reason: z.enum(PENDING_REASONS).nullable(),
  buyer_id: z.string().nullable(),
  order_id: z.number().nullable(),
  excel_link: z.string().nullable(),
  claim_id: z.number().nullable(),
  claim_status: z.enum(CLAIM_STATUSES).nullable(),
  /** When the buyer first looked at the list with this lead in it; null before that. */
  opened_at: z.string().nullable(),
  /** How an approved claim was made good; null without one, and for a postpay buyer. */
  replacement: z
    .object({
      owed_since: z.string(),
      /** The order that was to deliver it; null where it went to the buyer's balance. */
      order_id: z.number().nullable(),
      /** Null while it is owed. */
      delivered_at: z.string().nullable(),
      lead: leadReference.nullable(),
    })
    .nullable(),
  /** Of a replacement: the claimed lead that it makes good. */
  replaces: leadReference.extend({ claim_id: z.number() }).nullable(),
  verification_notes: z.array(z.string()),
  decision: decision.nullable(),
  deliveries: z.array(deliveryRow),
});
export type LeadDetails = z.output<typeof leadDetails>;

const leadPath = z.object({ leadId: field.leadId });

export const leadSchemas = {
  createLead: {
    body: z.object({
      ...leadFields,
      buyer_id: z
        .union([field.buyerId, z.literal(''), z.null()])
        .optional()
        .transform((value) => value || undefined),
    }),
    answer: z.object({
      lead_id: z.string(),
      /** `assigned`, or `ineligible`: the lead then waits among the pending ones. */
      status: z.enum(['assigned', 'ineligible']),
      message: z.string(),
      buyer: z.string().optional(),
      excel_link: z.string().optional(),
      display_id: z.string().optional(),
      reason: z.enum(PENDING_REASONS).optional(),
    }),
  },
  getLead: { params: leadPath, answer: z.object({ lead: leadDetails }) },
  updateLead: { params: leadPath, body: leadEdit, answer: z.object({ message: z.string() }) },
  deleteLead: { params: leadPath, answer: z.object({ message: z.string() }) },
} as const;
