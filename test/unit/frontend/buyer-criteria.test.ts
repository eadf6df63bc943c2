/** Which leads a buyer wants, as an admin enters it, and as the closed group of the form shows it. */
import { describe, expect, it } from 'vitest';
import { validateBuyer } from '#frontend/admin/buyers/buyer-validation';
import { EMPTY_BUYER } from '#frontend/admin/buyers/buyer-values';
import { suitableText } from '#frontend/admin/buyers/group-summaries';
import { MAX_TERM } from '#shared/rules/constants';

const CRITERIA = ['min_investment', 'max_investment', 'min_term', 'max_term'] as const;
type Typed = Partial<Record<(typeof CRITERIA)[number], string>>;

describe('the criteria of the buyer form', () => {
  const refused = (typed: Typed) => {
    const values = { ...EMPTY_BUYER, buyer_id: 'acme', buyer_email: 'a@acme.example', ...typed };
    const errors = validateBuyer(values, { others: [], stored: undefined }, EMPTY_BUYER);
    return CRITERIA.flatMap((name) => (errors[name] === undefined ? [] : [`${name}: ${errors[name]}`]));
  };

  it.each<Typed>([
    {},
    { max_investment: '50.000', max_term: '60' },
    { min_investment: '5.000', max_investment: '5.000,50' },
    { min_investment: '5.000', max_investment: '5000' },
    { min_term: '12', max_term: '12' },
    { min_term: '0', max_term: String(MAX_TERM) },
    { min_term: ' 9 ', max_term: ' 10 ' },
    { min_investment: '60', max_term: '12' },
  ])('accept %j', (typed) => {
    expect(refused(typed)).toEqual([]);
  });

  const below = 'The maximum may not be below the minimum';
  const amount = 'Must be a number, 0 or more';
  const months = 'Must be a whole number from 0 to 1200';
  it.each<[Typed, ...string[]]>([
    [{ max_investment: 'much' }, `max_investment: ${amount}`],
    [{ max_investment: '-1' }, `max_investment: ${amount}`],
    [{ min_investment: '5.000,50', max_investment: '5.000' }, `max_investment: ${below}`],
    [{ min_investment: '10.000', max_investment: '9000' }, `max_investment: ${below}`],
    [{ min_term: '13', max_term: '12' }, `max_term: ${below}`],
    [{ min_term: '10', max_term: '9' }, `max_term: ${below}`],
    [{ min_term: '1,5' }, `min_term: ${months}`],
    [{ max_term: '1.5' }, `max_term: ${months}`],
    [{ min_term: '-1' }, `min_term: ${months}`],
    [{ max_term: '1201' }, `max_term: ${months}`],
    [{ min_term: 'long', max_term: 'longer' }, `min_term: ${months}`, `max_term: ${months}`],
  ])('refuse %j', (typed, ...errors) => {
    expect(refused(typed)).toEqual(errors);
  });
});

const NAMES = new Map([
  [1, 'Page'],
  [2, 'Partner'],
]);

describe('the closed group of criteria', () => {
  it.each([
    [{}, 'Every amount'],
    [{ min_investment: '5.000' }, 'From €5.000'],
    [{ max_investment: ' 50.000 ' }, 'Up to €50.000'],
    [{ min_investment: '5.000', max_investment: '50.000' }, 'From €5.000, up to €50.000'],
    [{ min_term: '12' }, 'Every amount, at least 12 months'],
    [{ max_term: '60' }, 'Every amount, at most 60 months'],
    [{ min_term: '12', max_term: ' 60 ' }, 'Every amount, 12 to 60 months'],
    [{ max_investment: '50.000', min_term: '12', max_term: '60' }, 'Up to €50.000, 12 to 60 months'],
    [{ sources_allowed: [1, 2] }, 'Every amount, only from Page and Partner'],
    [{ sources_excluded: [3] }, 'Every amount, not from source 3'],
    [
      { max_term: '60', requires_consent: true, manual_review: true },
      'Every amount, at most 60 months, with consent, assigned by an admin',
    ],
  ])('names %j as %s', (typed, text) => {
    expect(suitableText({ ...EMPTY_BUYER, ...typed }, NAMES)).toBe(text);
  });
});
