import { describe, expect, it } from 'vitest';
import { digest, isSettled, parseTag, tagOf, tagText } from '#functions/domain/leads/list-tag';

const at = (seconds: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, seconds));
const ONE = { state: digest('one'), content: digest('leads') };
const OTHER = { state: digest('other'), content: digest('leads') };

describe('the tag of a list', () => {
  it('is parsed from the header, even among others or weakened by a proxy', () => {
    const tag = tagOf(ONE, undefined, true, at(0));
    expect(parseTag(tagText(tag))).toEqual(tag);
    expect(parseTag(`"abc", W/${tagText(tag)}`)).toEqual(tag);
    for (const header of [undefined, '', '*', '"abc"', `"${ONE.state}"`, tagText(tag).slice(1)])
      expect(parseTag(header), header).toBeUndefined();
  });

  it('is settled after two reads with the same state, five seconds apart', () => {
    const first = tagOf(ONE, undefined, true, at(0));
    expect(first.settled).toBe(false);
    const early = tagOf(ONE, first, true, at(4));
    expect(early.settled).toBe(false);
    expect(tagOf(ONE, early, true, at(5)).settled).toBe(true);
    expect(tagOf(OTHER, early, true, at(5)).settled).toBe(false);
    expect(tagOf(ONE, tagOf(OTHER, early, true, at(5)), true, at(9)).settled).toBe(false);
  });

  it('is not settled while a change is in progress', () => {
    const first = tagOf(ONE, undefined, false, at(0));
    expect(tagOf(ONE, first, false, at(60)).settled).toBe(false);
    expect(tagOf(ONE, first, true, at(60)).settled).toBe(true);
  });

  it('is valid for its state once settled, for ten minutes', () => {
    const settled = tagOf(ONE, tagOf(ONE, undefined, true, at(0)), true, at(10));
    expect(isSettled(settled, ONE.state, at(10))).toBe(true);
    expect(isSettled(settled, ONE.state, at(609))).toBe(true);
    expect(isSettled(settled, ONE.state, at(610))).toBe(false);
    expect(isSettled(settled, ONE.state, at(9))).toBe(false);
    expect(isSettled(settled, OTHER.state, at(11))).toBe(false);
    expect(isSettled(tagOf(ONE, undefined, true, at(0)), ONE.state, at(11))).toBe(false);
    expect(tagOf(ONE, settled, true, at(700))).toMatchObject({ settled: false });
  });
});
