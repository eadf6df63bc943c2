import { SECRET_MASK } from '#shared/rules/constants';
import { isSentElsewhere, SECRET_AGAIN_TEXT, SMTP_PASSWORD_SENT_TO } from '#shared/rules/destinations';
import { EMAIL_MACROS, unknownMacros } from '#shared/rules/macros';
import { NEW_TEMPLATE } from '#shared/rules/new-template';
import { templateErrors } from '#shared/rules/template-errors';
import { isEmailAddress } from '#shared/rules/validation';
import type { EmailTemplate } from '../data/settings';
import { INVALID } from '../invalid-texts';

/** The template that the form is opened for. */
export type TemplateMode =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'duplicate'; readonly template: EmailTemplate };

export const TEMPLATE_LABELS = {
  name: 'Template name',
  smtp_host: 'SMTP host',
  smtp_port: 'SMTP port',
  smtp_user: 'SMTP user',
  smtp_pass: 'SMTP password',
  smtp_from: 'From address',
  smtp_subject: 'Subject',
  smtp_body: 'Body (plain text)',
  smtp_html_body: 'Body (HTML)',
} as const;

/** What the template form holds. */
export type TemplateValues = Record<keyof typeof TEMPLATE_LABELS, string>;

export const NEW_TEMPLATE_VALUES: TemplateValues = {
  ...NEW_TEMPLATE,
  smtp_host: '',
  smtp_port: String(NEW_TEMPLATE.smtp_port),
  smtp_user: '',
  smtp_pass: '',
  smtp_from: '',
  smtp_html_body: '',
};

export function templateValuesOf(template: EmailTemplate): TemplateValues {
  const { id: _, smtp_port, ...texts } = template;
  return { ...texts, smtp_port: String(smtp_port) };
}

/**
 * The template as it is stored, whose masked password the form has; undefined for a new one.
 */
export function storedTemplate(mode: TemplateMode): EmailTemplate | undefined {
  return mode.kind === 'create' ? undefined : mode.template;
}

/** The error of a stored password that would now go to another server or user. */
export function passwordError(values: TemplateValues, stored: EmailTemplate | undefined): string | undefined {
  return stored !== undefined &&
    values.smtp_pass === SECRET_MASK &&
    isSentElsewhere(SMTP_PASSWORD_SENT_TO, stored, values)
    ? SECRET_AGAIN_TEXT
    : undefined;
}

export function validateTemplate(
  values: TemplateValues,
  stored: EmailTemplate | undefined,
): Partial<Record<keyof TemplateValues, string>> {
  const errors: Partial<Record<keyof TemplateValues, string>> = templateErrors(templateOf(values));
  if (values.name.trim() === '') errors.name = INVALID.templateName;
  if (values.smtp_host.trim() === '') errors.smtp_host = INVALID.required('SMTP host');
  if (!isPort(values.smtp_port)) errors.smtp_port = INVALID.port;
  if (values.smtp_user.trim() === '') {
    errors.smtp_user = INVALID.required('SMTP user');
    delete errors.smtp_from;
  }
  const again = passwordError(values, stored);
  if (values.smtp_pass === '') errors.smtp_pass = INVALID.required('SMTP password');
  else if (again !== undefined) errors.smtp_pass = again;
  if (values.smtp_from.trim() !== '' && !isEmailAddress(values.smtp_from.trim()))
    errors.smtp_from = INVALID.email;
  for (const name of ['smtp_subject', 'smtp_body', 'smtp_html_body'] as const) {
    const [unknown] = unknownMacros(values[name], EMAIL_MACROS);
    if (unknown !== undefined) errors[name] = `Unknown macro $$${unknown}$$`;
  }
  return errors;
}

function isPort(value: string): boolean {
  return /^\d+$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= 65_535;
}

export function templateOf(values: TemplateValues) {
  return {
    ...values,
    smtp_host: values.smtp_host.trim(),
    smtp_port: Number(values.smtp_port),
    smtp_user: values.smtp_user.trim(),
    smtp_from: values.smtp_from.trim(),
  };
}
