/** Days begin at midnight in Berlin: 22:00 UTC in summer, 23:00 in winter. */
import { describe, expect, it } from 'vitest';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { simulate } from '#functions/domain/statistics/simulation';
import { toCount } from '#functions/domain/statistics/statistics';
import { aDecision, aLead } from '#test/factories/leads';

const MIDNIGHTS = [
  ['summer', '2026-07-14T21:59:59.999Z', '2026-07-14'],
  ['summer', '2026-07-14T22:00:00.000Z', '2026-07-15'],
  ['winter', '2026-01-14T22:59:59.999Z', '2026-01-14'],
  ['winter', '2026-01-14T23:00:00.000Z', '2026-01-15'],
  ['the night of summer time', '2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['the night of winter time', '2026-10-25T22:59:59.999Z', '2026-10-25'],
] as const;

/** A system without buyers that notes for which days it is asked. */
const emptySystem = (asked: string[]) => ({
  buyers: { all: async () => [], byId: async () => undefined },
  orders: { ofBuyer: async () => [] },
  orderCache: { all: async () => ({ orders: [], comments: new Map<number, string>() }) },
  pool: { read: async () => ({ entries: [] }) as never },
  statistics: {
    range: async (from: string, to: string) => {
      asked.push(`${from} to ${to}`);
      return new Map();
    },
    decidedOn: async (day: string) => {
      asked.push(day);
      return [];
    },
  },
});

describe.each(MIDNIGHTS)('in %s, %s', (_, instant, day) => {
  it(`counts leads and decisions on ${day}`, () => {
    const counted = toCount(aLead({ assigned_at: instant }), aDecision({ decided_at: instant }), 100);
    expect(counted.assignment?.day).toBe(day);
    expect(counted.decided?.day).toBe(day);
  });

  it(`ends statistics and simulations with ${day}`, async () => {
    const runtime = { now: () => new Date(instant) };
    const asked: string[] = [];
    const deps = emptySystem(asked);
    const { days } = await buyerStatistics({ ...deps, runtime }, { days: 7 });
    expect(days.at(-1)?.date).toBe(day);
    expect(days).toHaveLength(7);
    expect(asked).toEqual([`${days[0]?.date} to ${day}`]);
    await simulate({ ...deps, runtime }, { days: 1, buyers: [] });
    expect(asked.at(-1)).toBe(day);
  });
});
