/** When a source counts as silent, by its usual pattern instead of a fixed time. */
import { describe, expect, it } from 'vitest';
import { type Hour, silenceOf } from '#functions/domain/statistics/silence';
import { addDays } from '#shared/rules/working-days';

/** A Friday. */
const LAST_DAY = '2026-11-20';

/** Two leads an hour from 9 to 17, Monday to Friday, for this many days up to that Friday. */
const officeHours = (days: number) =>
  Array.from({ length: days }, (_, at) => addDays(LAST_DAY, at + 1 - days))
    .filter((day) => ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()))
    .flatMap((day) => Array.from({ length: 9 }, (_, at) => ({ day, hour: 9 + at, leads: 2 })));

const at = (day: string, hour: number): Hour => ({ day, hour });

describe('a source with office hours', () => {
  it.for([
    ['in the evening', at(LAST_DAY, 23), undefined],
    ['all weekend long', at('2026-11-22', 23), undefined],
    ['on Monday before five are missing', at('2026-11-23', 11), undefined],
    ['on Monday at noon', at('2026-11-23', 12), 6],
    ['a day later', at('2026-11-24', 12), 24],
  ] as const)('that sent its last lead on Friday %s', ([, now, usual]) => {
    for (const days of [28, 60, 12]) {
      const silence = silenceOf(officeHours(days), now);
      expect(silence, `${days} days`).toEqual(
        usual === undefined ? undefined : { last: at(LAST_DAY, 17), usual },
      );
    }
  });

  it('is not silent while leads come, or with too few leads for a pattern', () => {
    const hours = officeHours(28);
    expect(silenceOf([...hours, { day: '2026-11-23', hour: 11, leads: 1 }], at('2026-11-23', 13))).toBe(
      undefined,
    );
    expect(silenceOf([{ day: LAST_DAY, hour: 9, leads: 9 }], at('2026-12-20', 0))).toBeUndefined();
    const nothing = { day: '2026-11-23', hour: 11, leads: 0 };
    expect(silenceOf([...hours, nothing], at('2026-11-23', 12))?.last).toEqual(at(LAST_DAY, 17));
    expect(silenceOf([], at(LAST_DAY, 9))).toBeUndefined();
    expect(silenceOf([{ day: LAST_DAY, hour: 9, leads: 0 }], at(LAST_DAY, 9))).toBeUndefined();
  });
});
