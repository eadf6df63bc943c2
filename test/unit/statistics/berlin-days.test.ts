/** Days begin at midnight in Berlin: 22:00 UTC in summer, 23:00 in winter. */

import { describe, expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { simulate } from '#functions/domain/statistics/simulation';
import { toCount } from '#functions/domain/statistics/statistics';
import { aDecision, aLead } from '#test/factories/leads';
import { orderCacheOf } from '#test/factories/orders';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const MIDNIGHTS = [
  ['summer', '2026-07-14T21:59:59.999Z', '2026-07-14'],
  ['summer', '2026-07-14T22:00:00.000Z', '2026-07-15'],
  ['winter', '2026-01-14T22:59:59.999Z', '2026-01-14'],
  ['winter', '2026-01-14T23:00:00.000Z', '2026-01-15'],
  ['the start of daylight saving time', '2026-03-28T23:00:00.000Z', '2026-03-29'],
  ['the end of daylight saving time', '2026-10-25T22:59:59.999Z', '2026-10-25'],
] as const;

/** A system without buyers that records the days of requested statistics. */
const emptySystem = (asked: string[], now: Date) => {
  const table = changedTable(memoryTable(), {
    queryAll: async ({ partition, sort }) => {
      if (partition === keys.statistics() && sort && 'from' in sort)
        asked.push(`${sort.from} to ${sort.to.slice(0, 10)}`);
      return [];
    },
    query: async ({ partition }) => {
      asked.push(partition);
      return { items: [], next: undefined };
    },
  });
  return {
    ...adminOn(table, { ...quietRuntime, now: () => now }),
    orderCache: orderCacheOf([]),
  };
};

describe.each(MIDNIGHTS)('in %s, %s', (_, instant, day) => {
  it(`counts leads and decisions on ${day}`, () => {
    const counted = toCount(aLead({ assigned_at: instant }), aDecision({ decided_at: instant }), 100);
    expect(counted.assignment?.day).toBe(day);
    expect(counted.decided?.day).toBe(day);
  });

  it(`ends statistics and simulations with ${day}`, async () => {
    const asked: string[] = [];
    const deps = emptySystem(asked, new Date(instant));
    const { days } = await buyerStatistics(deps, { days: 7 });
    expect(days.at(-1)?.date).toBe(day);
    expect(days).toHaveLength(7);
    expect(asked).toEqual([`${days[0]?.date} to ${day}`]);
    await simulate(deps, { days: 1, buyers: [] });
    expect(asked.at(-1)).toContain(day);
  });
});
