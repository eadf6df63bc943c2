import type { IntakeField } from '#shared/rules/constants';

/** What the fields of a lead are called for people. */
export const FIELD_TEXTS: Readonly<Record<IntakeField, string>> = {
  external_id: 'ID of the source',
  anrede: 'Salutation',
  vorname: 'First name',
  nachname: 'Last name',
  email: 'E-mail',
  telefon: 'Phone',
  anlagebetrag: 'Investment amount (€)',
  laufzeit: 'Term (months)',
  clickId: 'Click ID',
};
