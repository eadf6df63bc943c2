import * as z from 'zod/mini';

/** A person's data in an answer. */
export const leadPerson = {
  anrede: z.string(),
  vorname: z.string(),
  nachname: z.string(),
  email: z.string(),
  telefon: z.string(),
  anlagebetrag: z.number(),
  laufzeit: z.number(),
};
