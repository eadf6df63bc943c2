/** Reads what a source posts, by its field names and defaults. */
import type * as z from 'zod/mini';
import { personOf } from '#functions/api/common/person';
import { formFieldsOf } from '#functions/api/intake/visitors';
import type { Source } from '#functions/data/sources/source';
import { type GivenConsent, readConsent } from '#functions/domain/distribution/consent';
import type { PostedLead } from '#functions/domain/sources/intake';
import { inPlainWords } from '#functions/http/errors';
import { intakeLead } from '#shared/contract/schemas/intake';
import { INTAKE_FIELDS } from '#shared/rules/lead-fields';
import { SHOWN_FIELD } from '#shared/rules/ready-form';

/** `fields` by the source's names. */
export interface Unreadable {
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

export type Read =
  | { readonly posted: PostedLead }
  | { readonly unreadable: Unreadable }
  /** By a program that filled the field which people do not see. */
  | { readonly trapped: string | null };

type Reading = Pick<Source, 'mapping' | 'defaults' | 'consent_texts'>;

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
  const given = INTAKE_FIELDS.flatMap((name): [string, unknown][] => {
    const value = values.get(source.mapping[name] ?? name);
    const isMissing = value === undefined || value === null || value === '';
    const chosen = isMissing ? source.defaults[name] : value;
    return chosen === undefined ? [] : [[name, chosen]];
  });
  const parsed = intakeLead.safeParse(
    { ...Object.fromEntries(given), consent: values.get('consent') ?? undefined },
    { error: inPlainWords },
  );
  if (parsed.success) {
    const { consent, ...data } = parsed.data;
    const read = consent && readConsent(ofVisitor(consent, now, visitor), source.consent_texts, now);
    if (read !== undefined && 'wrong' in read)
      return { unreadable: { external_id: data.external_id, fields: withPath('consent', read.wrong) } };
    const posted = { external_id: data.external_id, person: personOf(data), content: contentOf(values) };
    return { posted: { ...posted, consent: read?.accepted } };
  }
  const [, externalId] = given.find(([name]) => name === 'external_id') ?? [];
  return { unreadable: { external_id: shownId(externalId), fields: fieldsOf(source, parsed.error) } };
}

const shownId = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, MAX_SHOWN) : null;

/** The server knows a visitor's address, and its own clock better than the visitor's. */
function ofVisitor<Given extends GivenConsent>(given: Given, now: Date, visitor?: string): Given {
  if (visitor === undefined || given.method !== 'form') return given;
  const at = now.toISOString();
  return { ...given, ip: given.ip ?? visitor, given_at: given.given_at > at ? at : given.given_at };
}

const withPath = (path: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${path}.${name}`, text]));

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

function fieldsOf({ mapping }: Pick<Source, 'mapping'>, error: z.core.$ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    if (path[0] === 'consent') {
      fields[path.join('.')] ??= message;
      continue;
    }
    const name = INTAKE_FIELDS.find((one) => one === path[0]);
    fields[(name && mapping[name]) ?? name ?? 'external_id'] ??= message;
  }
  return fields;
}
