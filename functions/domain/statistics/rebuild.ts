/**
 * Recomputes the statistics from the leads, while the product runs. First every lead is counted again as it is; then
 * days and totals are summed from the counts of all leads and compared with the stored ones. A difference is corrected
 * on the condition that nothing of that day was counted since before the summing began.
 */

import type { DataContext } from '#functions/data/context';
import * as accountStore from '#functions/data/statistics/accounts';
import * as latencyStore from '#functions/data/statistics/latencies';
import * as sourceFigureStore from '#functions/data/statistics/source-figures';
import { type SourceDayShard, type Sums, summed } from '#functions/data/statistics/source-figures';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import {
  type BuyerDay,
  COUNTED_BY,
  type Day,
  EMPTY_BUYER_DAY,
  EMPTY_TOTALS,
  FIGURES,
  sumOfDays,
  sumOfTotals,
} from '#functions/data/statistics/statistics-store';
import {
  addTo,
  type Changes,
  count,
  noChanges,
  type StatisticsContext,
} from '#functions/domain/statistics/statistics';
import { CHANNELS } from '#shared/channels/channels';

export interface Rebuilt {
  readonly leads: number;
  /** Leads whose count was out of date; it is corrected. */
  readonly leadsCorrected: number;
  readonly differences: readonly Difference[];
  /** How many of the differences were corrected. */
  readonly repaired: number;
  /** Days, days of sources and of latencies, months of buyers, and `totals`, that changed during the comparison and so could not be compared. */
  readonly moving: readonly string[];
}

/** Where what is stored is not the sum of what was counted. */
export interface Difference {
  /**
   * `2026-11-21 buyer 3 originals`, `2026-11-21#2 assigned:3` of source 2, `2026-11-21#email 57` of the leads whose delivery
   * took as long as bucket 57 says, `2026-11#7 originals:12` of order 12 of buyer 7, or `totals revenue`.
   */
  readonly of: string;
  readonly stored: number;
  readonly actual: number;
}

const MAX_PASSES = 5;

/** @param repair false only reports differences of days and totals */
export async function rebuildStatistics(context: StatisticsContext, repair: boolean): Promise<Rebuilt> {
  let leads = 0;
  let leadsCorrected = 0;
  for await (const ids of statisticsStore.everyLead(context)) {
    leads += ids.length;
    leadsCorrected += await count(context, ids, () => CHANNELS);
  }
  const first = await compare(context);
  const { differences, moving } = first;
  if (!repair) return { leads, leadsCorrected, differences, repaired: 0, moving };
  let left = first;
  for (let pass = 0; left.differences.length > 0 && pass < MAX_PASSES; pass += 1) {
    await correct(context, left);
    left = await compare(context);
  }
  return {
    leads,
    leadsCorrected,
    differences,
    repaired: Math.max(0, differences.length - left.differences.length),
    moving,
  };
}

interface Compared {
  readonly stored: Shards;
  readonly actual: Changes;
  readonly differences: readonly Difference[];
  readonly moving: readonly string[];
}

type Shards = Awaited<ReturnType<typeof statisticsStore.everyShard>> & {
  readonly sources: readonly SumsShard[];
  readonly latencies: readonly SumsShard[];
  readonly accounts: readonly SumsShard[];
};
/** Of a day of a source, of a series of latencies, or of a month of a buyer. */
type SumsShard = SourceDayShard;
const SUMS = ['sources', 'latencies', 'accounts'] as const;

async function shardsOf(context: DataContext): Promise<Shards> {
  const [shards, sources, latencies, accounts] = await Promise.all([
    statisticsStore.everyShard(context),
    sourceFigureStore.everyShard(context),
    latencyStore.everyShard(context),
    accountStore.everyShard(context),
  ]);
  return { ...shards, sources, latencies, accounts };
}

async function compare(context: StatisticsContext): Promise<Compared> {
  // Versions are read before the summing: whatever is counted meanwhile raises them.
  const stored = await shardsOf(context);
  const actual = noChanges();
  for await (const page of statisticsStore.everyCounted(context))
    for (const { counted } of page) addTo(actual, counted, 1);
  const after = await shardsOf(context);
  const sums = sumOfDays(stored.days);
  const differences: Difference[] = [];
  const moving: string[] = [];
  for (const day of [
    ...new Set([...after.days.map((of) => of.day), ...sums.keys(), ...actual.days.keys()]),
  ].sort()) {
    const ofDay = (shards: Shards) => shards.days.filter((of) => of.day === day);
    if (versionsOf(ofDay(after)) !== versionsOf(ofDay(stored))) moving.push(day);
    else
      differences.push(...differencesOf(day, sums.get(day) ?? new Map(), actual.days.get(day) ?? new Map()));
  }
  for (const kind of SUMS)
    for (const name of [...new Set([...after[kind].map((of) => of.name), ...actual[kind].keys()])].sort()) {
      const ofName = (shards: Shards) => shards[kind].filter((of) => of.name === name);
      if (versionsOf(ofName(after)) !== versionsOf(ofName(stored))) moving.push(name);
      else {
        const sums = summed(ofName(stored).map(({ value }) => value));
        differences.push(...differencesOfSums(name, sums, actual[kind].get(name) ?? new Map()));
      }
    }
  if (versionsOf(after.totals) !== versionsOf(stored.totals)) {
    moving.push('totals');
    return { stored, actual, differences, moving };
  }
  const totals = stored.totals.reduce((sum, { value }) => sumOfTotals(sum, value), EMPTY_TOTALS);
  for (const field of ['assigned', 'pending', 'discarded', 'revenue', 'priced'] as const)
    if (totals[field] !== actual.totals[field])
      differences.push({ of: `totals ${field}`, stored: totals[field], actual: actual.totals[field] });
  return { stored, actual, differences, moving };
}

/** Text that is the same as long as nothing was written. */
function versionsOf(shards: readonly { readonly shard: number; readonly version: number }[]): string {
  return JSON.stringify(
    shards.map(({ shard, version }) => [shard, version] as const).toSorted(([a], [b]) => a - b),
  );
}

function differencesOf(day: string, stored: Day, actual: Day): Difference[] {
  return [...new Set([...stored.keys(), ...actual.keys()])].flatMap((buyer) => {
    const [is, should] = [stored.get(buyer) ?? EMPTY_BUYER_DAY, actual.get(buyer) ?? EMPTY_BUYER_DAY];
    const named = COUNTED_BY.flatMap((field) =>
      [...new Set([...Object.keys(is[field]), ...Object.keys(should[field])])].map((name) => ({
        of: field === 'prices' ? `originals at ${name}` : name,
        stored: is[field][name] ?? 0,
        actual: should[field][name] ?? 0,
      })),
    );
    return [...FIGURES.map((field) => ({ of: field, stored: is[field], actual: should[field] })), ...named]
      .filter((figure) => figure.stored !== figure.actual)
      .map((difference) => ({ ...difference, of: `${day} buyer ${buyer} ${difference.of}` }));
  });
}

function differencesOfSums(name: string, stored: Sums, actual: Sums): Difference[] {
  return [...new Set([...stored.keys(), ...actual.keys()])].flatMap((sum) => {
    const [is, should] = [stored.get(sum) ?? 0, actual.get(sum) ?? 0];
    return is === should ? [] : [{ of: `${name} ${sum}`, stored: is, actual: should }];
  });
}

/** What is true goes into the first shard, and nothing into the others. */
async function correct(context: StatisticsContext, compared: Compared): Promise<void> {
  const { stored, actual, differences } = compared;
  const wrong = new Set(differences.map(({ of }) => of.split(' ')[0] ?? ''));
  // One write each: a day that is being counted right now does not block the others.
  for (const day of wrong) {
    if (day === 'totals') {
      const shards = withFirst(stored.totals, { shard: 0, version: 0, value: EMPTY_TOTALS });
      const totals = shards.map((of) => ({ ...of, value: of.shard === 0 ? actual.totals : EMPTY_TOTALS }));
      await statisticsStore.write(context, { recounts: [], days: [], totals });
    } else if (day.includes('#')) {
      const nothing: Sums = new Map();
      const kind = SUMS.find((one) => actual[one].has(day) || stored[one].some((of) => of.name === day));
      if (kind === undefined) continue;
      const ofName = stored[kind].filter((of) => of.name === day);
      const corrected = withFirst(ofName, { name: day, shard: 0, version: 0, value: nothing }).map((of) => ({
        ...of,
        value: of.shard === 0 ? (actual[kind].get(day) ?? nothing) : nothing,
      }));
      await statisticsStore.write(context, { recounts: [], days: [], totals: [], [kind]: corrected });
    } else {
      const value = actual.days.get(day) ?? new Map<number, BuyerDay>();
      const nothing: Day = new Map();
      const ofDay = stored.days.filter((of) => of.day === day);
      const days = withFirst(ofDay, { day, shard: 0, version: 0, value: nothing }).map((of) => ({
        ...of,
        value: of.shard === 0 ? value : nothing,
      }));
      await statisticsStore.write(context, { recounts: [], days, totals: [] });
    }
  }
}

function withFirst<Shard extends { readonly shard: number }>(
  shards: readonly Shard[],
  first: Shard,
): Shard[] {
  return shards.some(({ shard }) => shard === 0) ? [...shards] : [first, ...shards];
}
