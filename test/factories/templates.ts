import type { Template } from '#functions/data/administration/template';
import type { Sent } from '#shared/contract/schemas';
import { cipher, SECRETS } from '#test/factories/secrets';

export type TemplateRequest = Sent<'createEmailTemplate', 'body'> & { readonly smtp_port: number };

/** An e-mail template in stored form. */
export const aTemplate = (changes: Partial<Template> = {}): Template => ({
  id: '01J0000000000000000000000T',
  name: 'Standard',
  smtp_host: '127.0.0.1',
  smtp_port: 587,
  smtp_user: 'sender@leads.example',
  smtp_pass: cipher.encrypt(SECRETS.smtp),
  smtp_from: 'leads@leads.example',
  smtp_subject: 'Lead $$order_lead_id$$ $$nachname$$',
  smtp_body: 'Name: $$vorname$$ $$nachname$$, $$anlagebetrag$$ EUR, $$src$$',
  smtp_html_body: '<p>$$vorname$$ <b>$$nachname$$</b></p>',
  created_at: '2026-11-01T00:00:00.000Z',
  version: 1,
  ...changes,
});

/** An e-mail template as saved by an admin. */
export const aTemplateRequest = (changes: Partial<TemplateRequest> = {}): TemplateRequest => ({
  name: 'Standard',
  smtp_host: 'localhost',
  smtp_port: 2525,
  smtp_user: 'sender@leads.example',
  smtp_pass: 'planted-smtp-password',
  smtp_subject: 'Lead $$order_lead_id$$',
  smtp_body: 'Guten Tag, hier ist $$vorname$$ $$nachname$$.',
  ...changes,
});
