import { describe, expect, it } from 'vitest';
import { formatDate, formatEuro, formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';

describe('a number as people type it', () => {
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
    '%j is none',
    (text) => {
      expect(parseGermanNumber(text)).toBeUndefined();
    },
  );
});

it('writes days and amounts the German way', () => {
  expect(formatDate(new Date('2025-05-14T22:00:00Z'))).toBe('15.05.2025');
  expect(formatEuro(1234.5)).toBe('1.234,50\u00a0€');
  expect(formatNumber(1234.567)).toBe('1.234,57');
});

it('says why a lead is pending, and whom it is meant for under manual review alone', () => {
  expect(pendingReasonText('manual_review', 'acme')).toBe('Manual review for acme');
  expect(pendingReasonText('manual_review')).toBe('Manual review');
  expect(pendingReasonText('limits_reached', 'acme')).toBe('All orders have reached their lead limit');
});
