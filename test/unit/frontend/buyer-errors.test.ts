import { expect, it } from 'vitest';
import { failureText } from '#frontend/buyer/failure-text';
import { de } from '#frontend/buyer/messages';

it.each([
  [500, de.serverFailed],
  [503, de.serverFailed],
  [429, de.tooManyCalls],
])('the page tells of a failure with status %d in German', (status, text) => {
  expect(failureText(status, 'Something went wrong. Please try again.', false)).toBe(text);
  expect(text).toMatch(/Bitte/);
});

it.each([0, 429, 500])(
  'a failure with status %d without a text of the server has the default text',
  (status) => {
    expect(failureText(status, 'Failed to load leads', true)).toBe('Failed to load leads');
  },
);

it('the page shows why a claim was refused in the words of the server', () => {
  expect(failureText(404, 'Lead nicht gefunden.', false)).toBe('Lead nicht gefunden.');
});
