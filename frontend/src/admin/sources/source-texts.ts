import type { IntakeField } from '#shared/contract/constants';
import type { Source } from '../data/sources';
import type { Tone } from '../ui/Tag';

/** What each state of a source means. */
export const STATES = {
  test: {
    text: 'Test',
    tone: 'info',
    about:
      'Each lead is checked and answered with what would happen to it. Nothing is stored, counted or delivered.',
  },
  live: { text: 'Live', tone: 'good', about: 'Leads are taken in and go to the buyers.' },
  paused: {
    text: 'Paused',
    tone: 'wait',
    about: 'Every lead is refused. What has come in stays, and its keys stay valid.',
  },
} as const satisfies Record<Source['state'], { text: string; tone: Tone; about: string }>;

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
