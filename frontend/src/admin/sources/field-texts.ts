import { LEAD_LABELS } from '#shared/rules/field-labels';
import { type IntakeField, LEAD } from '#shared/rules/lead-fields';

/** Labels of a lead's fields. */
export const FIELD_TEXTS: Readonly<Record<IntakeField, string>> = {
  external_id: 'ID of the source',
  ...LEAD_LABELS,
  email: 'E-mail',
  clickId: LEAD.clickId.label.en,
};
