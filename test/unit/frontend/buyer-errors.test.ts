import { expect, it } from 'vitest';
import { ApiError } from '#frontend/app/api';
import { de } from '#frontend/buyer/messages';
import { errorText } from '#frontend/buyer/use-leads-view';

it.each([
  [500, de.serverFailed],
  [503, de.serverFailed],
  [429, de.tooManyCalls],
  [0, de.noAnswer],
])('the page tells of a failure with status %d in German', (status, text) => {
  expect(errorText(new ApiError('Something went wrong. Please try again.', status))).toBe(text);
  expect(text).toMatch(/Bitte/);
});

it('the page shows why a claim was refused in the words of the server', () => {
  expect(errorText(new ApiError('Lead nicht gefunden.', 404))).toBe('Lead nicht gefunden.');
  expect(errorText(new TypeError('fetch failed'))).toBe(de.noAnswer);
});
