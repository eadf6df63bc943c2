import { describe, expect, it } from 'vitest';
import { changeOf } from '#frontend/admin/statistics/change';
import { niceTicks } from '#frontend/admin/statistics/ticks';

describe('the axis of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [19, [0, 5, 10, 15, 20]],
    [20, [0, 5, 10, 15, 20]],
    [21, [0, 10, 20, 30]],
    [1999, [0, 500, 1000, 1500, 2000]],
  ])('up to %i has whole, round figures', (most, ticks) => {
    expect(niceTicks(most)).toEqual(ticks);
  });
});

describe('the change of a figure', () => {
  it.each([
    [112, 100, '↑ 12%', 'up 12%'],
    [50, 100, '↓ 50%', 'down 50%'],
    [0, 4, '↓ 100%', 'down 100%'],
    [1001, 1000, '↑ under 1%', 'up under 1%'],
    [5, 0, '↑ from 0', 'up from 0'],
    [0, 0, '= unchanged', 'unchanged'],
  ])('to %d from %d is %s', (now, before, shown, words) => {
    const change = changeOf(now, before);
    expect([`${change.arrow} ${change.sign}`, change.words]).toEqual([shown, words]);
  });
});
