import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { wording } from '#shared/contract/rows/consent';
import { endpointSchemas } from '#shared/contract/schemas/endpoints';
import { CONSENT_POLICIES, MAX_CONSENT_TEXTS } from '#shared/rules/consent';
import { DUPLICATE_POLICIES, KEY_SLOTS, SOURCE_STATES } from '#shared/rules/constants';
import { INTAKE_FIELDS, type IntakeField } from '#shared/rules/lead-fields';

const ORIGIN = /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?$/;
const ADDRESS = /^[0-9A-Fa-f.:]{2,45}(?:\/\d{1,3})?$/;
const MAX_COUNT = 1_000_000_000;

const cap = z.union([z.null(), field.integer(1, MAX_COUNT)]);

const isIntakeField = (name: string): name is IntakeField => INTAKE_FIELDS.some((one) => one === name);

const perField = (max: number, description: string) =>
  z
    .pipe(
      field.entries,
      z.transform((entries, context) => {
        const accepted: Partial<Record<IntakeField, string>> = {};
        const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: entries });
        for (const [name, value] of entries) {
          const text = z.safeParse(field.line(max), value);
          if (!isIntakeField(name)) refuse(`${JSON.stringify(name)} is not a lead field`);
          else if (!text.success) refuse(`"${name}": text of 1 to ${max} characters expected`);
          else accepted[name] = text.data;
        }
        return accepted;
      }),
    )
    .register(publishedAs, {
      description: `${description}; null or empty for none. JSON text is accepted too.`,
      type: ['object', 'null', 'string'],
      maxLength: 0,
      properties: Object.fromEntries(
        INTAKE_FIELDS.map((name) => [
          name,
          { type: 'string' as const, ...publishedWith.get(field.line(max)), maxLength: max },
        ]),
      ),
      additionalProperties: false,
    });

/** Origins are compared letter by letter, without the default port. */
const asBrowsersSendIt = (origin: string) => (URL.canParse(origin) ? new URL(origin).origin : origin);

const settings = {
  name: field.line(100, 1, 'Name is required'),
  src: field.line(200, 1, 'Source value is required'),
  /** Addresses or ranges (`203.0.113.0/24`); none: all. */
  addresses: field.distinct(
    z
      .array(field.matching(ADDRESS, 'IP address or range expected'))
      .check(z.maxLength(50, 'At most 50 entries')),
  ),
  /** Of web pages: `https://example.com`. */
  origins: field.distinct(
    z
      .array(
        z.pipe(
          field
            .matching(ORIGIN, 'Origin without path expected, such as https://example.com')
            .check(z.maxLength(300, 'At most 300 characters')),
          z.transform(asBrowsersSendIt),
        ),
      )
      .check(z.maxLength(20, 'At most 20 entries')),
  ),
  mapping: perField(100, 'The source’s field names, by our names'),
  defaults: perField(254, 'Default values, by our field names'),
  per_minute: field.integer(1, 100_000),
  /** By Berlin days; null: no limit. */
  per_day: cap,
  in_total: cap,
  /** Euro, for leads that arrive from the day of the change; null: unknown. Duplicates cost nothing. */
  cost_per_lead: z.union([field.euro(1_000_000), z.null()]),
  /** Days; 0 turns the check off. */
  window_days: field.integer(0, 365),
  on_duplicate: z.enum(DUPLICATE_POLICIES),
  /** Whether the source learns which buyer got a lead. */
  sees_buyers: field.flag,
  /** For leads without consent to be called. */
  consent: z.enum(CONSENT_POLICIES),
  /** Whether a person confirms the consent of a form by a link in an e-mail before the lead is distributed. */
  double_opt_in: field.flag,
};

const key = z.object({
  slot: z.enum(KEY_SLOTS),
  prefix: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
});

/** Its text never changes. */
const consentText = z.object({ text_id: z.string(), created_at: z.string() });

const source = z.object({
  source_id: z.int(),
  name: z.string(),
  src: z.string(),
  state: z.enum(SOURCE_STATES),
  addresses: z.array(z.string()),
  origins: z.array(z.string()),
  mapping: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  defaults: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  per_minute: z.int(),
  per_day: z.nullable(z.int()),
  in_total: z.nullable(z.int()),
  cost_per_lead: z.nullable(z.number()),
  today: z.int(),
  total: z.int(),
  window_days: z.int(),
  on_duplicate: z.enum(DUPLICATE_POLICIES),
  sees_buyers: z.boolean(),
  consent: z.enum(CONSENT_POLICIES),
  /** Wordings that its leads may name; the newest one is last. */
  consent_texts: z.array(consentText),
  double_opt_in: z.boolean(),
  /** Null: turned off. */
  specification_link: z.nullable(z.string()),
  keys: z.array(key),
  created_at: z.string(),
});
export type SourceRow = z.output<typeof source>;

const meaning = z.object({ value: z.string(), meaning: z.string() });
export type Meaning = z.output<typeof meaning>;

const specifiedField = z.object({
  name: z.string(),
  ours: z.enum(INTAKE_FIELDS),
  meaning: z.string(),
  kind: z.enum(['text', 'choice', 'number', 'whole number']),
  required: z.boolean(),
  /** For an empty or missing value. */
  default: z.nullable(z.string()),
  choices: z.array(z.string()),
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  max_length: z.nullable(z.number()),
  example: z.union([z.string(), z.number()]),
});
export type SpecifiedField = z.output<typeof specifiedField>;

/** For strangers: contains nothing confidential. */
const specification = z.object({
  src: z.string(),
  state: z.enum(SOURCE_STATES),
  address: z.string(),
  openapi_url: z.string(),
  /** Those of a consent come last. */
  fields: z.array(specifiedField),
  consent: z.enum(CONSENT_POLICIES),
  /** Wordings that leads may name, newest last. */
  consent_texts: z.array(z.object({ text_id: z.string(), text: z.string() })),
  double_opt_in: z.boolean(),
  /** Of the company that runs the system; null if not set. */
  privacy_url: z.nullable(z.string()),
  outcomes: z.array(meaning),
  predicted_outcome: z.array(meaning),
  states: z.array(meaning),
  reasons: z.array(meaning),
  claims: z.array(meaning),
  webhook_events: z.array(meaning),
  errors: z.array(
    z.object({
      status: z.int(),
      /** Null: answered before the API. */
      code: z.nullable(z.string()),
      meaning: z.string(),
      remedy: z.string(),
    }),
  ),
  leads_per_call: z.int(),
  body_kilobytes: z.int(),
  per_minute: z.int(),
  per_day: z.nullable(z.int()),
  in_total: z.nullable(z.int()),
  window_days: z.int(),
  on_duplicate: z.enum(DUPLICATE_POLICIES),
  /** Repeating a lead returns the same answer for this time. */
  same_answer_days: z.int(),
  origins: z.array(z.string()),
  by_address: z.boolean(),
  sees_buyers: z.boolean(),
});

const sourcePath = z.object({ sourceId: field.wholeNumberId });
const specificationPath = z.object({ token: field.token });
const one = z.object({ message: z.string(), source });

const settingRefusals = {
  no_mail_server: 'there is no e-mail template, by which `double_opt_in` sends its e-mails',
  'invalid_input.addresses': 'one of `addresses` is not an IP address or range',
};

export const sourceSchemas = {
  listSources: {
    summary: 'List sources',
    answer: z.array(source),
  },
  createSource: {
    summary: 'Add a source, in test mode',
    refusals: settingRefusals,

    body: z.extend(z.partial(z.object(settings)), { name: settings.name, src: settings.src }),
    answer: one,
  },
  updateSource: {
    summary: 'Change, pause or resume a source',
    refusals: settingRefusals,

    params: sourcePath,
    body: z.extend(z.partial(z.object(settings)), {
      state: z.optional(z.enum(SOURCE_STATES)),
      expected: field.expected({ ...settings, state: z.enum(SOURCE_STATES) }),
    }),
    answer: one,
  },
  regenerateSpecification: {
    summary: 'Replace the link of a source’s specification page',
    params: sourcePath,
    answer: one,
  },
  switchOffSpecification: {
    summary: 'Turn off a source’s specification page',
    params: sourcePath,
    answer: one,
  },
  viewSpecification: {
    summary: 'Read the specification of a source, by its link',
    params: specificationPath,
    answer: specification,
  },
  getIntakeOpenApi: {
    summary: 'Read the calls of a source as an OpenAPI document',
    params: specificationPath,
    answer: z.record(z.string(), z.unknown()),
  },
  createSourceKey: {
    summary: 'Create a source key, shown once; at most two',

    params: sourcePath,
    answer: z.extend(one, {
      /** Shown once. */
      key: z.string(),
    }),
  },
  revokeSourceKey: {
    summary: 'Revoke a key of a source',

    params: z.extend(sourcePath, { slot: z.enum(KEY_SLOTS) }),
    answer: one,
  },
  listConsentTexts: {
    summary: 'Read the wordings of consent that a source’s leads may name',
    params: sourcePath,
    answer: z.array(z.extend(consentText, { text: z.string() })),
  },
  addConsentText: {
    summary: 'Add a wording of consent to a source; earlier ones stay as they are',
    refusals: { too_many_consent_texts: `the source has ${MAX_CONSENT_TEXTS} wordings` },

    params: sourcePath,
    body: z.object({ text: wording }),
    answer: one,
  },
  retireConsentText: {
    summary: 'Retire a wording, which no further lead may name; leads that do keep it',

    params: z.extend(sourcePath, { textId: field.line(20) }),
    answer: one,
  },
  ...endpointSchemas,
} as const;
