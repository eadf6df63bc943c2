/** The initial values of a new buyer's form. */
import { describe, expect, it } from 'vitest';
import { probabilityLeft, suggestedBuyerId } from '#frontend/admin/buyers/suggestions';

describe('the suggested buyer ID', () => {
  const among = (...ids: string[]) => ids.map((buyer_id) => ({ buyer_id }));

  it.each([
    ['leads@maier-finanz.de', 'maier-finanz'],
    [' Leads@Maier-Finanz.DE ', 'maier-finanz'],
    ['leads@mail.maier.example', 'maier'],
    ['max.maier@gmx.de', 'max.maier'],
    ['max.maier+leads@gmail.com', 'max.maierleads'],
    ['max@t-online.de', 'max'],
    [`leads@${'a'.repeat(63)}.de`, 'a'.repeat(60)],
    ['', ''],
    ['leads', ''],
    ['leads@', ''],
    ['leads@maier', ''],
  ])('for %j is %j', (email, id) => {
    expect(suggestedBuyerId(email, [])).toBe(id);
  });

  it('is the first unused one', () => {
    const email = 'leads@maier.de';
    expect(suggestedBuyerId(email, among('maiers', 'other'))).toBe('maier');
    expect(suggestedBuyerId(email, among('maier'))).toBe('maier-2');
    expect(suggestedBuyerId(email, among('maier-2', 'maier', 'maier-3'))).toBe('maier-4');
  });
});

describe('the suggested probability', () => {
  const left = (...probabilities: number[]) =>
    probabilityLeft(probabilities.map((probability) => ({ probability, deleted: false })));

  it('is the rest to 100', () => {
    expect(left()).toBe('100');
    expect(left(60, 25)).toBe('15');
    expect(left(33.33, 33.33)).toBe('33,34');
    expect(left(0.1, 0.2)).toBe('99,7');
  });

  it('is empty without a rest', () => {
    expect(left(60, 40)).toBe('');
    expect(left(100, 50)).toBe('');
  });

  it('does not count deleted buyers', () => {
    const gone = { probability: 70, deleted: true };
    expect(probabilityLeft([gone, { probability: 20, deleted: false }])).toBe('80');
  });
});
