/** A source's limits with many concurrent calls and any order of writes. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Source, UNLIMITED } from '#functions/data/sources/source';
import type { Used } from '#functions/data/sources/source-counts';
import * as sourceCounts from '#functions/data/sources/source-counts';
import * as sourceStore from '#functions/data/sources/source-store';
import type { Table } from '#functions/data/table/table';
import { aroundCalls, changedTable } from '#test/harness/distribution';
import { addSources } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';
import { withRoundTrips } from '#test/harness/round-trips';

/** Midnight in Berlin, when a minute and a day begin together. */
const MIDNIGHT = Date.parse('2026-05-04T22:00:00.000Z');
const MINUTE = MIDNIGHT / 60_000;

/** A source whose last call was in the minute before midnight. */
const before = (changes: Partial<Source> = {}): Partial<Source> => ({
  minute: MINUTE - 1,
  minute_left: 0,
  day: '2026-05-04',
  day_left: 0,
  keys: {
    a: { prefix: 'lds_1a_', hash: 'hash', created_at: '2026-01-01T00:00:00.000Z', last_used_at: null },
  },
  ...changes,
});

/** @param seconds after midnight, below zero before it */
const useOn = (table: Table, leads: number, seconds: number, hash = 'hash'): Promise<Used> =>
  sourceCounts.use(
    { table },
    {
      source: 1,
      slot: 'a',
      hash,
      leads,
      at: new Date(MIDNIGHT + seconds * 1000),
      day: seconds < 0 ? '2026-05-04' : '2026-05-05',
    },
  );

/** Lets other calls run first, as often as the next number says. */
function slow(table: Table, delays: readonly number[]): Table {
  let calls = 0;
  return aroundCalls(table, async (send) => {
    calls += 1;
    for (let turn = delays[calls % delays.length] ?? 0; turn > 0; turn -= 1)
      await new Promise((resolve) => void setImmediate(resolve));
    return send();
  });
}

it('answers a hundred calls at the start of a minute and a day, and enforces the limit', async () => {
  const table = memoryTable();
  await addSources(table, 1, before({ per_day: 60 }));
  const used = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => useOn(table, 1, 0, at % 5 === 0 ? 'other' : 'hash')),
  );
  const answered = (answer: string) =>
    used.filter((one) => (one.allowed ? 'yes' : one.why) === answer).length;
  expect(['yes', 'per_day', 'key'].map(answered)).toEqual([60, 20, 20]);
});

it('ingests exactly what the limits allow, for any order of writes and any clocks', async () => {
  const limit = fc.integer({ min: 1, max: 12 });
  const call = fc.record({
    leads: fc.integer({ min: 1, max: 3 }),
    /** Calls whose clocks differ by up to two minutes, around the start of a day. */
    seconds: fc.integer({ min: -60, max: 60 }),
    delays: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        per_minute: limit,
        per_day: limit,
        in_total: limit,
        state: fc.constantFrom('live', 'test'),
      }),
      fc.array(call, { minLength: 2, maxLength: 16 }),
      async (limits, calls) => {
        const table = memoryTable();
        const { per_minute, per_day, in_total, state } = limits;
        await addSources(table, 1, before({ per_minute, per_day, in_total, total_left: in_total, state }));
        const used = await Promise.all(
          calls.map(async ({ leads, seconds, delays }) => ({
            leads,
            used: await useOn(slow(table, delays), leads, seconds),
          })),
        );
        const taken = (isOf: (source: Source) => boolean) =>
          used.reduce((sum, one) => sum + (one.used.allowed && isOf(one.used.source) ? one.leads : 0), 0);
        const inMinute = (minute: number) => taken((source) => source.minute === minute);
        const onDay = (day: string) => taken((source) => source.day === day);
        // The limits of the minute and day before midnight were used up.
        for (const minute of [MINUTE, MINUTE + 1]) expect(inMinute(minute)).toBeLessThanOrEqual(per_minute);
        expect(inMinute(MINUTE - 1)).toBe(0);
        if (state === 'live') {
          expect(onDay('2026-05-04')).toBe(0);
          expect(taken(() => true)).toBeLessThanOrEqual(Math.min(per_day, in_total));
        }
        // Every rejected lead exceeded the limit.
        for (const { leads, used: one } of used) {
          if (one.allowed || one.why === 'key') continue;
          const { minute, day } = one.source;
          if (one.why === 'per_minute' && minute >= MINUTE)
            expect(inMinute(minute) + leads).toBeGreaterThan(per_minute);
          if (one.why === 'per_day' && day >= '2026-05-05')
            expect(onDay(day) + leads).toBeGreaterThan(per_day);
          if (one.why === 'in_total') expect(taken(() => true) + leads).toBeGreaterThan(in_total);
          if (state === 'test') expect(one.why).toBe('per_minute');
        }
        const left = await sourceStore.get({ table }, 1);
        expect(left?.total_left).toBe(in_total - (state === 'live' ? taken(() => true) : 0));
      },
    ),
    { numRuns: 150 },
  );
});

it('starts a minute and a day with the limits that an admin has just set', async () => {
  const table = memoryTable();
  const [source] = await addSources(table, 1, before({ per_day: 50 }));
  let writes = 0;
  const edited = changedTable(table, {
    update: async (...args) => {
      writes += 1;
      if (writes === 2) await table.transact(sourceStore.changed(source!, { per_minute: 5, per_day: 7 }));
      return table.update(...args);
    },
  });
  expect(await useOn(edited, 1, 0)).toMatchObject({ source: { minute_left: 4, day_left: 6 } });
  expect(writes).toBe(3);
});

it('costs one write a call, and two for the first call of a minute and in test mode', async () => {
  const writes = async (changes: Partial<Source>) => {
    const table = memoryTable();
    await addSources(table, 1, before({ per_day: UNLIMITED, ...changes }));
    const each: number[] = [];
    for (const second of [0, 1, 2, 60]) {
      const measured = withRoundTrips(table);
      await useOn(measured.table, 1, second);
      each.push(measured.roundTrips());
    }
    return each;
  };
  expect(await writes({})).toEqual([2, 1, 1, 2]);
  expect(await writes({ state: 'test' })).toEqual([2, 2, 2, 2]);
});
