import type { Sent } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { SALUTATIONS, type Salutation } from '#shared/rules/constants';
import { parseGermanNumber } from '#shared/rules/formats';
import {
  type Field,
  isOptional,
  NUMBER_FIELDS,
  PERSON,
  PERSON_FIELDS,
  type PersonField,
  record,
  typedPerson,
} from '#shared/rules/lead-fields';
import { isEmailAddress } from '#shared/rules/validation';

export type LeadForm = Readonly<Record<PersonField, string>> & { readonly anrede: Salutation };

export type StoredLead = Pick<ViewedLead, PersonField>;

export type LeadFormErrors = Partial<Record<PersonField, string>>;

export function formOf(lead: StoredLead): LeadForm {
  return {
    ...typedPerson(lead),
    anrede: salutationOf(lead.anrede),
  };
}

export function salutationOf(text: string): Salutation {
  return SALUTATIONS.find((salutation) => salutation === text) ?? 'Herr';
}

/** Sends the previous values too, so that the server notices edits by others. @param before when the form was opened */
export function readLeadForm(
  form: LeadForm,
  before: StoredLead,
):
  | { readonly ok: true; readonly body: Sent<'updateLead', 'body'> }
  | { readonly ok: false; readonly errors: LeadFormErrors } {
  const errors: LeadFormErrors = {};
  for (const name of PERSON_FIELDS) {
    const problem = problemOf(PERSON[name], form[name].trim());
    if (problem !== undefined) errors[name] = problem;
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const shown = formOf(before);
  const changed = PERSON_FIELDS.filter((name) => form[name] !== shown[name]);
  const was = { ...before, anrede: shown.anrede };
  const now = { ...form, ...record(NUMBER_FIELDS, (name) => parseGermanNumber(form[name]) ?? 0) };
  return { ok: true, body: { ...only(now, changed), expected: only(was, changed) } };
}

const REQUIRED = 'Bitte ausfüllen';
const OTHER = 'Bitte diese Angabe kürzen oder korrigieren';
const REFUSED = {
  choice: OTHER,
  line: OTHER,
  email: 'Bitte eine gültige E-Mail-Adresse eingeben',
  phone: OTHER,
  euro: 'Bitte einen Betrag eingeben, zum Beispiel 25.000,00',
  months: 'Bitte eine ganze Zahl von Monaten eingeben',
} satisfies Record<Field['kind'], string>;

function problemOf(of: Field, text: string): string | undefined {
  if (of.kind === 'euro') return (parseGermanNumber(text) ?? -1) < 0 ? REFUSED.euro : undefined;
  if (of.kind === 'months') return /^\d{1,4}$/.test(text) ? undefined : REFUSED.months;
  if (text === '') return isOptional(of) ? undefined : REQUIRED;
  return of.kind === 'email' && !isEmailAddress(text) ? REFUSED.email : undefined;
}

export function only<T extends object>(values: T, names: readonly string[]): Partial<T> {
  const some: Partial<T> = { ...values };
  for (const name in some) if (!names.includes(name)) delete some[name];
  return some;
}

/** In German. @param fields the server's English texts */
export function refusedFields(fields: Readonly<Record<string, string>>): LeadFormErrors {
  return record(
    PERSON_FIELDS.filter((name) => name in fields),
    (name) => REFUSED[PERSON[name].kind],
  );
}
