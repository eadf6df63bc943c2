/** Example calls and answers with the fields of a source. */
import type { Answer } from '#shared/contract/schemas';
import { INVALID } from '#shared/rules/invalid-texts';
import { isOfConsent } from '#shared/rules/lead-fields';
import { KEY_PLACEHOLDER } from '#shared/rules/ready-form';

export type Specification = Answer<'viewSpecification'>;
type Field = Specification['fields'][number];

/** Each example is another person, because repeated persons are duplicates. */
function exampleOf({ ours, example }: Field, number: number): string | number {
  if (typeof example === 'number') return example;
  return ours === 'email' ? example.replace('@', `${number}@`) : example.replace(/\d$/, String(number));
}

type Values = readonly (readonly [string, string | number])[];

/** By default with a consent if a lead without one does not reach buyers. */
function leadOf(
  specification: Specification,
  number: number,
  agrees = specification.consent !== 'ignore',
): Values {
  const { fields } = specification;
  const own = fields
    .filter((field) => field.default === null && !isOfConsent(field.ours))
    .map((field) => [field.name, exampleOf(field, number)] as const);
  return agrees ? [...own, ...consentOf(specification)] : own;
}

/** With a registered wording if there is one, and the fields that are always needed. */
function consentOf({ fields, consent_texts }: Specification): Values {
  const current = consent_texts.at(-1)?.text_id;
  const shown = new Set([
    'consent_given_at',
    'consent_method',
    'consent_channels',
    current === undefined ? 'consent_text' : 'consent_text_id',
    'consent_page_url',
  ]);
  return fields
    .filter((field) => shown.has(field.ours) && field.default === null)
    .map(({ ours, name, example }) => [name, ours === 'consent_text_id' ? (current ?? example) : example]);
}

/** One word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const AUTHORIZATION = `-H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`;
const command = (...parts: readonly string[]) => parts.join(' \\\n  ');

const postedJson = (address: string, body: object) =>
  command(
    `curl -i ${quoted(address)}`,
    AUTHORIZATION,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  );

export const oneLead = (specification: Specification) =>
  postedJson(specification.address, Object.fromEntries(leadOf(specification, 1)));

export const manyLeads = (specification: Specification) =>
  postedJson(specification.address, {
    leads: [2, 3].map((number) => Object.fromEntries(leadOf(specification, number))),
  });

export const withConsent = (specification: Specification) =>
  postedJson(specification.address, Object.fromEntries(leadOf(specification, 5, true)));

/** curl encodes what follows the first equals sign. */
export const formLead = (specification: Specification) =>
  command(
    `curl -i ${quoted(specification.address)}`,
    AUTHORIZATION,
    ...leadOf(specification, 4).map(
      ([name, value]) => `--data-urlencode ${quoted(`${encodeURIComponent(name)}=${value}`)}`,
    ),
  );

export const askedLead = ({ address }: Specification) =>
  command(`curl -i ${quoted(`${address}/example-1`)}`, AUTHORIZATION);

const pretty = (answer: object) => JSON.stringify(answer, null, 2);
const EXAMPLE_ID = '01JDA1B2C3D4E5F6G7H8J9KMNP';

export function goodAnswer({ state }: Specification): string {
  const answer: Answer<'postIntake'> = {
    results: [
      state === 'test'
        ? { external_id: 'example-1', status: 'test', predicted_outcome: { status: 'assigned' } }
        : { external_id: 'example-1', status: 'accepted', lead_id: EXAMPLE_ID },
    ],
  };
  return pretty(answer);
}

export function invalidAnswer({ fields }: Specification): string {
  const name = fields.find(({ ours }) => ours === 'email')?.name ?? 'email';
  const text = INVALID.email;
  const answer: Answer<'postIntake'> = {
    results: [
      { external_id: 'example-1', status: 'invalid', error: `${name}: ${text}`, fields: { [name]: text } },
    ],
  };
  return pretty(answer);
}

export function askedAnswer({ sees_buyers }: Specification): string {
  const answer: Answer<'getIntake'> = {
    external_id: 'example-1',
    lead_id: EXAMPLE_ID,
    status: 'accepted',
    state: 'assigned',
    reason: null,
    received_at: '2026-11-22T09:30:00.000Z',
    assigned_at: '2026-11-22T09:30:01.000Z',
    claim: null,
    buyer: sees_buyers ? '…' : null,
  };
  return pretty(answer);
}

export function webhook({ sees_buyers }: Specification): string {
  return pretty({
    type: 'lead.assigned',
    timestamp: '2026-11-22T09:30:01.000Z',
    data: {
      lead_id: EXAMPLE_ID,
      external_id: 'example-1',
      clickId: 'abc',
      status: 'assigned',
      reason: null,
      sequence: 2,
      received_at: '2026-11-22T09:30:00.000Z',
      buyer: sees_buyers ? '…' : null,
    },
  });
}

const count = (value: number) => value.toLocaleString('en');

export function valuesOf({ kind, choices, min, max, max_length, ours }: Field): string {
  switch (kind) {
    case 'choice':
      return `one of ${choices.join(', ')}`;
    case 'number':
    case 'whole number': {
      const range = min === null || max === null ? kind : `${kind} from ${count(min)} to ${count(max)}`;
      return kind === 'number' ? `${range}, at most two decimals` : range;
    }
    case 'text':
      if (ours === 'external_id') return 'text, 1 to 200 visible ASCII characters without spaces';
      if (ours.endsWith('_at')) return 'time such as 2026-11-24T14:03:00Z';
      return max_length === null ? 'text' : `text, at most ${count(max_length)} characters`;
  }
}

/** `at most 1,000 leads a day` */
export function limitsOf(specification: Specification): string[] {
  const { per_minute, per_day, in_total, leads_per_call, body_kilobytes } = specification;
  return [
    `${count(leads_per_call)} leads per call, in a body of ${count(body_kilobytes)} KB`,
    `${count(per_minute)} leads per minute`,
    ...(per_day === null ? [] : [`${count(per_day)} leads per calendar day, Berlin time`]),
    ...(in_total === null ? [] : [`${count(in_total)} leads in total`]),
  ];
}
