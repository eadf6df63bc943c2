import { expect, it } from 'vitest';
import { fieldLabel } from '#shared/rules/field-labels';

it.each([
  ['lead_limit', 'Lead limit'],
  ['smtp_host', 'SMTP host'],
  ['min_days_for_ne', 'Min days for NE'],
  ['buyer_id', 'Buyer ID'],
  ['leadId', 'Lead ID'],
  ['buyers.3.probability', 'Probability'],
  ['seen.anlagebetrag', 'Investment amount'],
  ['weights.0', 'Weights'],
  ['', 'Request'],
])('%s is called "%s"', (path, label) => {
  expect(fieldLabel(path)).toBe(label);
});
