import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepted, daysOf, listQuery } from '#frontend/admin/leads/lead-filters';
import { LEADS_PATH, type LeadFilter, leadsPath, NO_FILTER } from '#frontend/admin/leads/leads-path';

const TODAY = '2026-03-02';
const orNothing = (...values: string[]) => fc.constantFrom('', ...values);
const digits = fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 99_999_999 }).map(String));
const day = fc.oneof(
  fc.constant(''),
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);

const filters: fc.Arbitrary<LeadFilter> = fc.record({
  period: orNothing('today', 'yesterday', '7', '30', '90', '365', 'month', 'last-month'),
  from: day,
  to: day,
  by: fc.constantFrom('received', 'assigned', 'claimed', 'refused'),
  source: digits,
  buyer_id: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z0-9 &=?#ü-]{1,40}$/)),
  order_id: digits,
  status: orNothing('assigned', 'pending', 'discarded', 'refused'),
  amount_from: digits,
  amount_to: digits,
  claim: orNothing('any', 'none', 'pending', 'approved', 'rejected'),
  consent: orNothing('yes', 'no'),
  delivery: orNothing('pending', 'retrying', 'delivered', 'failed'),
  lead_type: orNothing('original', 'reimbursement'),
});

/** As the screen reads its address. */
function filterAt(path: string): LeadFilter {
  const query = new URL(path, 'https://leads.example').searchParams;
  return accepted({ ...NO_FILTER, ...Object.fromEntries(query) });
}

describe('the address of the lead list', () => {
  it('carries every filter unchanged', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(filterAt(leadsPath(filter))).toEqual(filter);
      }),
    );
  });

  it('is short without filters, and names only those that are set', () => {
    expect(leadsPath(NO_FILTER)).toBe(LEADS_PATH);
    expect(leadsPath({ status: 'pending', by: 'received', buyer_id: 'a&b' })).toBe(
      `${LEADS_PATH}?status=pending&buyer_id=a%26b`,
    );
  });

  it.each([
    ['status', 'sold'],
    ['by', 'deleted'],
    ['period', '8'],
    ['from', '2026-02-30'],
    ['to', '0002-01-01'],
    ['amount_from', '-1'],
    ['amount_to', '1e3'],
    ['order_id', '0'],
    ['source', 'page'],
    ['constructor', 'x'],
  ])('that was typed by hand loses %s=%s', (name, value) => {
    expect(filterAt(`${LEADS_PATH}?${name}=${value}`)).toEqual(NO_FILTER);
  });
});

describe('the period of the lead list', () => {
  it.each([
    ['', {}],
    ['today', { from: '2026-03-02', to: '2026-03-02' }],
    ['yesterday', { from: '2026-03-01', to: '2026-03-01' }],
    ['7', { from: '2026-02-24', to: '2026-03-02' }],
    ['month', { from: '2026-03-01', to: '2026-03-02' }],
    ['last-month', { from: '2026-02-01', to: '2026-02-28' }],
  ])('%j ends today or before: %j', (period, days) => {
    expect(daysOf({ ...NO_FILTER, period }, TODAY)).toEqual(days);
  });

  it('is two days if these are set, each of which may be open', () => {
    const days = { ...NO_FILTER, period: '7', from: '2026-01-05' };
    expect(daysOf(days, TODAY)).toEqual({ from: '2026-01-05' });
    expect(daysOf({ ...days, to: '2026-01-06' }, TODAY)).toEqual({ from: '2026-01-05', to: '2026-01-06' });
  });

  it('is asked as days', () => {
    expect(listQuery({ ...NO_FILTER, period: 'yesterday', status: 'pending' }, TODAY)).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-01',
      status: 'pending',
    });
    expect(listQuery(NO_FILTER, TODAY)).not.toHaveProperty('period');
  });
});
