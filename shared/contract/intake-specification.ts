/**
 * What a source has to know to post leads, derived from the schemas of its calls and its own settings. Anyone may read it.
 */
import * as z from 'zod/mini';
import { INTAKE_ERRORS, type IntakeError } from '#shared/contract/intake-errors';
import { ERROR_SCHEMA, type Json, toJsonSchema } from '#shared/contract/json-schema';
import { routes } from '#shared/contract/routes';
import { consent } from '#shared/contract/rows/consent';
import { flatConsent, intakeLead, intakeSchemas } from '#shared/contract/schemas/intake';
import type { Meaning, SpecifiedField } from '#shared/contract/schemas/sources';
import {
  CALLBACK_EVENTS,
  CLAIM_STATUSES,
  INTAKE_OUTCOMES,
  INTAKE_STATES,
  MAX_BODY_BYTES,
  MAX_LEADS_PER_INTAKE,
  PENDING_REASONS,
  PREDICTED_OUTCOMES,
} from '#shared/rules/constants';
import { INTAKE_FIELDS, type IntakeField, isOfConsent } from '#shared/rules/lead-fields';
import { type FormSource, MIN_SHOWN_MS, SHOWN_FIELD, TRAP_FIELD } from '#shared/rules/ready-form';
import { pendingReasonText } from '#shared/rules/reasons';

const text = z._default(z.string(), '');
const number = z._default(z.nullable(z.number()), null);
const shown = z.object({
  type: z._default(z.string(), 'string'),
  description: text,
  examples: z._default(z.array(z.union([z.string(), z.number()])), ['']),
  enum: z._default(z.array(z.string()), []),
  minimum: number,
  maximum: number,
  maxLength: number,
});

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const SCHEMAS = { ...intakeLead.shape, ...flatConsent };

/** A field that may be null or empty is described by its other type. */
function schemaOf(name: IntakeField): Json {
  const { anyOf, ...schema } = toJsonSchema(SCHEMAS[name], 'input');
  const types: unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const own = types.find((one) => isObject(one) && one.type !== 'null' && one.const === undefined);
  return { ...(isObject(own) && own), ...schema };
}

export function intakeFields({ mapping, defaults }: FormSource): SpecifiedField[] {
  return INTAKE_FIELDS.map((ours) => {
    const schema = shown.parse(schemaOf(ours));
    return {
      name: mapping[ours] ?? ours,
      ours,
      meaning: schema.description,
      kind: kindOf(schema),
      required: defaults[ours] === undefined && !SCHEMAS[ours].safeParse(undefined).success,
      default: defaults[ours] ?? null,
      choices: schema.enum,
      min: schema.minimum,
      max: schema.maximum,
      max_length: schema.maxLength,
      example: schema.examples[0] ?? '',
    };
  });
}

function kindOf({ type, enum: choices }: z.output<typeof shown>): SpecifiedField['kind'] {
  if (choices.length > 0) return 'choice';
  return type === 'number' ? 'number' : type === 'integer' ? 'whole number' : 'text';
}

const meanings = <Value extends string>(values: readonly Value[], texts: Readonly<Record<Value, string>>) =>
  values.map((value): Meaning => ({ value, meaning: texts[value] }));

export const OUTCOMES = meanings(INTAKE_OUTCOMES, {
  accepted: 'Accepted.',
  duplicate: 'You already sent this person within the window. The lead was not accepted.',
  withdrawn:
    'This person withdrew the consent, and no newer one came with the lead. The lead was not accepted; do not send it again.',
  invalid: 'Not accepted. “fields” explains each refused field.',
  conflict: 'Not accepted: this ID was used for a lead with different content.',
  test: 'The source is in test: all was checked, nothing was kept; “predicted_outcome” tells what would happen.',
});

export const PREDICTED_OUTCOME_MEANINGS = meanings(
  PREDICTED_OUTCOMES.filter((value) => value !== 'known'),
  {
    assigned: 'It would be assigned at once.',
    pending: 'It would be pending; “reason” says why.',
    duplicate: 'You already sent this person within the window.',
    withdrawn: 'This person withdrew the consent, and no newer one came with the lead.',
  },
);

export const STATES = meanings(INTAKE_STATES, {
  in_distribution: 'It is being distributed.',
  assigned: 'A buyer has it, since “assigned_at”.',
  pending: 'It is pending; “reason” says why.',
  discarded: 'It was discarded.',
  deleted: 'It was removed from its buyer.',
  duplicate: 'It was refused as a duplicate.',
  withdrawn: 'It was refused because the person had withdrawn the consent.',
});

export const REASONS = PENDING_REASONS.map(
  (value): Meaning => ({ value, meaning: `${pendingReasonText(value)}.` }),
);

export const CLAIMS = meanings(CLAIM_STATUSES, {
  pending: 'The buyer claimed it; the claim is not decided yet.',
  approved: 'The buyer’s claim was approved.',
  rejected: 'The buyer’s claim was rejected.',
});

export const EVENTS = meanings(CALLBACK_EVENTS, {
  'lead.assigned': 'A buyer has the lead.',
  'lead.pending': 'It is pending; “reason” says why.',
  'lead.discarded': 'It was discarded.',
  'lead.feedback':
    'The buyer said how the contact went: “status” is reached, not_reached, closed, or no_feedback if it was a mistake.',
  'claim.approved': 'The buyer’s claim about it was approved.',
  'claim.rejected': 'The buyer’s claim about it was rejected.',
});

function errorsByStatus(on: 'postIntake' | 'getIntake'): Map<number, IntakeError[]> {
  const byStatus = new Map<number, IntakeError[]>();
  for (const error of INTAKE_ERRORS) {
    if (!isAnswerOf(on, error)) continue;
    byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
  }
  return byStatus;
}

/** Only a POST can have an invalid lead, and only a GET can find none. */
function isAnswerOf(on: 'postIntake' | 'getIntake', { status, code }: IntakeError): boolean {
  if (on === 'postIntake') return status !== 404;
  return (
    (status !== 400 || code === 'invalid_input') &&
    ![409, 413, 415].includes(status) &&
    !(code === 'source_paused' || code === 'source_full' || (status === 429 && code !== null))
  );
}

const errorResponses = (on: 'postIntake' | 'getIntake') =>
  Object.fromEntries(
    [...errorsByStatus(on)].map(([status, errors]) => [
      status,
      {
        description: errors
          .map(({ code, meaning }) => (code === null ? meaning : `\`${code}\`: ${meaning}`))
          .join('\n'),
        ...(status === 429 && {
          headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
        }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );

const answerOf = (id: 'postIntake' | 'getIntake') => ({
  description: 'Success',
  content: { 'application/json': { schema: toJsonSchema(intakeSchemas[id].answer, 'output') } },
});

/** Of the ready form. Only browsers' calls are judged by them. */
const FORM_FIELDS = {
  [SHOWN_FIELD]: {
    type: 'integer',
    description: `From a browser: milliseconds since the form was shown. A lead below ${MIN_SHOWN_MS} is answered \`invalid\`, and the visitor sends it again`,
    examples: [5000],
  },
  [TRAP_FIELD]: {
    type: 'string',
    description:
      'From a browser: a field that people do not see. A lead with text in it is answered as accepted and dropped',
    examples: [''],
  },
};

export function intakeDocument(baseUrl: string, source: FormSource & { readonly src: string }) {
  const fields = intakeFields(source);
  const lead = {
    type: 'object',
    required: fields.filter(({ ours, required }) => required && !isOfConsent(ours)).map(({ name }) => name),
    properties: {
      ...Object.fromEntries(
        fields.map(({ name, ours, default: standard }) => [
          name,
          {
            ...schemaOf(ours),
            ...(standard !== null && { default: standard }),
          },
        ]),
      ),
      consent: {
        ...toJsonSchema(consent, 'input'),
        description: 'A consent as one object, in place of its single fields',
      },
      ...FORM_FIELDS,
    },
  };
  const ref = { $ref: '#/components/schemas/Lead' };
  const { postIntake, getIntake } = routes;
  return {
    openapi: '3.1.0',
    info: {
      title: `Posting leads: ${source.src}`,
      version: '1.0.0',
      description: `A number can be text in plain or German notation (\`"12500.5"\`, \`"12.500,50"\`). Unknown fields are ignored. A body has at most ${MAX_BODY_BYTES / 1024} KB.`,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    security: [{ sourceKey: [] }],
    paths: {
      [postIntake.path]: {
        post: {
          operationId: 'postIntake',
          summary: intakeSchemas.postIntake.summary,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  anyOf: [
                    ref,
                    {
                      type: 'object',
                      required: ['leads'],
                      properties: {
                        leads: { type: 'array', minItems: 1, maxItems: MAX_LEADS_PER_INTAKE, items: ref },
                      },
                    },
                  ],
                },
              },
              'application/x-www-form-urlencoded': { schema: ref },
            },
          },
          responses: { [postIntake.status]: answerOf('postIntake'), ...errorResponses('postIntake') },
        },
      },
      [getIntake.path]: {
        get: {
          operationId: 'getIntake',
          summary: intakeSchemas.getIntake.summary,
          parameters: [{ name: 'externalId', in: 'path', required: true, schema: schemaOf('external_id') }],
          responses: { 200: answerOf('getIntake'), ...errorResponses('getIntake') },
        },
      },
    },
    components: {
      schemas: { Lead: lead, Error: ERROR_SCHEMA },
      securitySchemes: {
        sourceKey: { type: 'http', scheme: 'bearer', description: 'The key you were given' },
      },
    },
  };
}
