import * as z from 'zod/mini';
import { CONSENT_CHANNELS, CONSENT_METHODS } from '#shared/rules/consent';

/** Without network address and browser, which only the proof contains. */
export const consentView = z.object({
  given_at: z.string(),
  method: z.enum(CONSENT_METHODS),
  channels: z.array(z.enum(CONSENT_CHANNELS)),
  /** The wording. */
  text: z.string(),
  page_url: z.nullable(z.string()),
  /** Of a double opt-in. */
  confirmed_at: z.nullable(z.string()),
  /** At the source. */
  proof_url: z.nullable(z.string()),
});
export type ConsentView = z.output<typeof consentView>;
