import { SALUTATIONS } from '#shared/rules/constants';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { parseGermanNumber } from '#shared/rules/formats';
import {
  isNumber,
  isOptional,
  PERSON,
  PERSON_FIELDS,
  type PersonField,
  record,
} from '#shared/rules/lead-fields';
import { isEmailAddress } from '#shared/rules/validation';
import { INVALID } from '../invalid-texts';
import { sanitise } from '../ui/form';

/** Values of a lead form; amounts as typed. */
export type LeadValues = Record<PersonField, string>;
type Errors = Partial<LeadValues>;

/** One text per field of the edit forms that cannot be saved. */
export function validateLead(values: LeadValues): Errors {
  const errors = requiredTexts(values);
  for (const name of PERSON_FIELDS) {
    const { kind } = PERSON[name];
    const amount = parseGermanNumber(values[name]);
    if (kind === 'euro' && amount === undefined) errors[name] = INVALID.number;
    else if (kind === 'euro' && Number(amount) < 0) errors[name] = INVALID.amount;
    if (kind === 'months' && !/^\d+$/.test(values[name].trim())) errors[name] = INVALID.wholeNumber;
  }
  return errors;
}

/** The texts that every lead needs, and the format of its e-mail address. */
export function requiredTexts(values: LeadValues): Errors {
  const errors: Errors = {};
  for (const name of PERSON_FIELDS)
    if (!isNumber(PERSON[name]) && !isOptional(PERSON[name]) && sanitise(values[name]) === '')
      errors[name] = INVALID.required(LEAD_LABELS[name]);
  if (errors.email === undefined && !isEmailAddress(values.email.trim())) errors.email = INVALID.email;
  return errors;
}

/** The lead as a request. */
export const leadChangeOf = (values: LeadValues) => ({
  ...record(PERSON_FIELDS, (name) => sanitise(values[name])),
  anrede: SALUTATIONS.find((salutation) => salutation === values.anrede) ?? SALUTATIONS[0],
});
