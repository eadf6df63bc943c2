/**
 * The macros of requests that an admin writes, such as `$$telefon:e164$$`: the values of a lead, each in the formats that
 * partners ask for.
 */
import { formatDateTime } from '#shared/rules/formats';
import { NUMBER_FIELDS } from '#shared/rules/lead-fields';
import { LEAD_MACROS } from '#shared/rules/macros';

/** What a request can say of a lead. */
export interface RequestLead {
  /** The values as mappings have them: the amount in euro with a decimal point, the term in months. */
  readonly texts: Readonly<Record<(typeof LEAD_MACROS)[number], string>>;
  /** The telephone number as `internationalPhone` and `nationalPhone` write it. */
  readonly phone: { readonly international: string; readonly national: string };
  readonly cents: number;
  readonly receivedAt: Date;
}

/** Besides those of a lead: when it came in, and the two secrets of the channel. */
const REQUEST_MACROS = [...LEAD_MACROS, 'date', 'secret', 'secret2'] as const;
export type RequestMacro = (typeof REQUEST_MACROS)[number];

/** What may stand behind a macro and a colon. */
export const FORMATS: Readonly<Partial<Record<RequestMacro, readonly string[]>>> = {
  anrede: ['gender', 'english'],
  telefon: ['e164', 'national', 'digits'],
  anlagebetrag: ['integer', 'decimal', 'comma', 'cents'],
  date: ['iso', 'german', 'unix'],
};
/** All that may stand between `$$` and `$$`. */
export const KNOWN_MACROS: readonly string[] = REQUEST_MACROS.flatMap((name) => [
  name,
  ...(FORMATS[name] ?? []).map((format) => `${name}:${format}`),
]);
/** Numbers where they stand in JSON without quotation marks. */
const NUMERIC: ReadonlySet<string> = new Set([
  ...NUMBER_FIELDS,
  'anlagebetrag:integer',
  'anlagebetrag:decimal',
  'anlagebetrag:cents',
  'order_id',
  'lead_sequence',
  'date:unix',
]);
export const isNumeric = (macro: string) => NUMERIC.has(macro);

export type RequestValues = Readonly<Record<string, string>>;

/** The value of every macro, by what stands between its `$$`. */
export function requestValues(
  lead: RequestLead,
  secrets: { readonly secret: string; readonly secret2: string },
): RequestValues {
  const { texts, phone, cents, receivedAt } = lead;
  const isMale = texts.anrede === 'Herr';
  const iso = receivedAt.toISOString();
  return {
    ...texts,
    'anrede:gender': isMale ? 'm' : 'f',
    'anrede:english': isMale ? 'Mr' : 'Ms',
    'telefon:e164': phone.international,
    'telefon:national': phone.national,
    'telefon:digits': phone.international.replace(/\D/g, ''),
    'anlagebetrag:integer': String(Math.round(cents / 100)),
    'anlagebetrag:decimal': (cents / 100).toFixed(2),
    'anlagebetrag:comma': (cents / 100).toFixed(2).replace('.', ','),
    'anlagebetrag:cents': String(cents),
    date: iso,
    'date:iso': iso,
    'date:german': formatDateTime(receivedAt).replace(',', ''),
    'date:unix': String(Math.floor(receivedAt.getTime() / 1000)),
    ...secrets,
  };
}

/** Where made-up leads stand. */
export const EXAMPLE_DELIVERY = { order_id: 12, sequence: 3 };

/** A person whom nobody is, for previews; the Bundesnetzagentur reserves the phone number for use in fiction. */
export const EXAMPLE_LEAD: RequestLead = {
  texts: {
    anrede: 'Frau',
    vorname: 'Erika',
    nachname: 'Muster-O’Neill',
    email: 'erika@example.org',
    telefon: '030 23125123',
    anlagebetrag: '25000.5',
    laufzeit: '36',
    src: 'landing-page',
    clickId: 'click-1',
    lead_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    order_lead_id: `${EXAMPLE_DELIVERY.order_id}-${EXAMPLE_DELIVERY.sequence}`,
    order_id: String(EXAMPLE_DELIVERY.order_id),
    lead_sequence: String(EXAMPLE_DELIVERY.sequence),
  },
  phone: { international: '+493023125123', national: '03023125123' },
  cents: 2_500_050,
  receivedAt: new Date('2026-01-05T09:30:00.000Z'),
};

const MACRO = /\$\$([A-Za-z_]\w*(?::\w+)?)\$\$/g;

/** Every macro of a text, known or not. */
export const macrosIn = (text: string): string[] => Array.from(text.matchAll(MACRO), ([, name = '']) => name);

/** Without halves of surrogate pairs, which no encoding has bytes for. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Replaces every macro in one pass; one without a value becomes empty. */
export function fillRequest(
  text: string,
  values: RequestValues,
  encode: (value: string, macro: string) => string = (value) => value,
): string {
  return text.replace(MACRO, (_, name: string) =>
    encode(wellFormed(Object.hasOwn(values, name) ? (values[name] ?? '') : ''), name),
  );
}

/** What is wrong with the macros of a text, in one sentence; undefined: nothing. */
export function macroProblem(text: string): string | undefined {
  const unknown = macrosIn(text).find((name) => !KNOWN_MACROS.includes(name));
  if (unknown === undefined)
    return text.replace(MACRO, ' ').includes('$$')
      ? 'A $$ belongs to no macro. A macro looks like $$email$$, without spaces or hyphens'
      : undefined;
  const [name = '', format] = unknown.split(':');
  const known = REQUEST_MACROS.find((macro) => macro === name);
  if (known === undefined) return `Unknown macro $$${unknown}$$. Available: ${REQUEST_MACROS.join(', ')}`;
  const formats = FORMATS[known];
  return formats === undefined
    ? `$$${known}$$ has no formats`
    : `$$${known}$$ has no format ${format}. Available: ${formats.join(', ')}`;
}
