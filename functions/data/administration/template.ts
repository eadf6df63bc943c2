import * as z from 'zod/mini';
import { encrypted } from '#functions/data/table/encrypted';

export const templateSchema = z.object({
  id: z.string(),
  name: z.string(),
  smtp_host: z.string(),
  smtp_port: z.int(),
  smtp_user: z.string(),
  smtp_pass: encrypted,
  smtp_from: z.string(),
  smtp_subject: z.string(),
  smtp_body: z.string(),
  smtp_html_body: z.string(),
  created_at: z.string(),
  version: z.int(),
});
export type Template = z.output<typeof templateSchema>;

export const pushoverCredentialSchema = z.object({
  id: z.string(),
  user_key: encrypted,
  app_key: encrypted,
  notify_lead_assignment: z.boolean(),
  notify_lead_claims: z.boolean(),
  created_at: z.string(),
});
export type PushoverCredential = z.output<typeof pushoverCredentialSchema>;

export const verificationSwitchesSchema = z.object({
  email_verification: z.boolean(),
  phone_verification: z.boolean(),
  name_verification: z.boolean(),
});
export type VerificationSwitches = z.output<typeof verificationSwitchesSchema>;
