import { expect, it } from 'vitest';
import { kindText } from '#frontend/admin/people/kind-texts';
import { TRACED } from '#functions/data/leads/traces';

it('every kind of stored item has a readable name', () => {
  const names = TRACED.map(([kind]) => kindText(kind));
  expect(names.filter((name) => /[a-z][A-Z]/.test(name))).toEqual([]);
  expect(kindText('lead')).toBe('Lead');
  expect(kindText('claimRowBlock')).toBe('Claim list entry');
});
