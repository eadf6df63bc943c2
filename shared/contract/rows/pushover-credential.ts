import * as z from 'zod/mini';

export const pushoverCredential = z.object({
  id: z.string(),
  /** Both keys are masked except for their last four characters. */
  user_key: z.string(),
  app_key: z.string(),
  notify_lead_assignment: z.boolean(),
  notify_lead_claims: z.boolean(),
});
