/** Macros of the HTTP channel, such as `$$telefon:e164$$`. */
import { formatDateTime } from '#shared/rules/formats';
import { NUMBER_FIELDS } from '#shared/rules/lead-fields';
import { LEAD_MACROS } from '#shared/rules/macros';

export interface RequestLead {
  /** Amount in euro with a decimal point, term in months. */
  readonly texts: Readonly<Record<(typeof LEAD_MACROS)[number], string>>;
  /** As `internationalPhone` and `nationalPhone` write it. */
  readonly phone: { readonly international: string; readonly national: string };
  readonly cents: number;
  readonly receivedAt: Date;
}

/** `date`: when the lead arrived. */
const REQUEST_MACROS = [...LEAD_MACROS, 'date', 'secret', 'secret2'] as const;
export type RequestMacro = (typeof REQUEST_MACROS)[number];

const TIMES = ['iso', 'german', 'unix'] as const;
export const FORMATS: Readonly<Partial<Record<RequestMacro, readonly string[]>>> = {
  anrede: ['gender', 'english'],
  telefon: ['e164', 'national', 'digits'],
  anlagebetrag: ['integer', 'decimal', 'comma', 'cents'],
  date: TIMES,
  consent_given_at: TIMES,
  consent_confirmed_at: TIMES,
};
export const KNOWN_MACROS: readonly string[] = REQUEST_MACROS.flatMap((name) => [
  name,
  ...(FORMATS[name] ?? []).map((format) => `${name}:${format}`),
]);
/** Numbers in JSON if they are not in quotation marks. */
const NUMERIC: ReadonlySet<string> = new Set([
  ...NUMBER_FIELDS,
  'anlagebetrag:integer',
  'anlagebetrag:decimal',
  'anlagebetrag:cents',
  'order_id',
  'lead_sequence',
  'date:unix',
  'consent_given_at:unix',
  'consent_confirmed_at:unix',
]);
export const isNumeric = (macro: string) => NUMERIC.has(macro);

export type RequestValues = Readonly<Record<string, string>>;

/** @param iso may be empty */
const timeValues = (name: RequestMacro, iso: string): RequestValues =>
  iso === ''
    ? {}
    : {
        [name]: iso,
        [`${name}:iso`]: iso,
        [`${name}:german`]: formatDateTime(new Date(iso)).replace(',', ''),
        [`${name}:unix`]: String(Math.floor(Date.parse(iso) / 1000)),
      };

export function requestValues(
  lead: RequestLead,
  secrets: { readonly secret: string; readonly secret2: string },
): RequestValues {
  const { texts, phone, cents, receivedAt } = lead;
  const isMale = texts.anrede === 'Herr';
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
    ...timeValues('date', receivedAt.toISOString()),
    ...timeValues('consent_given_at', texts.consent_given_at),
    ...timeValues('consent_confirmed_at', texts.consent_confirmed_at),
    ...secrets,
  };
}

/** For made-up leads. */
export const EXAMPLE_DELIVERY = { order_id: 12, sequence: 3 };

/** For previews. The Bundesnetzagentur reserves this phone number for fiction. */
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
    consent_given_at: '2026-01-05T09:28:00.000Z',
    consent_method: 'double_opt_in',
    consent_channels: 'phone,email',
    consent_text: 'Ich bin einverstanden, dass mich Muster GmbH anruft.',
    consent_page_url: 'https://example.org/anfrage',
    consent_confirmed_at: '2026-01-05T09:29:30.000Z',
    consent_proof_url: 'https://example.org/nachweis/1',
  },
  phone: { international: '+493023125123', national: '03023125123' },
  cents: 2_500_050,
  receivedAt: new Date('2026-01-05T09:30:00.000Z'),
};

const MACRO = /\$\$([A-Za-z_]\w*(?::\w+)?)\$\$/g;

export const macrosIn = (text: string): string[] => Array.from(text.matchAll(MACRO), ([, name = '']) => name);

/** Lone surrogates have no bytes in any encoding. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** In one pass; a macro without a value becomes empty. */
export function fillRequest(
  text: string,
  values: RequestValues,
  encode: (value: string, macro: string) => string = (value) => value,
): string {
  return text.replace(MACRO, (_, name: string) =>
    encode(wellFormed(Object.hasOwn(values, name) ? (values[name] ?? '') : ''), name),
  );
}

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
