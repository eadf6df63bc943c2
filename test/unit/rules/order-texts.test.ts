import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { orderNumberText, orderText } from '#shared/rules/order-texts';

it('names an order by its ID and by its number', () => {
  expect(orderNumberText(1)).toBe('#1');
  expect(orderText({ order_id: 4, buyer_order_number: 1, buyer_id: 'nordwert' })).toBe(
    'Order 4 (no. 1 of nordwert)',
  );
});

it('is the only place that writes # or no. before an order', () => {
  const files = execFileSync('git', [
    'ls-files',
    '-co',
    '--exclude-standard',
    'frontend',
    'functions',
    'shared',
    'local',
  ])
    .toString()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file));
  // A `#` within a word belongs to a store key.
  const ofOrder = /(?:(?<![\w}])#|no\. |Nr\. )\$?\{[^}]*(?:order|number)[^}]*\}/i;
  const naming = files.filter((file) => ofOrder.test(readFileSync(file, 'utf8')));
  expect(naming).toEqual(['shared/rules/order-texts.ts']);
});
