import * as z from 'zod/mini';

/** Encrypted by `functions/keys/cipher.ts`; never shown and never logged. */
export const encrypted = z.string().brand<'Encrypted'>();
export type Encrypted = z.output<typeof encrypted>;
