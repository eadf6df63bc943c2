/**
 * The fields of a lead that sources post, buyers get and admins edit. Each is declared here once, as plain data: schemas, forms,
 * files, macros and labels derive from it (docs/adr/0059-one-declaration-per-field-of-a-lead.md). What one place alone says of
 * fields is a record over their names in that place.
 */
import { SALUTATIONS } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';

/** The kind decides how a field is checked, stored, typed and shown. */
export type Field = { readonly label: { readonly en: string; readonly de: string } } & (
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** One line of text. */
  | { readonly kind: 'line'; readonly max: number; readonly optional?: true }
  /** Euro in requests and answers, cents in the table; months are whole. */
  | { readonly kind: 'email' | 'phone' | 'euro' | 'months' }
);
export type Fields = Readonly<Record<string, Field>>;

/** What is known of the person: buyers get it, sources post it and every form asks for it. */
export const PERSON = {
  anrede: { kind: 'choice', options: SALUTATIONS, label: { en: 'Salutation', de: 'Anrede' } },
  vorname: { kind: 'line', max: 100, label: { en: 'First name', de: 'Vorname' } },
  nachname: { kind: 'line', max: 100, label: { en: 'Last name', de: 'Nachname' } },
  email: { kind: 'email', label: { en: 'Email', de: 'E-Mail' } },
  telefon: { kind: 'phone', label: { en: 'Phone', de: 'Telefon' } },
  anlagebetrag: { kind: 'euro', label: { en: 'Investment amount', de: 'Anlagebetrag' } },
  laufzeit: { kind: 'months', label: { en: 'Term', de: 'Laufzeit' } },
} as const satisfies Fields;

/** Where the lead came from, which buyers do not see. */
export const ORIGIN = {
  clickId: { kind: 'line', max: 200, optional: true, label: { en: 'Click ID', de: 'Kennung des Klicks' } },
  src: { kind: 'line', max: 200, optional: true, label: { en: 'Source', de: 'Herkunft' } },
} as const satisfies Fields;

export const LEAD = { ...PERSON, ...ORIGIN };

export type PersonField = keyof typeof PERSON;
export type LeadField = keyof typeof LEAD;

function namesOf<Of extends Fields>(fields: Of): readonly (keyof Of & string)[];
function namesOf(fields: Fields): readonly string[] {
  return Object.keys(fields);
}
export const PERSON_FIELDS = /* @__PURE__ */ namesOf(PERSON);
export const ORIGIN_FIELDS = /* @__PURE__ */ namesOf(ORIGIN);
export const LEAD_FIELDS = /* @__PURE__ */ namesOf(LEAD);

/** What a source sends, under these names or its own. */
export const INTAKE_FIELDS = ['external_id', ...PERSON_FIELDS, 'clickId'] as const;
export type IntakeField = (typeof INTAKE_FIELDS)[number];

export const isOptional = (of: Field) => of.kind === 'line' && of.optional === true;
export const isNumber = ({ kind }: Field) => kind === 'euro' || kind === 'months';
type NumberField = {
  [Name in PersonField]: (typeof PERSON)[Name]['kind'] extends 'euro' | 'months' ? Name : never;
}[PersonField];
export const NUMBER_FIELDS = /* @__PURE__ */ PERSON_FIELDS.filter((name): name is NumberField =>
  isNumber(PERSON[name]),
);
/** Stored in cents. */
export const EURO_FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  LEAD_FIELDS.filter((name) => LEAD[name].kind === 'euro'),
);

export const MAX_CHARACTERS = { email: 254, phone: 50 } as const;

/** What an input of HTML says of a field. */
export function inputAttributes(of: Field): {
  readonly type?: 'email' | 'tel';
  readonly maxLength?: number;
  readonly inputMode?: 'decimal' | 'numeric';
} {
  switch (of.kind) {
    case 'choice':
      return {};
    case 'line':
      return { maxLength: of.max };
    case 'email':
      return { type: 'email', maxLength: MAX_CHARACTERS.email };
    case 'phone':
      return { type: 'tel', maxLength: MAX_CHARACTERS.phone };
    case 'euro':
      return { inputMode: 'decimal' };
    case 'months':
      return { inputMode: 'numeric' };
  }
}

const UNITS = {
  en: { euro: ' (€)', months: ' (months)' },
  de: { euro: ' (€)', months: ' (Monate)' },
} as const;

/** What a field is called where its value stands without a unit: `Term (months)`. */
export function labelOf(name: LeadField, language: keyof typeof UNITS): string {
  const { kind, label }: Field = LEAD[name];
  return `${label[language]}${kind === 'euro' || kind === 'months' ? UNITS[language][kind] : ''}`;
}

/** A value for each name. */
export function record<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value>;
export function record(names: readonly string[], make: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

/** What a form shows of a person, as texts that can be typed. */
export const typedPerson = (person: Readonly<Record<PersonField, string | number | null>>) =>
  record(PERSON_FIELDS, (name) => {
    const value = person[name];
    return typeof value === 'number' && EURO_FIELDS.has(name) ? formatNumber(value) : String(value ?? '');
  });
