import * as z from 'zod/mini';
import { encrypted } from '#functions/data/table/encrypted';

export const pushoverCredentialSchema = z.object({
  id: z.string(),
  user_key: encrypted,
  app_key: encrypted,
  notify_lead_assignment: z.boolean(),
  notify_lead_claims: z.boolean(),
  created_at: z.string(),
});
export type PushoverCredential = z.output<typeof pushoverCredentialSchema>;

const check = z._default(z.boolean(), true);
export const verificationSwitchesSchema = z.object({
  email_verification: check,
  phone_verification: check,
  name_verification: check,
});
export type VerificationSwitches = z.output<typeof verificationSwitchesSchema>;
