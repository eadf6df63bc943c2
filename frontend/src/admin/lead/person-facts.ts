import type { LeadPerson } from '#shared/contract/rows/lead-person';
import { formatEuroShort } from '#shared/rules/formats';
import { PERSON, PERSON_FIELDS, type PersonField } from '#shared/rules/lead-fields';
import { countOf } from '../ui/labels';

/** The fields that `nameOf` shows. */
const NAME = new Set<PersonField>(['anrede', 'vorname', 'nachname']);

/** The person's data except the name. */
export function personFacts(lead: LeadPerson): (readonly [label: string, value: string])[] {
  return PERSON_FIELDS.filter((name) => !NAME.has(name) && lead[name] !== null).map((name) => {
    const { kind, label } = PERSON[name];
    if (kind === 'euro') return [label.en, formatEuroShort(Number(lead[name]))];
    return [label.en, kind === 'months' ? countOf(Number(lead[name]), 'month') : String(lead[name])];
  });
}
