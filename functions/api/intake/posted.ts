/** Reads what a source posts, by its field names and defaults. */
import type * as z from 'zod/mini';
import { personOf } from '#functions/api/common/person';
import { formFieldsOf } from '#functions/api/intake/visitors';
import type { Source } from '#functions/data/sources/source';
import { type GivenConsent, readConsent } from '#functions/domain/distribution/consent';
import type { PostedLead } from '#functions/domain/sources/intake';
import { inPlainWords } from '#functions/http/errors';
import { intakeLead } from '#shared/contract/schemas/intake';
import { CONSENT_FIELDS, type ConsentField, consentsToCalls } from '#shared/rules/consent';
import { consentIntakeField, type IntakeField, LEAD_INTAKE_FIELDS } from '#shared/rules/lead-fields';
import { SHOWN_FIELD } from '#shared/rules/ready-form';

/** `fields` by the source's names. */
export interface Unreadable {
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

export type Read =
  /** `unless`: the answer to a new lead. One that was stored before keeps its first answer. */
  | { readonly posted: PostedLead; readonly unless?: Unreadable }
  | { readonly unreadable: Unreadable }
  /** By a program that filled the field which people do not see. */
  | { readonly trapped: string | null };

type Reading = Pick<Source, 'mapping' | 'defaults' | 'consent' | 'consent_texts'>;
type Values = ReadonlyMap<string, unknown>;

/** @param visitor the address of the browser that posted it, if it was one */
export function readPosted(source: Reading, row: object, now: Date, visitor?: string): Read {
  if (visitor === undefined) return readLead(source, row, now);
  const { lead, isTrapped, isTooFast } = formFieldsOf(row);
  const name = source.mapping.external_id ?? 'external_id';
  const externalId = shownId(new Map<string, unknown>(Object.entries(lead)).get(name));
  if (isTrapped) return { trapped: externalId };
  if (isTooFast)
    return { unreadable: { external_id: externalId, fields: { [SHOWN_FIELD]: 'Please send again' } } };
  return readLead(source, lead, now, visitor);
}

function readLead(source: Reading, row: object, now: Date, visitor?: string): Read {
  const values = new Map<string, unknown>(Object.entries(row));
  const given = LEAD_INTAKE_FIELDS.flatMap((name) => {
    const value = valueOf(source, values, name) ?? source.defaults[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const asked = consentOf(source, values);
  const parsed = intakeLead.safeParse(
    { ...Object.fromEntries(given), consent: asked.consent },
    { error: inPlainWords },
  );
  const consent = parsed.data?.consent;
  const read = consent && readConsent(ofVisitor(consent, now, visitor), source.consent_texts, now);
  const fields = {
    ...asked.wrong,
    ...(parsed.error && fieldsOf(source, parsed.error, asked.nameOf)),
    ...(read && 'wrong' in read && renamed(read.wrong, asked.nameOf)),
  };
  const missing = source.consent === 'require' &&
    !consentsToCalls(consent?.channels) && { consent: 'Consent to calls is required' };
  // The wording may have been retired since the first call.
  const isNamed = Object.keys(fields).every((name) => name === asked.nameOf('text_id'));
  if (parsed.success && isNamed) {
    const { external_id } = parsed.data;
    const posted = { external_id, person: personOf(parsed.data), content: contentOf(values) };
    // A visitor cannot repair a form that still shows a retired wording: the lead comes without consent.
    const isKept = visitor !== undefined && source.consent !== 'require';
    const refused = { ...(!isKept && fields), ...missing };
    return {
      posted: { ...posted, consent: read && 'accepted' in read ? read.accepted : undefined },
      ...(Object.keys(refused).length > 0 && { unless: { external_id, fields: refused } }),
    };
  }
  const [, externalId] = given.find(([name]) => name === 'external_id') ?? [];
  return {
    unreadable: { external_id: shownId(externalId), fields: { ...fields, ...(parsed.success && missing) } },
  };
}

const shownId = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, MAX_SHOWN) : null;

/** The server knows a visitor's address, and its own clock better than the visitor's. */
function ofVisitor<Given extends GivenConsent>(given: Given, now: Date, visitor?: string): Given {
  if (visitor === undefined || given.method !== 'form') return given;
  const at = now.toISOString();
  return { ...given, ip: given.ip ?? visitor, given_at: given.given_at > at ? at : given.given_at };
}

/** Undefined for a missing or empty one. */
function valueOf({ mapping }: Pick<Source, 'mapping'>, values: Values, name: IntakeField): unknown {
  const value = values.get(mapping[name] ?? name) ?? undefined;
  return value === '' ? undefined : value;
}

interface PostedConsent {
  readonly consent?: object;
  /** The name that the source gives to a field of it. */
  readonly nameOf: (field: string) => string;
  readonly wrong?: Readonly<Record<string, string>>;
}

/**
 * Either one object, or each field on its own, by the source's names and with its defaults, which alone make no consent. Any
 * other value of `consent`, such as that of a tick box, is an unknown field.
 */
function consentOf(source: Reading, values: Values): PostedConsent {
  const { mapping, defaults } = source;
  const whole = values.get('consent');
  const posted = new Map(
    CONSENT_FIELDS.map((name) => [name, valueOf(source, values, consentIntakeField(name))]),
  );
  const isPosted = (name: ConsentField) => posted.get(name) !== undefined;
  const isFlat = CONSENT_FIELDS.some(isPosted);
  if (typeof whole === 'object' && whole !== null && !Array.isArray(whole))
    return {
      consent: whole,
      nameOf: (field) => `consent.${field}`,
      ...(isFlat && { wrong: { consent: 'Send a consent either as one object or as single fields' } }),
    };
  if (Array.isArray(whole) && whole.some((one) => typeof one === 'object'))
    return { nameOf: (field) => `consent.${field}`, wrong: { consent: 'Object expected' } };
  const nameOf = (field: string) => {
    const known = CONSENT_FIELDS.find((one) => one === field);
    return (known && mapping[consentIntakeField(known)]) ?? `consent_${field}`;
  };
  if (!isFlat) return { nameOf };
  // A wording that is sent replaces a default for the other way to name it.
  const isWordingPosted = isPosted('text') || isPosted('text_id');
  const fields = CONSENT_FIELDS.map((name) => {
    const isReplaced = isWordingPosted && (name === 'text' || name === 'text_id');
    return [name, posted.get(name) ?? (isReplaced ? undefined : defaults[consentIntakeField(name)])] as const;
  });
  return { consent: Object.fromEntries(fields), nameOf };
}

const renamed = (fields: Readonly<Record<string, string>>, nameOf: PostedConsent['nameOf']) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [nameOf(name), text]));

/** Characters of an invalid ID that the answer repeats. */
const MAX_SHOWN = 200;

/** Deeper values are compared as they were sent, because very deep nesting would overflow the stack. */
const SORTED_LEVELS = 20;

/** Independent of the order of the fields of objects, nested ones included, and of whether a number was sent as text. */
function canonical(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return String(value);
  if (levels === 0) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((one) => canonical(one, levels - 1));
  return Object.entries(value)
    .map(([name, one]): [string, unknown] => [name, canonical(one, levels - 1)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Serialised once as a whole, because JSON text within JSON text would double with every level. */
const contentOf = (values: ReadonlyMap<string, unknown>): string =>
  JSON.stringify(canonical(Object.fromEntries(values), SORTED_LEVELS));

function fieldsOf(
  { mapping }: Pick<Source, 'mapping'>,
  error: z.core.$ZodError,
  nameOf: PostedConsent['nameOf'],
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const {
    path: [first, ...within],
    message,
  } of error.issues) {
    const known = LEAD_INTAKE_FIELDS.find((one) => one === first);
    const name = first === 'consent' ? nameOf(String(within[0])) : ((known && mapping[known]) ?? known);
    fields[name ?? 'external_id'] ??= message;
  }
  return fields;
}
