/** The address of What-if, which may carry other terms for one buyer. */
import { describe, expect, it } from 'vitest';
import { FIELDS, proposedIn } from '#frontend/admin/simulator/scenario';

const ACME = {
  buyer_id: 'acme',
  probability: 25,
  min_investment: 5000,
  max_investment: 50_000.5,
  min_term: 12,
  max_term: null,
  sources_allowed: [],
  sources_excluded: [4],
  lead_limit: 40,
  requires_consent: false,
};
const PRESENT = {
  probability: 25,
  min_investment: '5.000',
  max_investment: '50.000,5',
  min_term: '12',
  max_term: '',
  sources_allowed: null,
  sources_excluded: [4],
  lead_limit: '40',
  requires_consent: false,
};
const proposed = (search: string) => proposedIn(search, [{ ...ACME, buyer_id: 'other' }, ACME]);

describe('the address of What-if', () => {
  it('changes nothing without a buyer, or for an unknown one', () => {
    expect(proposed('')).toEqual({});
    expect(proposed('max_term=12')).toEqual({});
    expect(proposed('buyer=nobody&max_term=12')).toEqual({});
  });

  it('starts with the present terms of its buyer', () => {
    expect(proposed('buyer=acme')).toEqual({ acme: PRESENT });
  });

  it.each([
    ['probability=50', { probability: 50 }],
    ['probability=101', {}],
    ['probability=many', {}],
    ['min_investment=0', { min_investment: '0' }],
    ['max_investment=', { max_investment: '' }],
    ['max_investment=9000', { max_investment: '9000' }],
    ['min_term=&max_term=60', { min_term: '', max_term: '60' }],
    ['lead_limit=80', { lead_limit: '80' }],
    ['requires_consent=true', { requires_consent: true }],
    ['requires_consent=false', {}],
    [
      'min_investment=1&max_investment=2&min_term=3&max_term=4&lead_limit=5&requires_consent=true',
      {
        min_investment: '1',
        max_investment: '2',
        min_term: '3',
        max_term: '4',
        lead_limit: '5',
        requires_consent: true,
      },
    ],
  ])('takes %s', (terms, changed) => {
    expect(proposed(`buyer=acme&${terms}`)).toEqual({ acme: { ...PRESENT, ...changed } });
  });
});

describe('a field of What-if', () => {
  it.each([
    ['min_investment', ['', '0', '12.500,50'], ['-1', 'much']],
    ['max_investment', ['', '50000'], ['-1']],
    ['min_term', ['', ' 12 ', '1200'], ['1201', '1,5', '-1']],
    ['max_term', ['', '60'], ['long']],
    ['lead_limit', ['0', '1000000'], ['', '1000001', '-1']],
  ])('%s accepts %j and refuses %j', (name, accepted, refused) => {
    const field = FIELDS.find((one) => one.name === name)!;
    expect(accepted.filter((text) => !field.isValid(text))).toEqual([]);
    expect(refused.filter((text) => field.isValid(text))).toEqual([]);
  });
});
