import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { SALUTATIONS } from '#shared/rules/constants';

/** A person's data in a request. */
export const leadFields = {
  anrede: z.enum(SALUTATIONS, { error: 'Must be Herr or Frau' }),
  vorname: field.line(100),
  nachname: field.line(100),
  email: field.email,
  telefon: field.line(50),
  /** Euro. */
  anlagebetrag: field.euro(),
  /** Months. */
  laufzeit: field.integer(0, 1200),
  clickId: field.clearableLine(200),
  src: field.clearableLine(200),
};
