/** Reads what a source posts, by its field names and defaults. */
import type * as z from 'zod/mini';
import { personOf } from '#functions/api/common/person';
import type { Source } from '#functions/data/sources/source';
import { readConsent } from '#functions/domain/distribution/consent';
import type { PostedLead } from '#functions/domain/sources/intake';
import { inPlainWords } from '#functions/http/errors';
import { intakeLead } from '#shared/contract/schemas/intake';
import { INTAKE_FIELDS } from '#shared/rules/lead-fields';

/** `fields` by the source's names. */
export interface Unreadable {
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

export type Read = { readonly posted: PostedLead } | { readonly unreadable: Unreadable };

type Reading = Pick<Source, 'mapping' | 'defaults' | 'consent_texts'>;

export function readPosted(source: Reading, row: object, now: Date): Read {
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
    const read = consent && readConsent(consent, source.consent_texts, now);
    if (read !== undefined && 'wrong' in read)
      return { unreadable: { external_id: data.external_id, fields: withPath('consent', read.wrong) } };
    const posted = { external_id: data.external_id, person: personOf(data), content: contentOf(values) };
    return { posted: { ...posted, consent: read?.accepted } };
  }
  const [, externalId] = given.find(([name]) => name === 'external_id') ?? [];
  return {
    unreadable: {
      external_id: typeof externalId === 'string' ? externalId.slice(0, MAX_SHOWN) : null,
      fields: fieldsOf(source, parsed.error),
    },
  };
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
