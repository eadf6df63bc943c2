import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { euro, euroOrNull, hundredths } from '#functions/api/common/hundredths';
import { editOf, personOf, personRow } from '#functions/api/common/person';
import { aLeadRequest } from '#test/factories/people';

describe('money', () => {
  it('is stored without loss for every amount in whole cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (cents) => {
        const amount = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
        expect(hundredths(amount)).toBe(cents);
        expect(euro(cents)).toBe(amount);
        const body = aLeadRequest({ anlagebetrag: amount }) as Parameters<typeof personOf>[0];
        expect(personRow(personOf(body), 'en').anlagebetrag).toBe(amount);
        expect(editOf({ anlagebetrag: amount }).anlagebetrag).toBe(cents);
      }),
    );
  });

  it('stays absent if it is absent', () => {
    expect(hundredths(undefined)).toBeUndefined();
    expect(euroOrNull(null)).toBeNull();
    expect(euroOrNull(0)).toBe(0);
    expect(editOf({ vorname: 'Erika' })).toEqual({ vorname: 'Erika' });
  });
});
