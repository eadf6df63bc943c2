import { expect, it } from 'vitest';
import { failureText } from '#frontend/buyer/failure-text';
import { de } from '#frontend/buyer/messages';

it.each([
  [500, de.serverFailed],
  [503, de.serverFailed],
  [429, de.tooManyCalls],
  [0, de.noAnswer],
])('the page tells of a failure with status %d in German', (status, text) => {
  expect(failureText(status, 'Something went wrong. Please try again.')).toBe(text);
  expect(text).toMatch(/Bitte/);
});

it('the page shows why a claim was refused in the words of the server', () => {
  expect(failureText(404, 'Lead nicht gefunden.')).toBe('Lead nicht gefunden.');
});
