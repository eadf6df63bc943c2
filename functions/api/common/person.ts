/** A lead's fields between the API (amounts in euro) and the table (in cents). */
import { euro, hundredths } from '#functions/api/common/hundredths';
import type { Lead, Person, PersonEdit } from '#functions/data/leads/lead';
import type { LeadPerson, LeadRow } from '#shared/contract/rows/lead-person';
import type { Parsed } from '#shared/contract/schemas';
import { ERASED_NAME } from '#shared/rules/constants';
import {
  EURO_FIELDS,
  isNumber,
  isOptional,
  LEAD,
  LEAD_FIELDS,
  type LeadField,
  PERSON_FIELDS,
} from '#shared/rules/lead-fields';

type Body = Parsed<'createLead', 'body'>;
/** Sources do not say where their leads come from. */
type Posted = Omit<Body, 'src' | 'buyer_id'> & Partial<Pick<Body, 'src'>>;
type Values = { readonly [Name in LeadField]?: unknown };

const storedForm = (body: Values) =>
  LEAD_FIELDS.flatMap((name) => {
    const value = body[name];
    if (value === undefined) return [];
    return [[name, typeof value === 'number' && EURO_FIELDS.has(name) ? hundredths(value) : value]];
  });

export function personOf(body: Posted): Person;
export function personOf(body: Values): object {
  return Object.fromEntries(storedForm(body).filter(([, value]) => value !== null));
}

/** Fields that the request does not contain stay absent. */
export function editOf(body: Parsed<'updateLead', 'body'>): PersonEdit;
export function editOf(body: Values): object {
  return Object.fromEntries(storedForm(body));
}

function shown(name: LeadField, person: Partial<Person>) {
  const of = LEAD[name];
  const value = person[name] ?? (isOptional(of) ? null : isNumber(of) ? 0 : '');
  return typeof value === 'number' && EURO_FIELDS.has(name) ? euro(value) : value;
}

type Shown = Partial<Person> & Pick<Lead, 'erased_at'>;

/** An erased person is shown as such, in this language. */
export function personRow(person: Shown, language: keyof typeof ERASED_NAME): LeadPerson;
export function personRow(person: Shown, language: keyof typeof ERASED_NAME): object {
  return {
    ...Object.fromEntries(PERSON_FIELDS.map((name) => [name, shown(name, person)])),
    ...(person.erased_at !== undefined && { anrede: '', nachname: ERASED_NAME[language] }),
  };
}

export function leadRow(lead: Shown): LeadRow;
export function leadRow(lead: Shown): object {
  return {
    ...Object.fromEntries(LEAD_FIELDS.map((name) => [name, shown(name, lead)])),
    ...personRow(lead, 'en'),
  };
}
