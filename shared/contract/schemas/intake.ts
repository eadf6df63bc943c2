import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { channels, consent } from '#shared/contract/rows/consent';
import { leadFields } from '#shared/contract/rows/lead-fields';
import { CONSENT_CHANNELS } from '#shared/rules/consent';
import {
  CLAIM_STATUSES,
  INTAKE_OUTCOMES,
  INTAKE_STATES,
  MAX_LEADS_PER_INTAKE,
  PENDING_REASONS,
  PREDICTED_OUTCOMES,
} from '#shared/rules/constants';
import { type ConsentIntakeField, INTAKE_FIELDS, type LeadIntakeField } from '#shared/rules/lead-fields';

/** Visible ASCII, because it is part of an address. */
const EXTERNAL_ID = /^[\x21-\x7e]{1,200}$/;
const externalId = z
  .string({ error: 'Text of 1 to 200 visible characters expected' })
  .check(z.regex(EXTERNAL_ID, '1 to 200 visible characters without blanks expected'));

function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  example: string | number,
): Schema {
  const own = schema.check();
  publishedWith.add(own, { description, examples: [example] });
  return own;
}

export const intakeLead = z.object({
  external_id: described(externalId, 'Your own ID of the lead, in visible ASCII characters', 'example-1'),
  anrede: described(leadFields.anrede, 'Salutation', 'Frau'),
  vorname: described(leadFields.vorname, 'First name', 'Anna'),
  nachname: described(leadFields.nachname, 'Last name', 'Beispiel'),
  email: described(leadFields.email, 'E-mail address', 'anna@example.com'),
  telefon: described(
    leadFields.telefon,
    'Phone number. Without a country code it is read as German',
    '+49 170 1000001',
  ),
  anlagebetrag: described(leadFields.anlagebetrag, 'Amount to invest, in euro', 25_000),
  laufzeit: described(leadFields.laufzeit, 'Term, in months', 12),
  clickId: described(leadFields.clickId, 'Your ID of the click', 'click-1'),
  consent: z.optional(consent),
} satisfies Record<LeadIntakeField | 'consent', z.ZodMiniType>);

/** The fields of a consent, each on its own. */
export const flatConsent = {
  consent_given_at: described(
    consent.shape.given_at,
    'When the person consented, with time zone',
    '2026-11-24T14:03:00Z',
  ),
  consent_method: described(
    consent.shape.method,
    'How: form, form confirmed by e-mail, recorded call, in writing, or otherwise',
    'form',
  ),
  consent_channels: described(
    channels.check().register(publishedAs, { type: 'string' }),
    `By which the person may be contacted: ${CONSENT_CHANNELS.join(', ')}, separated by commas`,
    'phone, email',
  ),
  consent_text_id: described(consent.shape.text_id, 'ID of the wording that the person consented to', 'v1'),
  consent_text: described(
    consent.shape.text,
    'The wording itself, in place of its ID',
    'Ich bin einverstanden, dass …',
  ),
  consent_page_url: described(
    consent.shape.page_url,
    'Page on which the person consented',
    'https://landing.example.com/',
  ),
  consent_ip: described(consent.shape.ip, 'IP address of the person', '198.51.100.7'),
  consent_user_agent: described(consent.shape.user_agent, 'Browser of the person', 'Mozilla/5.0'),
  consent_confirmed_at: described(
    consent.shape.confirmed_at,
    'When the person confirmed it, with time zone',
    '2026-11-24T14:08:00Z',
  ),
  consent_confirmed_ip: described(
    consent.shape.confirmed_ip,
    'IP address at the confirmation',
    '198.51.100.7',
  ),
  consent_proof_url: described(
    consent.shape.proof_url,
    'Address of a proof that you keep, such as a recording',
    'https://example.com/proof/1',
  ),
} satisfies Record<ConsentIntakeField, z.ZodMiniType>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LEAD = {
  type: 'object' as const,
  properties: Object.fromEntries(INTAKE_FIELDS.map((name) => [name, {}])),
};

/** A bad lead does not affect the others, so each is parsed later, by the source's own field names. */
const posted = z
  .pipe(
    z.custom<object>(isObject, { error: 'Object expected' }),
    z.transform((value, context): readonly object[] => {
      const leads: unknown = Object.hasOwn(value, 'leads') ? Reflect.get(value, 'leads') : undefined;
      if (leads === undefined) return [value];
      if (
        Array.isArray(leads) &&
        leads.length > 0 &&
        leads.length <= MAX_LEADS_PER_INTAKE &&
        leads.every(isObject)
      )
        return leads;
      const message = `1 to ${MAX_LEADS_PER_INTAKE} leads expected, each an object`;
      context.issues.push({ code: 'custom', message, path: ['leads'], input: leads });
      return z.NEVER;
    }),
  )
  .register(publishedAs, {
    type: 'object',
    description: `One lead, or \`leads\` with 1 to ${MAX_LEADS_PER_INTAKE} of them, by the field names of the source`,
    properties: {
      leads: { type: 'array', minItems: 1, maxItems: MAX_LEADS_PER_INTAKE, items: LEAD },
    },
  });

const results = z.array(
  z.object({
    external_id: z.nullable(z.string()),
    status: z.enum(INTAKE_OUTCOMES),
    lead_id: z.optional(z.string()),
    error: z.optional(z.string()),
    /** Where the person can withdraw the consent that came with the lead. */
    withdrawal_url: z.optional(z.string()),
    /** The lead waits until this instant for the person to confirm the consent by the link in an e-mail. */
    confirm_by: z.optional(z.string()),
    /** By the names that were sent. */
    fields: z.optional(z.record(z.string(), z.string())),
    /** What would happen now; in a dry run, `known` leads were sent before. */
    predicted_outcome: z.optional(
      z.object({
        status: z.enum(PREDICTED_OUTCOMES),
        reason: z.optional(z.enum(PENDING_REASONS)),
        buyer: z.optional(z.string()),
      }),
    ),
  }),
);

const leadPath = z.object({
  externalId: externalId.check().register(publishedWith, { description: '`external_id` of the lead' }),
});

export const intakeSchemas = {
  postIntake: {
    summary: 'Post one lead or up to 500',
    refusals: { too_many_leads: 'the call exceeds the source’s limit per minute' },
    body: posted,
    answer: z.object({ results }),
  },
  importLeads: {
    summary: 'Import leads of a source from a file, or do a dry run',
    refusals: { invalid_dry_run: '`dry_run` differs from `next` in the previous answer' },

    params: z.object({ sourceId: field.wholeNumberId }),
    body: z.object({
      leads: z
        .array(z.custom<object>(isObject, { error: 'Object expected' }).register(publishedAs, LEAD))
        .check(z.minLength(1), z.maxLength(MAX_LEADS_PER_INTAKE)),
      /** Stores nothing. Empty for the first leads of a file, then `next` of the previous answer. */
      dry_run: z.optional(z.string().check(z.maxLength(100_000))),
    }),
    answer: z.object({ results, next: z.optional(z.string()) }),
  },
  preflightIntake: {
    summary: 'CORS preflight for posting leads',
    answer: z.object({}),
  },
  getIntake: {
    summary: 'Read the state of a lead',

    params: leadPath,
    answer: z.object({
      external_id: z.string(),
      lead_id: z.string(),
      status: z.enum(['accepted', 'duplicate', 'withdrawn']),
      state: z.enum(INTAKE_STATES),
      reason: z.nullable(z.enum(PENDING_REASONS)),
      received_at: z.string(),
      assigned_at: z.nullable(z.string()),
      claim: z.nullable(z.enum(CLAIM_STATUSES)),
      /** Null if the source may not see it. */
      buyer: z.nullable(z.string()),
    }),
  },
  withdrawPosted: {
    summary: 'Withdraw the consent of a person, by a lead that was posted',

    params: leadPath,
    answer: z.object({ message: z.string() }),
  },
} as const;
