import * as z from 'zod/mini';
import { sendingShape } from '#functions/data/deliveries/sending';
import { personal } from '#functions/data/personal';
import { CHANNELS } from '#shared/channels/channels';
import type { attempt } from '#shared/contract/rows/delivery';
import type { SameBy } from '#shared/rules/claim-rules';
import {
  CLAIM_STATUSES,
  FEEDBACKS,
  KEPT_REASONS,
  LEAD_STATUSES,
  LEAD_TYPES,
  type LeadType,
  PENDING_REASONS,
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
/** What stays of an erased person; every other field is removed. */
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

/** The data of the person. */
export const personSchema = z.object(storedFields());
export type Person = z.output<typeof personSchema>;

/** Every field of the person, undefined for one that is empty: what a write expects to be still so. */
export const wholePerson = (lead: Person) =>
  Object.fromEntries(LEAD_FIELDS.map((name) => [name, lead[name]]));

/** What an admin changes of a person, or has seen of it; null for an empty field. */
export type PersonEdit = { readonly [Name in keyof Person]?: Person[Name] | null };

/** The same as it is stored: undefined for a field that is emptied. */
export function storedEdit(edit: PersonEdit): Partial<Person>;
export function storedEdit(edit: PersonEdit): object {
  return Object.fromEntries(Object.entries(edit).map(([name, value]) => [name, value ?? undefined]));
}

export const leadSchema = z.object({
  lead_id: z.string(),
  status: z.enum(LEAD_STATUSES),
  ...personSchema.shape,
  received_at: z.string(),
  /**
   * Counts the distribution attempts: at intake, by hand, from the backlog, and when the reconciliation takes over. Every
   * write of an attempt states its number, so that an earlier attempt can no longer assign the lead.
   */
  distribution_attempt: z.int(),
  /** While in flight: when this distribution attempt began. */
  in_flight_since: z.optional(z.string()),
  /** While in flight in a batch: the batch, which then stands in the index in the lead's place. */
  batch_id: z.optional(z.string()),
  /** While in flight: the buyer an admin chose. */
  chosen_buyer: z.optional(z.int()),
  /** While in flight to it: that admin. */
  chosen_by: z.optional(z.string()),
  /** True when the distribution attempt skips verification (by hand and from the backlog). */
  verified: z.optional(z.boolean()),
  /** Notes of the verification, also of one that the lead passed. */
  verification_notes: personal(z.optional(z.array(z.string()))),
  /** The checks that were made of it, packed; see `intake-checks.ts`. */
  checks: personal(z.optional(z.string()), { kept: 'codes of results, which name nobody' }),
  /** While pending. */
  reason: z.optional(z.enum(PENDING_REASONS)),
  /** While pending for manual review: the buyer that the choice named. */
  intended_buyer: z.optional(z.int()),
  /** The buyers that refused it and gave it back, in this order, each with the instant: they are not asked again. */
  refused_by: z.optional(z.array(z.object({ buyer: z.int(), at: z.string() }))),
  /** Once assigned. */
  buyer: z.optional(z.int()),
  order_id: z.optional(z.int()),
  sequence: z.optional(z.int()),
  lead_type: z.optional(z.enum(LEAD_TYPES)),
  assigned_at: z.optional(z.string()),
  claim_id: z.optional(z.int()),
  claim_status: z.optional(z.enum(CLAIM_STATUSES)),
  claim_reason: personal(z.optional(z.string())),
  /**
   * The buyer for which a later lead of the person was made good by rule, because it pays for this one; by that lead it has another
   * address, or number. Then this one is not made good by rule because its own is dead.
   */
  another_email: z.optional(z.int()),
  another_phone: z.optional(z.int()),
  /** The last day (Berlin) for its decision, where one is agreed. */
  claim_decide_by: z.optional(z.string()),
  /** What the buyer of an order said of it, when, and by whom: `link`, or an admin. */
  feedback: z.optional(
    z.object({ said: z.enum(FEEDBACKS), at: z.string(), who: z.string(), order_id: z.int() }),
  ),
  deleted_at: z.optional(z.string()),
  /** When its person was erased; buyer, order, amount and decision stay, whatever its status. */
  erased_at: z.optional(z.string()),
  /** The stored name of the idempotency key that it was posted with. */
  intake_key: personal(z.optional(z.string())),
  /** Of a lead that a source posted: the source, and the source's own id of the lead. */
  source: z.optional(z.int()),
  external_id: personal(z.optional(z.string())),
  /** Keyed hash of all that was posted: the same id with other content is a conflict. */
  content: personal(z.optional(z.string()), { kept: 'says nothing without the key of the source' }),
  /** The hashes of the person's phone number and e-mail address; see `person-mark-store.ts`. */
  marks: personal(z.optional(z.array(z.string()))),
  /** Of a discarded lead: the hash under which what is known of its e-mail address stands. */
  address: personal(z.optional(z.string())),
  /** Leads of the same person that came before it, and after it. No buyer gets two of them. */
  earlier_leads: z.optional(z.array(z.string())),
  later_leads: z.optional(z.set(z.string())),
  /** When it was refused: the earlier lead. */
  duplicate_of: z.optional(z.string()),
});
export type Lead = z.output<typeof leadSchema>;

/** The order that a lead is assigned to, and its number there. */
export interface Assignment {
  readonly buyer: number;
  readonly order_id: number;
  readonly sequence: number;
  readonly lead_type: LeadType;
}

/** The assignment of a lead; undefined if it was never assigned. */
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

/** What ends a distribution attempt needs to know of the lead. */
export type LeadInFlight = Pick<Lead, 'lead_id' | 'distribution_attempt' | 'received_at'>;

/** `{order_id}-{lead_sequence}` */
export function displayId(lead: { order_id: number; sequence: number }): string {
  return `${lead.order_id}-${lead.sequence}`;
}

/** The field of a lead that says for whom another address, or number, of its person was made good. */
export const anotherOf = (field: SameBy) => `another_${field}` as const;

/** What its present buyer said of a lead; a lead that went on to another order has said nothing there yet. */
export function feedbackOf({ feedback, order_id }: Pick<Lead, 'feedback' | 'order_id'>): Lead['feedback'] {
  return feedback?.order_id === order_id ? feedback : undefined;
}

export type Attempt = z.output<typeof attempt>;

/** One lead over one channel. */
export const deliverySchema = z.object({
  lead_id: z.string(),
  channel: z.enum(CHANNELS),
  buyer: z.int(),
  order_id: z.int(),
  sequence: z.int(),
  lead_type: z.enum(LEAD_TYPES),
  ...sendingShape,
  /** While it has failed for good and the operator has not been told yet. */
  unreported: z.optional(z.literal(true)),
  /** When it has failed because the partner said no to this lead. */
  refused: z.optional(z.literal(true)),
  /** Why a refused lead stays with a buyer whose refused leads are given on. */
  kept: z.optional(z.enum(KEPT_REASONS)),
  /** Of a refused lead that went on to others: when it left the buyer. Nothing is sent by this delivery any more. */
  given_on_at: z.optional(z.string()),
  /** The partner's id of the lead. */
  external_id: personal(z.nullable(z.string())),
});
export type Delivery = z.output<typeof deliverySchema>;

/** A delivery belongs to one assignment: a lead that is given on has others later, over the same channels. */
export function isOfAssignment(
  delivery: Pick<Delivery, 'order_id' | 'sequence'>,
  lead: Pick<Lead, 'status' | 'order_id' | 'sequence'>,
): boolean {
  return (
    lead.status === 'assigned' && lead.order_id === delivery.order_id && lead.sequence === delivery.sequence
  );
}

const choiceShape = {
  /** The version of the share rule. */
  rule: z.string(),
  decided_at: z.string(),
  /** `weights` by the largest deficit, `drawn` by chance in proportion to need, `manual` by an admin. */
  mode: z.enum(['weights', 'drawn', 'manual']),
  winner: z.nullable(z.int()),
  /** The number in [0, 1) by which a `drawn` winner was chosen. */
  draw: z.optional(z.number()),
  /** `[buyer, weight in hundredths of a percent, deficit before the choice in shares]`, as compact JSON. */
  eligible: z.array(z.tuple([z.int(), z.int(), z.int()])),
  not_eligible: z.record(z.string(), z.array(z.int())),
};

/** Why the lead went where it went, enough to make the choice again. Buyers by internal id. */
export const decisionSchema = z.object({
  lead_id: z.string(),
  distribution_attempt: z.int(),
  ...choiceShape,
  /** For a lead assigned by hand after manual review: the choice before the review, which stays settled in the ledger. */
  earlier_choice: z.optional(z.object(choiceShape)),
});
export type Decision = z.output<typeof decisionSchema>;

/** An assignment that ended because the buyer refused the lead, with the choice that had made it. */
export const refusalSchema = z.object({
  lead_id: z.string(),
  distribution_attempt: z.int(),
  buyer: z.int(),
  order_id: z.int(),
  sequence: z.int(),
  lead_type: z.enum(LEAD_TYPES),
  assigned_at: z.string(),
  refused_at: z.string(),
  /** Taken back from the ledger of shares. */
  decision: z.optional(decisionSchema),
});
export type Refusal = z.output<typeof refusalSchema>;
