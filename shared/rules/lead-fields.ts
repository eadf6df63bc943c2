/**
 * The one declaration of the fields of a lead, from which schemas, forms, files, macros and labels derive
 * (docs/adr/0017-fields-as-data.md).
 */
import { CONSENT_FIELDS, type ConsentField } from '#shared/rules/consent';
import { SALUTATIONS } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';

export type Field = { readonly label: { readonly en: string; readonly de: string } } & (
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'line'; readonly max: number; readonly optional?: true }
  /** Euro in the API, cents in the table. */
  | { readonly kind: 'email' | 'phone' | 'euro' | 'months' }
);
export type Fields = Readonly<Record<string, Field>>;

/** Buyers get these, sources post them. */
export const PERSON = {
  anrede: { kind: 'choice', options: SALUTATIONS, label: { en: 'Salutation', de: 'Anrede' } },
  vorname: { kind: 'line', max: 100, label: { en: 'First name', de: 'Vorname' } },
  nachname: { kind: 'line', max: 100, label: { en: 'Last name', de: 'Nachname' } },
  email: { kind: 'email', label: { en: 'Email', de: 'E-Mail' } },
  telefon: { kind: 'phone', label: { en: 'Phone', de: 'Telefon' } },
  anlagebetrag: { kind: 'euro', label: { en: 'Investment amount', de: 'Anlagebetrag' } },
  laufzeit: { kind: 'months', label: { en: 'Term', de: 'Laufzeit' } },
} as const satisfies Fields;

/** Buyers do not see these. */
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

export const LEAD_INTAKE_FIELDS = ['external_id', ...PERSON_FIELDS, 'clickId'] as const;
export type LeadIntakeField = (typeof LEAD_INTAKE_FIELDS)[number];
export type ConsentIntakeField = `consent_${ConsentField}`;
export const consentIntakeField = (name: ConsentField): ConsentIntakeField => `consent_${name}`;
export const CONSENT_INTAKE_FIELDS = /* @__PURE__ */ CONSENT_FIELDS.map(consentIntakeField);
export const isOfConsent = (name: IntakeField): name is ConsentIntakeField => name.startsWith('consent_');
export const INTAKE_FIELDS = /* @__PURE__ */ [...LEAD_INTAKE_FIELDS, ...CONSENT_INTAKE_FIELDS] as const;
export type IntakeField = (typeof INTAKE_FIELDS)[number];

export const isOptional = (of: Field) => of.kind === 'line' && of.optional === true;
export const isNumber = ({ kind }: Field) => kind === 'euro' || kind === 'months';
type NumberField = {
  [Name in PersonField]: (typeof PERSON)[Name]['kind'] extends 'euro' | 'months' ? Name : never;
}[PersonField];
export const NUMBER_FIELDS = /* @__PURE__ */ PERSON_FIELDS.filter((name): name is NumberField =>
  isNumber(PERSON[name]),
);
export const EURO_FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  LEAD_FIELDS.filter((name) => LEAD[name].kind === 'euro'),
);

export const MAX_CHARACTERS = { email: 254, phone: 50 } as const;

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

/** With the unit: `Term (months)`. */
export function labelOf(name: LeadField, language: keyof typeof UNITS): string {
  const { kind, label }: Field = LEAD[name];
  return `${label[language]}${kind === 'euro' || kind === 'months' ? UNITS[language][kind] : ''}`;
}

export function record<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value>;
export function record(names: readonly string[], make: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

export const typedPerson = (person: Readonly<Record<PersonField, string | number | null>>) =>
  record(PERSON_FIELDS, (name) => {
    const value = person[name];
    return typeof value === 'number' && EURO_FIELDS.has(name) ? formatNumber(value) : String(value ?? '');
  });
