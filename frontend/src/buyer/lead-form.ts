import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { SALUTATIONS, type Salutation } from '#shared/rules/constants';
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress } from '#shared/rules/validation';
import { de } from './messages';

/** The form of a lead as it is typed. */
export interface LeadForm {
  readonly anrede: Salutation;
  readonly vorname: string;
  readonly nachname: string;
  readonly email: string;
  readonly telefon: string;
  readonly anlagebetrag: string;
  readonly laufzeit: string;
}

/** What is stored of a lead that the form can change. */
export type StoredLead = Pick<ViewedLead, keyof LeadForm>;

export type LeadFormErrors = Partial<Record<keyof LeadForm, string>>;

export function formOf(lead: StoredLead): LeadForm {
  return {
    anrede: salutationOf(lead.anrede),
    vorname: lead.vorname,
    nachname: lead.nachname,
    email: lead.email,
    telefon: lead.telefon,
    anlagebetrag: formatNumber(lead.anlagebetrag),
    laufzeit: String(lead.laufzeit),
  };
}

export function salutationOf(text: string): Salutation {
  return SALUTATIONS.find((salutation) => salutation === text) ?? 'Herr';
}

/**
 * The changed fields with the values that they had before, by which the server sees whether somebody else changed them
 * meanwhile; or a text for every field that cannot be sent. A comma is the decimal mark of the amount.
 * @param before as it was when the form was opened
 */
export function readLeadForm(
  form: LeadForm,
  before: StoredLead,
):
  | { readonly ok: true; readonly body: Sent<'updateLead', 'body'> }
  | { readonly ok: false; readonly errors: LeadFormErrors } {
  const errors: { -readonly [Field in keyof LeadFormErrors]: LeadFormErrors[Field] } = {};
  for (const field of ['vorname', 'nachname', 'email', 'telefon'] as const) {
    if (form[field].trim() === '') errors[field] = de.admin.invalid.required;
  }
  if (errors.email === undefined && !isEmailAddress(form.email.trim())) errors.email = de.admin.invalid.email;
  const anlagebetrag = parseGermanNumber(form.anlagebetrag);
  if (anlagebetrag === undefined || anlagebetrag < 0) errors.anlagebetrag = de.admin.invalid.amount;
  if (!/^\s*\d{1,4}\s*$/.test(form.laufzeit)) errors.laufzeit = de.admin.invalid.term;
  if (anlagebetrag === undefined || Object.keys(errors).length > 0) return { ok: false, errors };
  const shown = formOf(before);
  const changed = LEAD_FORM_FIELDS.filter((field) => form[field] !== shown[field]);
  const was = { ...before, anrede: shown.anrede };
  const now = { ...form, anlagebetrag, laufzeit: Number(form.laufzeit) };
  return { ok: true, body: { ...only(now, changed), seen: only(was, changed) } };
}

export const LEAD_FORM_FIELDS = [
  'anrede',
  'vorname',
  'nachname',
  'email',
  'telefon',
  'anlagebetrag',
  'laufzeit',
] as const;

/** @returns some fields of an object */
export function only<T extends object>(values: T, names: readonly string[]): Partial<T> {
  const some: Partial<T> = { ...values };
  for (const name in some) if (!names.includes(name)) delete some[name];
  return some;
}

/** In German what the server refuses in English. @param fields its texts, by field */
export function refusedFields(fields: Readonly<Record<string, string>>): LeadFormErrors {
  const text = de.admin.invalid;
  const texts = { email: text.email, anlagebetrag: text.amount, laufzeit: text.term };
  const others = { anrede: text.text, vorname: text.text, nachname: text.text, telefon: text.text };
  return Object.fromEntries(Object.entries({ ...texts, ...others }).filter(([field]) => field in fields));
}
