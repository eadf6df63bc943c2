/** A lead's fields between the wire (euro) and the table (cents). */
import { euro, hundredths } from '#functions/api/common/hundredths';
import type { Person } from '#functions/data/leads/lead';
import type { Parsed } from '#shared/contract/schemas';

type Edit = Parsed<'updateLead', 'body'>;

/** The whole person of a new lead. */
export function personOf(body: Parsed<'createLead', 'body'>): Person {
  const { anrede, vorname, nachname, email, telefon, anlagebetrag, laufzeit, clickId, src } = body;
  return {
    anrede,
    vorname,
    nachname,
    email,
    telefon,
    anlagebetrag: hundredths(anlagebetrag),
    laufzeit,
    ...(clickId !== undefined && { clickId }),
    ...(src !== undefined && { src }),
  };
}

/** Only the fields that an edit carries. */
export function editOf(body: Edit): Partial<Person> {
  const { anlagebetrag, ...rest } = body;
  const person: Partial<Person> = {};
  const set = <K extends keyof Person>(name: K, value: Person[K] | undefined) => {
    if (value !== undefined) person[name] = value;
  };
  set('anrede', rest.anrede);
  set('vorname', rest.vorname);
  set('nachname', rest.nachname);
  set('email', rest.email);
  set('telefon', rest.telefon);
  set('laufzeit', rest.laufzeit);
  set('clickId', rest.clickId);
  set('src', rest.src);
  set('anlagebetrag', hundredths(anlagebetrag));
  return person;
}

/** What a person told us, in an answer. */
export function personRow(person: Person) {
  return {
    anrede: person.anrede,
    vorname: person.vorname,
    nachname: person.nachname,
    email: person.email,
    telefon: person.telefon,
    anlagebetrag: euro(person.anlagebetrag),
    laufzeit: person.laufzeit,
  };
}
