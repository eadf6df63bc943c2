import { describe, expect, it } from 'vitest';
import { failureLine } from '#frontend/admin/lead/partner-reason';
import type { Answer } from '#shared/contract/schemas';

type Delivery = Answer<'listDeliveries'>['deliveries'][number];

const attempt = (answer: string | null): Delivery['attempts'][number] => ({
  at: '2026-11-22T08:00:00.000Z',
  outcome: 'permanent',
  status_code: 200,
  duration_ms: 12,
  request: null,
  answer,
});

const failed = (answers: readonly (string | null)[], changes: Partial<Delivery> = {}) =>
  failureLine({
    status: 'failed',
    error: 'The partner refused the lead',
    attempts: answers.map(attempt),
    ...changes,
  });

describe('the first line of a failed delivery', () => {
  it.each([
    ['{"status":false,"data":"Email already in blacklist","code":0}', 'Email already in blacklist'],
    [
      '{"message":"The given data was invalid.","errors":{"phone":["is taken"]}}',
      'The given data was invalid.',
    ],
    ['{"errors":{"phone":["is taken"]}}', 'is taken'],
    ['{"errors":[{"message":"No \\"cap\\" left"}]}', 'No "cap" left'],
    ['{"error":"Ung\\u00fcltige Nummer","request":{"password":[removed],"first…', 'Ungültige Nummer'],
    ['550 5.1.1 no such user', '550 5.1.1 no such user'],
  ])('contains the reason from %s', (answer, reason) => {
    expect(failed([answer])).toBe(`The partner refused the lead: “${reason}”`);
  });

  it.each([['<html>Bad Gateway</html>'], ['{"status":false}'], ['{"error":""}'], [''], [null]])(
    'is only our sentence for the answer %s',
    (answer) => {
      expect(failed([answer])).toBe('The partner refused the lead');
    },
  );

  it('has the reason of the latest attempt with an answer, at most 160 characters', () => {
    expect(failed(['first', 'x'.repeat(300), null])).toBe(
      `The partner refused the lead: “${'x'.repeat(159)}…”`,
    );
  });

  it('is empty if nothing failed, and repeats nothing', () => {
    expect(failed(['550 no'], { error: null })).toBeNull();
    expect(failed(['refused the lead'])).toBe('The partner refused the lead');
  });
});
