import * as z from 'zod/mini';
import { sendingShape } from '#functions/data/deliveries/sending';
import { personal } from '#functions/data/personal';
import { CHANNELS } from '#shared/channels/channels';
import type { attempt } from '#shared/contract/rows/delivery';
import type { SameBy } from '#shared/rules/claim-evidence-rules';
import { CONSENT_CHANNELS, consentsToCalls } from '#shared/rules/consent';
import {
  CLAIM_STATUSES,
  FEEDBACKS,
  LEAD_STATUSES,
  LEAD_TYPES,
  type LeadType,
  PENDING_REASONS,
  type PendingReason,
  REASSIGNMENT_BLOCKERS,
  REDISTRIBUTED_REASONS,
} from '#shared/rules/constants';
import {
  type Field,
  isNumber,
  isOptional,
  LEAD,
  LEAD_FIELDS,
  type LeadField,
} from '#shared/rules/lead-fields';

const COUNTED = { kept: 'names nobody without the other fields, and figures are counted from it' };
const KEPT: { readonly [Name in LeadField]?: typeof COUNTED } = {
  anrede: COUNTED,
  anlagebetrag: COUNTED,
  laufzeit: COUNTED,
  src: COUNTED,
};

type Schema<Of extends Field> = Of extends { options: readonly (infer Option extends string)[] }
  ? z.ZodMiniEnum<{ [Name in Option]: Name }>
  : Of extends { optional: true }
    ? z.ZodMiniOptional<z.ZodMiniString>
    : Of extends { kind: 'euro' | 'months' }
      ? ReturnType<typeof z.int>
      : z.ZodMiniString;

function schemaOf(of: Field): z.ZodMiniType {
  if (of.kind === 'choice') return z.enum(of.options);
  if (isNumber(of)) return z.int();
  return isOptional(of) ? z.optional(z.string()) : z.string();
}

function storedFields(): { -readonly [Name in LeadField]: Schema<(typeof LEAD)[Name]> };
function storedFields(): object {
  return Object.fromEntries(LEAD_FIELDS.map((name) => [name, personal(schemaOf(LEAD[name]), KEPT[name])]));
}

export const personSchema = z.object(storedFields());
export type Person = z.output<typeof personSchema>;

/** The values that a write requires to be unchanged; undefined for empty fields. */
export const wholePerson = (lead: Person) =>
  Object.fromEntries(LEAD_FIELDS.map((name) => [name, lead[name]]));

/** Changed fields of a person, or their expected values; null for an empty field. */
export type PersonEdit = { readonly [Name in keyof Person]?: Person[Name] | null };

/** Undefined for a field that is emptied. */
export function storedEdit(edit: PersonEdit): Partial<Person>;
export function storedEdit(edit: PersonEdit): object {
  return Object.fromEntries(Object.entries(edit).map(([name, value]) => [name, value ?? undefined]));
}

export const leadSchema = z.object({
  lead_id: z.string(),
  status: z.enum(LEAD_STATUSES),
  ...personSchema.shape,
  received_at: z.string(),
  /** Every write of an attempt states its number, so that an earlier attempt can no longer assign the lead. */
  distribution_attempt: z.int(),
  in_flight_since: z.optional(z.string()),
  /** While in flight in a batch: the batch, which is indexed instead of the lead. */
  batch_id: z.optional(z.string()),
  /** While in flight: the buyer that an admin chose. */
  chosen_buyer: z.optional(z.int()),
  chosen_by: z.optional(z.string()),
  /** The attempt skips verification (by hand and from the backlog). */
  verified: z.optional(z.boolean()),
  verification_notes: personal(z.optional(z.array(z.string()))),
  checks: personal(z.optional(z.string()), { kept: 'codes of results, which name nobody' }),
  reason: z.optional(z.enum(PENDING_REASONS)),
  /** While pending for manual review: the chosen buyer. */
  intended_buyer: z.optional(z.int()),
  refused_by: z.optional(z.array(z.object({ buyer: z.int(), at: z.string() }))),
  buyer: z.optional(z.int()),
  order_id: z.optional(z.int()),
  sequence: z.optional(z.int()),
  lead_type: z.optional(z.enum(LEAD_TYPES)),
  assigned_at: z.optional(z.string()),
  claim_id: z.optional(z.int()),
  claim_status: z.optional(z.enum(CLAIM_STATUSES)),
  claim_reason: personal(z.optional(z.string())),
  /** The buyer that got another address (or number) from a later lead, which was compensated as a duplicate of this one. */
  another_email: z.optional(z.int()),
  another_phone: z.optional(z.int()),
  claim_decide_by: z.optional(z.string()),
  /** What holds by the entries of the diary (`feedback.ts`). `who` is `link` or an admin. */
  feedback: z.optional(
    z.object({
      /** Absent: everything was taken back. */
      said: z.optional(z.enum(FEEDBACKS)),
      at: z.string(),
      who: z.string(),
      order_id: z.int(),
      /** Absent: there was no diary yet. */
      entries: z.optional(z.int()),
    }),
  ),
  deleted_at: z.optional(z.string()),
  erased_at: z.optional(z.string()),
  /** When the person withdrew the consent, and the withdrawal that tells the buyers. */
  withdrawn_at: z.optional(z.string()),
  withdrawal_id: z.optional(z.string()),
  intake_key: personal(z.optional(z.string())),
  /** Of a lead that a source posted, with the source's own ID. */
  source: z.optional(z.int()),
  external_id: personal(z.optional(z.string())),
  /** Keyed hash of the request: the same ID with other content is a conflict. */
  content: personal(z.optional(z.string()), { kept: 'says nothing without the key of the source' }),
  /** Hashes of phone number and e-mail address; see `person-fingerprint-store.ts`. */
  fingerprints: personal(z.optional(z.array(z.string()))),
  address: personal(z.optional(z.string())),
  /** By which the person agreed to be contacted; the record is an item of its own (`consent.ts`). */
  consent: z.optional(z.array(z.enum(CONSENT_CHANNELS))),
  /** The person has not confirmed the consent of a form yet. The lead is not distributed by shares until then. */
  unconfirmed: z.optional(z.literal(true)),
  /** Its source held leads without consent to calls when it posted this one. */
  must_consent: z.optional(z.literal(true)),
  /** Earlier and later leads of the same person. No buyer gets two of them. */
  earlier_leads: z.optional(z.array(z.string())),
  later_leads: z.optional(z.set(z.string())),
  /** Buyers that knew the person when it was last distributed; 0 for nobody may get it. */
  known_to: z.optional(z.array(z.int())),
  duplicate_of: z.optional(z.string()),
  /** A duplicate that had the phone number and the e-mail address of the earlier lead, not only one of them. */
  same_person: z.optional(z.literal(true)),
});
export type Lead = z.output<typeof leadSchema>;

/** Whether a record came with it, confirmed or not. */
export const hasConsent = ({ consent, unconfirmed }: Pick<Lead, 'consent' | 'unconfirmed'>): boolean =>
  consent !== undefined || unconfirmed === true;

/** Why a lead waits for its person or an admin, whichever buyer has capacity. */
export function heldFor({
  unconfirmed,
  must_consent,
  consent,
}: Pick<Lead, 'unconfirmed' | 'must_consent' | 'consent'>): PendingReason | undefined {
  if (unconfirmed === true) return 'consent_unconfirmed';
  return must_consent === true && !consentsToCalls(consent) ? 'consent_missing' : undefined;
}

/** Whether a lead with this reason is distributed again when a buyer gains capacity. */
export function isBacklogReason(reason: PendingReason): boolean {
  return REDISTRIBUTED_REASONS.some((one) => one === reason);
}

/** Whether a pending lead is distributed as soon as a buyer can take it. */
export const isCurable = (lead: Lead): boolean =>
  lead.reason !== undefined && isBacklogReason(lead.reason) && heldFor(lead) === undefined;

export interface Assignment {
  readonly buyer: number;
  readonly order_id: number;
  readonly sequence: number;
  readonly lead_type: LeadType;
}

export function assignmentOf(lead: Lead): (Assignment & { readonly assigned_at: string }) | undefined {
  const { buyer, order_id, sequence, lead_type, assigned_at } = lead;
  return buyer === undefined ||
    order_id === undefined ||
    sequence === undefined ||
    lead_type === undefined ||
    assigned_at === undefined
    ? undefined
    : { buyer, order_id, sequence, lead_type, assigned_at };
}

export type ReceivedLead = Pick<Lead, 'lead_id' | 'distribution_attempt' | 'received_at'>;

export function displayId(lead: { order_id: number; sequence: number }): string {
  return `${lead.order_id}-${lead.sequence}`;
}

export const anotherOf = (field: SameBy) => `another_${field}` as const;

/** What its present buyer says. */
export function feedbackOf({ feedback, order_id }: Pick<Lead, 'feedback' | 'order_id'>) {
  if (feedback?.said === undefined || feedback.order_id !== order_id) return undefined;
  return { ...feedback, said: feedback.said };
}

export type Attempt = z.output<typeof attempt>;

export const deliverySchema = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  buyer: z.int(),
  order_id: z.int(),
  sequence: z.int(),
  lead_type: z.enum(LEAD_TYPES),
  ...sendingShape,
  unreported: z.optional(z.literal(true)),
  refused: z.optional(z.literal(true)),
  reassignment_blocker: z.optional(z.enum(REASSIGNMENT_BLOCKERS)),
  /** When the refused lead left the buyer. This delivery is no longer sent. */
  reassigned_at: z.optional(z.string()),
  external_id: personal(z.nullable(z.string())),
});
export type Delivery = z.output<typeof deliverySchema>;

/** A reassigned lead has deliveries of several assignments, over the same channels. */
export function isOfAssignment(
  delivery: Pick<Delivery, 'order_id' | 'sequence'>,
  lead: Pick<Lead, 'status' | 'order_id' | 'sequence'>,
): boolean {
  return (
    lead.status === 'assigned' && lead.order_id === delivery.order_id && lead.sequence === delivery.sequence
  );
}

const choiceShape = {
  rule: z.string(),
  decided_at: z.string(),
  /** `weights` by the largest deficit, `drawn` by chance in proportion to need, `manual` by an admin. */
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.nullable(z.int()),
  draw: z.optional(z.number()),
  /** `[buyer, weight in hundredths of a percent, deficit before the choice in shares]` */
  eligible: z.array(z.tuple([z.int(), z.int(), z.int()])),
  not_eligible: z.record(z.string(), z.array(z.int())),
};

/** Why the lead went to its buyer, with everything needed to recompute the choice. Buyers by internal ID. */
export const decisionSchema = z.object({
  lead_id: z.string(),
  distribution_attempt: z.int(),
  ...choiceShape,
  /** For a lead assigned by hand after manual review: the earlier choice, which stays settled in the ledger. */
  earlier_choice: z.optional(z.object(choiceShape)),
});
export type Decision = z.output<typeof decisionSchema>;

export const refusalSchema = z.object({
  lead_id: z.string(),
  distribution_attempt: z.int(),
  buyer: z.int(),
  order_id: z.int(),
  sequence: z.int(),
  lead_type: z.enum(LEAD_TYPES),
  assigned_at: z.string(),
  refused_at: z.string(),
  decision: z.optional(decisionSchema),
});
export type Refusal = z.output<typeof refusalSchema>;
