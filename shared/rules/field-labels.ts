import { LEAD, LEAD_FIELDS, labelOf, PERSON_FIELDS, record } from '#shared/rules/lead-fields';

export const LEAD_LABELS = /* @__PURE__ */ record(PERSON_FIELDS, (name) => labelOf(name, 'en'));

const LABELS: Readonly<Record<string, string>> = {
  ...record(LEAD_FIELDS, (name) => LEAD[name].label.en),
  q: 'Search',
  sort_by: 'Sort column',
  schedule: 'Hours',
  weekdays: 'Days of the week',
  ends_on: 'End date',
  email_template_id: 'E-mail template',
  reimbursement_email_template_id: 'Template for replacement leads',
  heroleads_api_key: 'API key of the lead broker',
  heroleads_lead_type_id: 'Lead type ID of the lead broker',
  http_url: 'Address of the HTTP channel',
  http_user: 'User name of the HTTP channel',
  http_key_name: 'Name of the header or parameter of the HTTP channel',
  http_secret: 'Secret of the HTTP channel',
  http_signing_secret: 'Signing secret of the HTTP channel',
  http_body: 'Body template of the HTTP channel',
  trackbox_username: 'Username of the tracking platform',
  trackbox_password: 'Password of the tracking platform',
  trackbox_api_key: 'API key of the tracking platform',
  trackbox_domain: 'Domain of the tracking platform',
  trackbox_custom_mapping: 'Mapping of the tracking platform',
};
const ACRONYMS = new Set(['id', 'ne', 'api', 'ai', 'gi', 'ci', 'smtp', 'html']);

/**
 * `lead_limit` is "Lead limit", `leadId` "Lead ID", `smtp_host` "SMTP host". @param path names and indexes separated by dots;
 * the last name counts
 */
export function fieldLabel(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? '';
  const label = LABELS[name];
  if (label !== undefined) return label;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (ACRONYMS.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
  return words === '' ? 'Request' : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
