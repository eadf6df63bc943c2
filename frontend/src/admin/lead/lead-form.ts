import { SALUTATIONS } from '#shared/rules/constants';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress } from '#shared/rules/validation';
import { INVALID } from '../invalid-texts';
import { sanitise } from '../ui/form';

/** What a form about a lead holds; amounts as people type them. */
export interface LeadValues {
  anrede: string;
  vorname: string;
  nachname: string;
  email: string;
  telefon: string;
  anlagebetrag: string;
  laufzeit: string;
}

interface Person {
  readonly anrede: string;
  readonly vorname: string;
  readonly nachname: string;
  readonly email: string;
  readonly telefon: string;
  readonly anlagebetrag: number;
  readonly laufzeit: number;
}

export function leadValuesOf(lead: Person): LeadValues {
  return {
    anrede: lead.anrede,
    vorname: lead.vorname,
    nachname: lead.nachname,
    email: lead.email,
    telefon: lead.telefon,
    anlagebetrag: formatNumber(lead.anlagebetrag),
    laufzeit: String(lead.laufzeit),
  };
}

/** One text per field of the edit forms that cannot be saved. */
export function validateLead(values: LeadValues): Partial<Record<keyof LeadValues, string>> {
  const errors = requiredTexts(values);
  const amount = parseGermanNumber(values.anlagebetrag);
  if (amount === undefined) errors.anlagebetrag = INVALID.number;
  else if (amount < 0) errors.anlagebetrag = INVALID.amount;
  if (!/^\d+$/.test(values.laufzeit.trim())) errors.laufzeit = INVALID.wholeNumber;
  return errors;
}

/** The texts that every lead needs, and the form of its e-mail address. */
export function requiredTexts(values: LeadValues): Partial<Record<keyof LeadValues, string>> {
  const errors: Partial<Record<keyof LeadValues, string>> = {};
  for (const name of ['anrede', 'vorname', 'nachname', 'email', 'telefon'] as const)
    if (sanitise(values[name]) === '') errors[name] = INVALID.required(LEAD_LABELS[name]);
  if (errors.email === undefined && !isEmailAddress(values.email.trim())) errors.email = INVALID.email;
  return errors;
}

/** The texts of a lead as they go to the server. */
export function sanitisedTexts(values: LeadValues) {
  return {
    anrede: SALUTATIONS.find((salutation) => salutation === values.anrede) ?? SALUTATIONS[0],
    vorname: sanitise(values.vorname),
    nachname: sanitise(values.nachname),
    email: sanitise(values.email),
    telefon: sanitise(values.telefon),
  };
}

/** The changed lead as it goes to the server. */
export function leadChangeOf(values: LeadValues) {
  return {
    ...sanitisedTexts(values),
    anlagebetrag: values.anlagebetrag.trim(),
    laufzeit: values.laufzeit.trim(),
  };
}
