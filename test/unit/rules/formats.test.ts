import { describe, expect, it } from 'vitest';
import { PENDING_REASONS } from '#shared/rules/constants';
import {
  formatDate,
  formatDateTime,
  formatEuro,
  formatEuroShort,
  formatNumber,
  parseGermanNumber,
} from '#shared/rules/formats';
import { lazy } from '#shared/rules/lazy';
import { pendingReasonText } from '#shared/rules/reasons';

describe('a typed number', () => {
  it.each([
    ['12500', 12_500],
    ['12500,5', 12_500.5],
    ['12500.55', 12_500.55],
    ['12.500', 12_500],
    ['1.250.000,75', 1_250_000.75],
    ['12.50', 12.5],
    [' 25.000 € ', 25_000],
    ['-3,5', -3.5],
    ['-1.000', -1000],
    ['-1.5', -1.5],
  ])('%j is %d', (text, value) => {
    expect(parseGermanNumber(text)).toBe(value);
  });

  it.each(['', 'x', 'x1.000', '1.000x', 'x1.5', '1.5x', '1,', ',5', '1.00.000', '1,2,3', 'a.b', '1.b'])(
    '%j is not a number',
    (text) => {
      expect(parseGermanNumber(text)).toBeUndefined();
    },
  );
});

it('formats dates and amounts in German', () => {
  expect(formatDate(new Date('2025-05-14T22:00:00Z'))).toBe('15.05.2025');
  expect(formatDate(new Date('2025-12-31T22:59:59Z'))).toBe('31.12.2025');
  expect(formatDateTime(new Date('2025-05-14T07:05:09Z'))).toBe('14.05.2025, 09:05');
  expect(formatDateTime(new Date('2025-12-31T23:00:00Z'))).toBe('01.01.2026, 00:00');
  expect(formatEuro(1234.5)).toBe('1.234,50\u00a0€');
  expect(formatEuro(0.29)).toBe('0,29\u00a0€');
  expect(formatEuroShort(25_000)).toBe('25.000\u00a0€');
  expect(formatEuroShort(19.99)).toBe('19,99\u00a0€');
  expect(formatNumber(1234.567)).toBe('1.234,57');
  expect(formatNumber(1.15)).toBe('1,15');
});

describe('the reason of a pending lead', () => {
  it('has these texts', () => {
    expect(PENDING_REASONS.map((reason) => `${reason}: ${pendingReasonText(reason)}`)).toEqual([
      'no_active_order: No active buyer has an order and a probability above 0%',
      'limits_reached: All orders have reached their lead limit or belong to buyers with probability 0%',
      'below_min_investment: The investment is below the minimum of every buyer with open capacity',
      'above_max_investment: The investment is above the maximum of every buyer with open capacity',
      'outside_term: No buyer with open capacity takes this term',
      'source_excluded: No buyer with open capacity takes leads of this source',
      'email_verification_failed: E-mail verification failed',
      'phone_verification_failed: Phone verification failed',
      'name_verification_failed: Name verification failed',
      'verification_unavailable: Verification was inconclusive',
      'manual_review: Manual review',
      'already_received: Every buyer with open capacity already received this person',
      'already_known: The person is known to every buyer with open capacity, or must not be sold',
      'duplicate: The source already sent this person',
      'waits_for_opening: Every eligible buyer is outside its hours or at its cap',
      'refused_by_buyers: Every buyer with open capacity refused this lead',
      'consent_missing: The person has not agreed to be called',
      'consent_unconfirmed: The person has not confirmed the e-mail address yet',
    ]);
  });

  it('contains the intended buyer only for manual review', () => {
    expect(pendingReasonText('manual_review', 'acme')).toBe('Manual review for acme');
    expect(pendingReasonText('refused_by_buyers', 'acme')).toBe(
      'Every buyer with open capacity refused this lead',
    );
  });
});

it('creates a memoized value once on first use', () => {
  let made = 0;
  const get = lazy(() => {
    made += 1;
    return {};
  });
  expect(made).toBe(0);
  expect(get()).toBe(get());
  expect(made).toBe(1);
});
