/**
 * How long leads take from intake to assignment and to delivery, as quantiles of sketches, which have a bounded error and can be added
 * over days. Only first attempts count: a lead that waited for an order or an admin, or was resent, says nothing about speed. See
 * `docs/adr/0010-statistics.md`.
 */

import { DDSketch } from '@datadog/sketches-js';
import * as settingStore from '#functions/data/administration/settings-store';
import type { Context } from '#functions/data/context';
import type { Delivery, Lead } from '#functions/data/leads/lead';
import type { Counted, Latency } from '#functions/data/statistics/statistics-store';
import { nameOf, type Part, type Sums, summed, sumsIn, tailOf } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { daysOf, type RangeQuery } from '#functions/domain/statistics/buyer-statistics';
import { LATENCY_SERIES, type LatencySeries } from '#shared/contract/rows/latency-series';
import { LATENCY_ERROR, LATENCY_RANGE_DAYS, type LatencyRangeDays } from '#shared/rules/constants';
import { addDays, berlinDay } from '#shared/rules/working-days';

const { mapping } = new DDSketch({ relativeAccuracy: LATENCY_ERROR });

export const bucketOf = (ms: number): number => mapping.key(Math.max(1, ms));

export interface Quantiles {
  readonly leads: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function quantilesOf(leads: Sums): Quantiles | undefined {
  const sketch = new DDSketch({ relativeAccuracy: LATENCY_ERROR });
  // The value of a bucket is in its middle, so it returns to the same bucket.
  for (const [bucket, count] of leads) if (count > 0) sketch.accept(mapping.value(Number(bucket)), count);
  if (sketch.count === 0) return undefined;
  const at = (quantile: number) => Math.round(sketch.getValueAtQuantile(quantile));
  return { leads: sketch.count, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** @param before the earlier value, which a resent delivery keeps: it counts with the time of its first series */
export function latencyOf(
  lead: Lead | undefined,
  deliveries: readonly Delivery[],
  before: Latency | undefined,
): Latency | undefined {
  const found = new Map<LatencySeries, readonly [string, number]>();
  for (const series of LATENCY_SERIES) {
    const already = before?.[series];
    if (already !== undefined) found.set(series, already);
  }
  // `verified` is set when a pending lead is released; such leads do not count.
  if (lead !== undefined && lead.verified === undefined) {
    const took = (end: string) =>
      [berlinDay(new Date(end)), bucketOf(msBetween(lead.received_at, end))] as const;
    if (lead.assigned_at !== undefined) found.set('assigned', took(lead.assigned_at));
    for (const { channel, status, series, updated_at } of deliveries)
      if (status === 'delivered' && series === 1) found.set(channel, took(updated_at));
  }
  if (found.size === 0) return undefined;
  // Always in this order, because stored counts are compared as text.
  const latency: Latency = {};
  for (const series of LATENCY_SERIES) {
    const [day, bucket] = found.get(series) ?? [];
    if (day !== undefined && bucket !== undefined) latency[series] = [day, bucket];
  }
  return latency;
}

const msBetween = (from: string, to: string) => Date.parse(to) - Date.parse(from);

export const latencyParts = ({ latency = {} }: Pick<Counted, 'latency'>): Part[] =>
  LATENCY_SERIES.flatMap((series) => {
    const [day, bucket] = latency[series] ?? [];
    return day === undefined ? [] : [[nameOf.latencyDay(day, series), String(bucket), 1]];
  });

export interface SeriesTimes {
  readonly series: LatencySeries;
  readonly quantiles: Quantiles;
}

/** Series without a lead are omitted. */
export interface LatencyPeriod {
  readonly from: string;
  readonly to: string;
  readonly series: readonly SeriesTimes[];
}

export interface LatencyRange {
  readonly days: LatencyRangeDays;
  readonly series: readonly SeriesTimes[];
}

/** @throws DomainError 400 for a reversed range or one over two years */
export async function latencies(context: Context, query: RangeQuery): Promise<LatencyPeriod> {
  const { first, last, days } = daysOf(query, berlinDay(context.runtime.now()));
  const all = await sumsIn(context, keys.latencies(), { from: first, to: last });
  return { from: first, to: last, series: timesUpTo(last, days, all) };
}

async function latencyRanges(context: Context): Promise<LatencyRange[]> {
  const today = berlinDay(context.runtime.now());
  const from = addDays(today, 1 - Math.max(...LATENCY_RANGE_DAYS));
  const all = await sumsIn(context, keys.latencies(), { from, to: today });
  return LATENCY_RANGE_DAYS.map((days) => ({ days, series: timesUpTo(today, days, all) }));
}

function timesUpTo(last: string, days: number, all: ReadonlyMap<string, Sums>): SeriesTimes[] {
  const dates = Array.from({ length: days }, (_, ago) => addDays(last, -ago));
  return LATENCY_SERIES.flatMap((series) => {
    const sums = dates.flatMap((day) => all.get(tailOf(nameOf.latencyDay(day, series))) ?? []);
    const quantiles = quantilesOf(summed(sums));
    return quantiles === undefined ? [] : [{ series, quantiles }];
  });
}

/** A quantile of fewer leads could disclose the time of a single lead. */
export const PUBLIC_FROM_LEADS = 50;
/** The page is public, so this bounds the reads. */
const PUBLIC_FOR_MS = 60_000;

/** The public figures: only series with enough leads. @returns undefined while the status page is not public */
export async function publicLatencies(
  context: Context & {
    readonly publicFigures: { read?: { readonly at: number; readonly ranges: LatencyRange[] } };
  },
): Promise<LatencyRange[] | undefined> {
  if (!(await settingStore.statusPagePublic(context))) return undefined;
  const now = context.runtime.now().getTime();
  const { read } = context.publicFigures;
  if (read !== undefined && now - read.at < PUBLIC_FOR_MS) return read.ranges;
  const all = await latencyRanges(context);
  const ranges = all.map(({ days, series }) => ({
    days,
    series: series.filter(({ quantiles }) => quantiles.leads >= PUBLIC_FROM_LEADS),
  }));
  context.publicFigures.read = { at: now, ranges };
  return ranges;
}
