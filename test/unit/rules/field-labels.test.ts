import { expect, it } from 'vitest';
import { fieldLabel, LEAD_LABELS } from '#shared/rules/field-labels';

it.each([
  ['lead_limit', 'Lead limit'],
  ['smtp_host', 'SMTP host'],
  ['min_days_for_ne', 'Min days for NE'],
  ['buyer_id', 'Buyer ID'],
  ['leadId', 'Lead ID'],
  ['buyers.3.probability', 'Probability'],
  ['expected.anlagebetrag', 'Investment amount'],
  ['weights.0', 'Weights'],
  ['q', 'Search'],
  ['src', 'Source'],
  ['email_template_id', 'E-mail template'],
  ['trackbox_username', 'Username of the tracking platform'],
  ['clickId', 'Click ID'],
  ['lead.vorname', 'First name'],
  ['lead.nachname', 'Last name'],
  ['lead.anrede', 'Salutation'],
  ['lead.telefon', 'Phone'],
  ['lead.laufzeit', 'Term'],
  ['api_key2__ai', 'API key2 AI'],
  ['ciHtmlGi', 'CI HTML GI'],
  ['__', 'Request'],
  ['', 'Request'],
])('%s is called "%s"', (path, label) => {
  expect(fieldLabel(path)).toBe(label);
});

it('the fields of a person have the same labels in forms and files', () => {
  expect(Object.values(LEAD_LABELS)).toEqual([
    'Salutation',
    'First name',
    'Last name',
    'Email',
    'Phone',
    'Investment amount (€)',
    'Term (months)',
  ]);
});

it.each([
  ['HTTP channel', 'http', 'url user key_name secret signing_secret body'],
  ['tracking platform', 'trackbox', 'username password api_key domain custom_mapping'],
  ['lead broker', 'heroleads', 'api_key lead_type_id'],
])('a setting of the %s has its name in the label', (channel, prefix, settings) => {
  for (const setting of settings.split(' '))
    expect(fieldLabel(`${prefix}_${setting}`)).toMatch(new RegExp(`^[A-Z][A-Za-z ]+ of the ${channel}$`));
});
