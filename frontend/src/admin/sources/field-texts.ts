import { LEAD_LABELS } from '#shared/rules/field-labels';
import { type IntakeField, LEAD } from '#shared/rules/lead-fields';

/** Labels of a lead's fields. */
export const FIELD_TEXTS: Readonly<Record<IntakeField, string>> = {
  external_id: 'ID of the source',
  ...LEAD_LABELS,
  email: 'E-mail',
  clickId: LEAD.clickId.label.en,
  consent_given_at: 'Consent given at',
  consent_method: 'Consent given by',
  consent_channels: 'Consent channels',
  consent_text_id: 'Consent wording (ID)',
  consent_text: 'Consent wording',
  consent_page_url: 'Consent page',
  consent_ip: 'Consent IP address',
  consent_user_agent: 'Consent browser',
  consent_confirmed_at: 'Consent confirmed at',
  consent_confirmed_ip: 'Consent confirmed from IP',
  consent_proof_url: 'Consent proof',
};
