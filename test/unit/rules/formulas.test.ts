import { describe, expect, it } from 'vitest';
import { withoutFormula } from '#shared/rules/formulas';

describe('a text for a spreadsheet', () => {
  it.each([
    '=1',
    '+a',
    '-a',
    '@a',
    '＝1',
    '＋a',
    '－1',
    '＠a',
    ' =1',
    ' \u200b\ufeff=1',
    '\t1',
    '\r1',
    '\n1',
    '-1-1',
    '+1a',
    '-1,',
    '-1.2.3',
  ])('gets an apostrophe if it is a formula or begins with a control character: %j', (text) => {
    expect(withoutFormula(text)).toBe(`'${text}`);
  });

  it.each([
    '',
    'a',
    '1',
    'a=1',
    'a\t1',
    ' 1',
    '+4917012345',
    '+49 (0) 170 / 123-45',
    '+4',
    '-5',
    '-55',
    '+2,5',
    '-2.55',
    '0170 1234',
  ])('stays unchanged otherwise: %j', (text) => {
    expect(withoutFormula(text)).toBe(text);
  });
});
