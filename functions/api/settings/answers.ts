import type { Template } from '#functions/data/administration/template';
import { SECRET_MASK } from '#shared/contract/constants';
import type { EmailTemplateRow } from '#shared/contract/schemas/settings';

/** A template as admins see it: everything but the password. */
export function templateRow(template: Template): EmailTemplateRow {
  return { ...template, smtp_pass: SECRET_MASK };
}
