import { SALUTATIONS, type Salutation } from '#shared/contract/constants';
import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
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

export type LeadFormErrors = Partial<Record<keyof LeadForm, string>>;

export function formOf(lead: ViewedLead): LeadForm {
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

/** The change to send, or a text for every field that cannot be sent. A comma is the decimal mark of the amount. */
export function readLeadForm(
  form: LeadForm,
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
  return { ok: true, body: { ...form, anlagebetrag, laufzeit: Number(form.laufzeit) } };
}

/** In German what the server refuses in English. @param fields its texts, by field */
export function refusedFields(fields: Readonly<Record<string, string>>): LeadFormErrors {
  const text = de.admin.invalid;
  const texts = { email: text.email, anlagebetrag: text.amount, laufzeit: text.term };
  const others = { anrede: text.text, vorname: text.text, nachname: text.text, telefon: text.text };
  return Object.fromEntries(Object.entries({ ...texts, ...others }).filter(([field]) => field in fields));
}
