import * as z from 'zod/mini';

export const pushoverCredential = z.object({
  id: z.string(),
  /** Masked except for the last four characters. */
  user_key: z.string(),
  app_key: z.string(),
  notify_lead_assignment: z.boolean(),
  notify_lead_claims: z.boolean(),
});
