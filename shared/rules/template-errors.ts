import { senderProblem } from '#shared/rules/sender';

interface SendableTemplate {
  readonly smtp_port: number;
  readonly smtp_user: string;
  readonly smtp_from: string;
  readonly smtp_subject: string;
  readonly smtp_body: string;
  readonly smtp_html_body: string;
}

type TemplateErrors = Partial<Record<keyof SendableTemplate, string>>;

/** By field: why the template cannot send, or would send an empty e-mail. */
export function templateErrors(template: SendableTemplate): TemplateErrors {
  const errors: TemplateErrors = {};
  const sender = senderProblem(template);
  if (sender === 'relay_port') errors.smtp_port = 'Port 25 is blocked in the cloud. Use 587 or 465.';
  if (sender === 'no_sender')
    errors.smtp_from = 'Enter a sender address, because the SMTP user is not an e-mail address.';
  if (template.smtp_subject.trim() === '') errors.smtp_subject = 'Enter a subject.';
  if (template.smtp_body.trim() === '' && template.smtp_html_body.trim() === '')
    errors.smtp_body = 'Enter a text here or in the HTML body.';
  return errors;
}
