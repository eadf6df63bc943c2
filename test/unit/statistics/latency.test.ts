import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery, Lead } from '#functions/data/leads/lead';
import { nameOf, type Sums, summed } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { bucketOf, latencyOf, publicLatencies, quantilesOf } from '#functions/domain/statistics/latency';
import { changedLead, deliveredOver } from '#functions/workers/statistics/changes';
import type { LatencySeries } from '#shared/contract/rows/latency-series';
import { LATENCY_ERROR } from '#shared/rules/constants';
import { aDelivery } from '#test/factories/deliveries';
import { sumsItem } from '#test/factories/items';
import { aLead } from '#test/factories/leads';
import { changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

const WEEK_MS = 7 * 86_400_000;

const sketchOf = (times: readonly number[]): Sums =>
  summed(times.map((ms) => new Map([[String(bucketOf(ms)), 1]])));

describe('quantiles of latencies', () => {
  it('of merged sketches are within the stated error of the sorted times', () => {
    const times = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: WEEK_MS })),
      {
        minLength: 1,
        maxLength: 300,
      },
    );
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 8 }), (days) => {
        const sorted = days.flat().toSorted((a, b) => a - b);
        const found = quantilesOf(summed(days.map(sketchOf)));
        expect(found?.leads).toBe(sorted.length);
        for (const [quantile, value] of [
          [0.5, found!.p50],
          [0.95, found!.p95],
          [0.99, found!.p99],
        ] as const) {
          const truth = sorted[Math.floor(quantile * (sorted.length - 1))]!;
          // The sketch has an error, and milliseconds are rounded.
          expect(Math.abs(value - truth)).toBeLessThanOrEqual(LATENCY_ERROR * truth + 0.5 + 1e-6);
        }
      }),
    );
  });

  it('do not depend on the order of days, and can be reversed', () => {
    const times = fc.array(fc.integer({ min: 0, max: WEEK_MS }), { maxLength: 60 });
    fc.assert(
      fc.property(times, times, times, (a, b, c) => {
        const [first, second, third] = [sketchOf(a), sketchOf(b), sketchOf(c)];
        const less = new Map([...third].map(([bucket, leads]) => [bucket, -leads]));
        const kept = summed([third, summed([second, first]), less]);
        expect(quantilesOf(kept)).toEqual(quantilesOf(summed([first, second])));
      }),
    );
  });

  it('are empty without leads, and count zero as a millisecond', () => {
    expect(quantilesOf(new Map())).toBeUndefined();
    expect(quantilesOf(sketchOf([0]))).toEqual({ leads: 1, p50: 1, p95: 1, p99: 1 });
  });
});

describe('the public figures', () => {
  const series = (name: LatencySeries, leads: number, day: string) =>
    sumsItem(nameOf.latencyDay(day, name), { [bucketOf(100)]: leads });

  it('exclude series of fewer than fifty leads, and are read once a minute', async () => {
    let now = new Date('2026-11-21T12:00:00Z');
    const asked: string[] = [];
    const table = await memoryTableWith([
      { ...keys.statusPage(), public: true },
      series('assigned', 49, '2026-11-21'),
      series('assigned', 1, '2026-11-20'),
      series('email', 49, '2026-11-15'),
      series('email', 1, '2026-11-14'),
    ]);
    const noted = changedTable(table, {
      queryAll: (query) => {
        asked.push(JSON.stringify(query.sort));
        return table.queryAll(query);
      },
    });
    const deps = {
      table: noted,
      runtime: { ...quietRuntime, now: () => now },
      publicFigures: {},
    };
    const shown = async () =>
      (await publicLatencies(deps))?.map(({ days, series }) => [days, series.map((one) => one.series)]);
    const expected = [
      [1, []],
      [7, ['assigned']],
      [30, ['assigned', 'email']],
    ];
    expect(await shown()).toEqual(expected);
    now = new Date('2026-11-21T12:00:59Z');
    expect(await shown()).toEqual(expected);
    expect(asked).toEqual([JSON.stringify({ from: '2026-10-23', to: '2026-11-21~' })]);
    now = new Date('2026-11-21T12:01:00Z');
    await shown();
    expect(asked).toHaveLength(2);
    await table.put({ put: { ...keys.statusPage(), public: false } });
    expect(await shown()).toBeUndefined();
  });
});

describe('the latency of a lead', () => {
  const lead = (changes: Partial<Lead> = {}) =>
    aLead({
      received_at: '2026-11-20T22:59:59.000Z',
      assigned_at: '2026-11-20T22:59:59.500Z',
      ...changes,
    });
  const delivered = (changes: Partial<Delivery> = {}) =>
    aDelivery({
      channel: 'email',
      status: 'delivered',
      series: 1,
      updated_at: '2026-11-20T23:00:01.000Z',
      ...changes,
    });

  it('counts on the days of its assignment and delivery in Berlin, measured from ingestion', () => {
    expect(latencyOf(lead(), [delivered()], undefined)).toEqual({
      assigned: ['2026-11-20', bucketOf(500)],
      email: ['2026-11-21', bucketOf(2000)],
    });
    expect(latencyOf(lead({ status: 'received', assigned_at: undefined }), [], undefined)).toBeUndefined();
  });

  it('is not counted if the lead waited for an order or an admin', () => {
    for (const verified of [true, false])
      expect(latencyOf(lead({ verified }), [delivered()], undefined)).toBeUndefined();
  });

  it('stays when the lead is resent, deleted or removed', () => {
    const before = latencyOf(lead(), [delivered()], undefined);
    const again = delivered({ series: 2, updated_at: '2026-11-25T12:00:00.000Z' });
    expect(latencyOf(lead(), [again], before)).toEqual(before);
    expect(latencyOf(lead({ status: 'deleted' }), [], before)).toEqual(before);
    expect(latencyOf(undefined, [], before)).toEqual(before);
    // A delivery that failed and was resent manually never counts.
    expect(latencyOf(lead(), [again], undefined)).toEqual({ assigned: ['2026-11-20', bucketOf(500)] });
  });

  it('is recorded when a delivery arrives in its first series', () => {
    const image = (status: string, round: string, sk = 'DELIVERY#email') => ({
      sk: { S: sk },
      lead_id: { S: 'x' },
      status: { S: status },
      series: { N: round },
    });
    const record = (before: string, after: string, round = '1', sk?: string) => ({
      dynamodb: { OldImage: image(before, round, sk), NewImage: image(after, round, sk) },
    });
    expect(deliveredOver(record('pending', 'delivered'))).toBe('email');
    expect(changedLead(record('pending', 'delivered'))).toBe('x');
    for (const other of [
      record('pending', 'retrying'),
      record('delivered', 'delivered'),
      record('pending', 'delivered', '2'),
      record('pending', 'delivered', '1', 'DELIVERY#none'),
    ])
      expect([deliveredOver(other), changedLead(other)]).toEqual([undefined, undefined]);
  });
});
