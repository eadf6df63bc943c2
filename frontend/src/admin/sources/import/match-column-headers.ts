/** Which column of a file holds which field of a lead, by its header in German or English. */
import { INTAKE_FIELDS, type IntakeField } from '#shared/rules/lead-fields';

/** What a file has columns for; the id of a row is made from the file. */
export const COLUMN_FIELDS = INTAKE_FIELDS.filter((name) => name !== 'external_id');

/** The index of the column of each field that the file has. */
export type Columns = { readonly [Field in IntakeField]?: number };

/** As people header their columns, without blanks, signs and umlauts. */
const HEADS: Readonly<Record<(typeof COLUMN_FIELDS)[number], readonly string[]>> = {
  anrede: ['anrede', 'salutation', 'title', 'geschlecht', 'gender', 'sex'],
  vorname: ['vorname', 'firstname', 'givenname', 'forename', 'rufname'],
  nachname: ['nachname', 'lastname', 'surname', 'familyname', 'familienname', 'name', 'zuname'],
  email: ['email', 'mail', 'emailadresse', 'emailaddress', 'mailadresse'],
  telefon: [
    'telefon',
    'telefonnummer',
    'tel',
    'phone',
    'phonenumber',
    'handy',
    'handynummer',
    'mobil',
    'mobile',
    'mobilnummer',
    'mobiltelefon',
    'rufnummer',
    'telephone',
  ],
  anlagebetrag: [
    'anlagebetrag',
    'betrag',
    'summe',
    'anlagesumme',
    'investition',
    'investitionsbetrag',
    'investment',
    'investmentamount',
    'amount',
    'anlagebetrageur',
    'betrageur',
    'amounteur',
  ],
  laufzeit: [
    'laufzeit',
    'laufzeitmonate',
    'laufzeitinmonaten',
    'monate',
    'term',
    'termmonths',
    'months',
    'duration',
  ],
  clickId: ['clickid', 'klickid', 'gclid', 'subid', 'trackingid'],
};

const UMLAUTS = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
]);

/** `E-Mail-Adresse ` and `email_adresse` are the same header. */
const plain = (header: string) =>
  header
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => UMLAUTS.get(letter) ?? letter)
    .replace(/[^a-z0-9]/g, '');

/** The first column for each field; a column is for one field only. */
export function matchColumnHeaders(headers: readonly string[]): Columns {
  const columns: { [Field in IntakeField]?: number } = {};
  for (const name of COLUMN_FIELDS) {
    // The likelier headers stand first: "Nachname" goes before "Name".
    for (const header of HEADS[name]) {
      const found = headers.findIndex((one) => plain(one) === header);
      if (found >= 0) {
        columns[name] = found;
        break;
      }
    }
  }
  return columns;
}
