/** Matches the columns of a file to the fields of a lead, by German or English headers. */
import { INTAKE_FIELDS, type IntakeField, isOfConsent } from '#shared/rules/lead-fields';

/** All fields but the row's ID, which derives from the file. */
export const COLUMN_FIELDS = INTAKE_FIELDS.filter((name) => name !== 'external_id');

/** The index of the column of each field that the file has. */
export type Columns = { readonly [Field in IntakeField]?: number };

/** Common headers, without spaces, punctuation and umlauts. */
const HEADERS: Readonly<Record<(typeof COLUMN_FIELDS)[number], readonly string[]>> = {
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
  consent_given_at: [
    'consentgivenat',
    'consentat',
    'consentdate',
    'consenttime',
    'einwilligungam',
    'einwilligungvom',
    'einwilligungsdatum',
    'einwilligungszeitpunkt',
    'datumdereinwilligung',
    'optinat',
    'optindate',
  ],
  consent_method: ['consentmethod', 'einwilligungsart', 'artdereinwilligung', 'einwilligungper'],
  consent_channels: ['consentchannels', 'einwilligungskanaele', 'kanaele', 'einwilligungfuer', 'channels'],
  consent_text_id: ['consenttextid', 'einwilligungstextid', 'wortlautid'],
  consent_text: ['consenttext', 'einwilligungstext', 'wortlaut', 'einwilligungswortlaut', 'consentwording'],
  consent_page_url: [
    'consentpageurl',
    'consentpage',
    'einwilligungsseite',
    'landingpage',
    'seite',
    'pageurl',
  ],
  consent_ip: ['consentip', 'einwilligungsip', 'ip', 'ipadresse', 'ipaddress'],
  consent_user_agent: ['consentuseragent', 'useragent', 'browser'],
  consent_confirmed_at: [
    'consentconfirmedat',
    'bestaetigtam',
    'einwilligungbestaetigtam',
    'doubleoptinat',
    'doubleoptin',
    'confirmedat',
  ],
  consent_confirmed_ip: ['consentconfirmedip', 'bestaetigungsip', 'doubleoptinip', 'confirmedip'],
  consent_proof_url: ['consentproofurl', 'consentproof', 'nachweis', 'einwilligungsnachweis', 'proofurl'],
};

const UMLAUTS = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
]);

/** Makes `E-Mail-Adresse ` and `email_adresse` equal. */
const plain = (header: string) =>
  header
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => UMLAUTS.get(letter) ?? letter)
    .replace(/[^a-z0-9]/g, '');

/** The first column for each field; a column is for one field only. */
export function matchColumnHeaders(headers: readonly string[]): Columns {
  const columns: { [Field in IntakeField]?: number } = {};
  for (const name of COLUMN_FIELDS) {
    // Headers such as "IP" are about a consent only in a file that says when it was given.
    if (isOfConsent(name) && name !== 'consent_given_at' && columns.consent_given_at === undefined) continue;
    // The most likely headers come first: "Nachname" before "Name".
    for (const header of HEADERS[name]) {
      const found = headers.findIndex((one) => plain(one) === header);
      if (found >= 0) {
        columns[name] = found;
        break;
      }
    }
  }
  return columns;
}
