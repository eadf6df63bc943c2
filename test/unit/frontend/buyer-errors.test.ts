import { expect, it } from 'vitest';
import { refusedFields } from '#frontend/buyer/lead-form';
import { de } from '#frontend/buyer/messages';
import { refusalText } from '#frontend/buyer/refusal-text';

const failure = (status: number, message: string, code?: string, fields: Record<string, string> = {}) => ({
  status,
  message,
  code,
  fields,
  isDefault: false,
});

it.each([
  [500, 'internal_error', de.serverFailed],
  [503, 'disk_full', de.serverFailed],
  [429, 'too_many_calls', de.tooManyCalls],
  [413, 'payload_too_large', 'Diese Angaben sind zu lang.'],
  [401, 'not_logged_in', 'Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.'],
])('a failure with status %d and the code %s has a German text', (status, code, text) => {
  expect(refusalText(failure(status, 'Something went wrong.', code))).toBe(text);
});

it.each([
  [500, 'Internal Server Error', de.serverFailed],
  [503, 'Service Unavailable', de.serverFailed],
  [413, 'Request Too Long', de.serverFailed],
  [429, 'Too Many Requests', de.tooManyCalls],
])('API Gateway’s own answer %d has a German text', (status, message, text) => {
  expect(refusalText(failure(status, message))).toBe(text);
});

it.each([429, 500])('a failure with status %d without a server text has the default text', (status) => {
  expect(refusalText({ ...failure(status, 'Failed to load leads'), isDefault: true })).toBe(
    'Failed to load leads',
  );
});

it('a failure without an answer has a German text', () => {
  expect(refusalText({ ...failure(0, 'Failed to submit claim'), isDefault: true })).toMatch(
    /^Der Server ist nicht erreichbar\. Ihre Angaben bleiben erhalten/,
  );
});

it('the page shows the server’s reason for rejecting a claim', () => {
  const text = 'Bitte wählen Sie einen Grund...';
  expect(refusalText(failure(400, text, 'invalid_input', { claim_reason: text }))).toBe(text);
  expect(refusalText(failure(409, 'Nein, danke.', 'some_code'))).toBe('Nein, danke.');
  expect(refusalText(failure(500, 'Nein, danke.'))).toBe('Nein, danke.');
});

it('each invalid field of the form has a German text, and no other field has one', () => {
  expect(
    refusedFields({ vorname: 'At most 100 characters', laufzeit: 'At most 1200', expected: 'x' }),
  ).toEqual({
    vorname: 'Bitte diese Angabe kürzen oder korrigieren',
    laufzeit: 'Bitte eine ganze Zahl von Monaten eingeben',
  });
});
