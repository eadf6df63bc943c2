import * as z from 'zod/mini';

/** A text encrypted by the application (`functions/keys/cipher.ts`); never shown and never logged. */
export const encrypted = z.string().brand<'Encrypted'>();
export type Encrypted = z.output<typeof encrypted>;
