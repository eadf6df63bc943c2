/** A buyer's lists of sources, and their change if it no longer takes one. */
import { describe, expect, it } from 'vitest';
import { listsWithout, takesSource } from '#frontend/admin/sources/exclusion';

const lists = (sources_allowed: number[], sources_excluded: number[]) => ({
  sources_allowed,
  sources_excluded,
});

describe('the sources of a buyer', () => {
  it('are all, those allowed, or those not excluded', () => {
    const taken = (of: ReturnType<typeof lists>) => [1, 2, 3].filter((source) => takesSource(of, source));
    expect(taken(lists([], []))).toEqual([1, 2, 3]);
    expect(taken(lists([2], []))).toEqual([2]);
    expect(taken(lists([], [2]))).toEqual([1, 3]);
  });

  it('without one more are listed in order, once', () => {
    expect(listsWithout(lists([], []), 2)).toEqual(lists([], [2]));
    expect(listsWithout(lists([], [3, 10]), 9)).toEqual(lists([], [3, 9, 10]));
    expect(listsWithout(lists([], [2]), 2)).toEqual(lists([], [2]));
  });

  it('lose one of those allowed, but never the only one', () => {
    expect(listsWithout(lists([1, 2], []), 2)).toEqual(lists([1], []));
    expect(listsWithout(lists([1], []), 2)).toEqual(lists([1], []));
    expect(listsWithout(lists([2], []), 2)).toBeUndefined();
  });
});
