import { expect, it } from 'vitest';
import { kindText } from '#frontend/admin/people/kind-texts';
import { TRACED } from '#functions/data/leads/traces';

it('calls no kind of stored item by its name in the code', () => {
  const technical = TRACED.map(([kind]) => kind).filter(
    (kind) =>
      /[A-Z]/.test(kind) && kindText(kind).toLowerCase() === kind.replace(/[A-Z]/g, ' $&').toLowerCase(),
  );
  expect(technical).toEqual([]);
  expect(kindText('lead')).toBe('Lead');
  expect(kindText('claimRowBlock')).toBe('Claim list entry');
});
