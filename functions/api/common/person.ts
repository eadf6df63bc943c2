/** A person's data between the API (amounts in euro) and the table (amounts in cents). */
import { euro, hundredths } from '#functions/api/common/hundredths';
import type { Lead, Person, PersonEdit } from '#functions/data/leads/lead';
import type { Parsed } from '#shared/contract/schemas';
import { ERASED_NAME } from '#shared/rules/constants';

type Edit = Parsed<'updateLead', 'body'>;

type Body = Parsed<'createLead', 'body'>;
/** Sources do not say where their leads come from. */
type Posted = Omit<Body, 'src' | 'buyer_id'> & Partial<Pick<Body, 'src'>>;

/** The person of a new lead, as stored. */
export function personOf(body: Posted): Person {
  const { anrede, vorname, nachname, email, telefon, anlagebetrag, laufzeit, clickId, src } = body;
  return {
    anrede,
    vorname,
    nachname,
    email,
    telefon,
    anlagebetrag: hundredths(anlagebetrag),
    laufzeit,
    ...(clickId && { clickId }),
    ...(src && { src }),
  };
}

/** The stored form of the fields that the request contains; others stay absent. */
export function editOf(body: Edit): PersonEdit {
  const { anlagebetrag, ...rest } = body;
  const person: { -readonly [Name in keyof PersonEdit]: PersonEdit[Name] } = {};
  const set = <K extends keyof Person>(name: K, value: PersonEdit[K] | undefined) => {
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

/** A person's data in an answer; of one who was erased it says that, in this language. */
export function personRow(person: Person & Pick<Lead, 'erased_at'>, language: keyof typeof ERASED_NAME) {
  return {
    anrede: person.erased_at === undefined ? person.anrede : '',
    vorname: person.vorname,
    nachname: person.erased_at === undefined ? person.nachname : ERASED_NAME[language],
    email: person.email,
    telefon: person.telefon,
    anlagebetrag: euro(person.anlagebetrag),
    laufzeit: person.laufzeit,
  };
}
