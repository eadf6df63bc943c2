/**
 * Recomputes the statistics from the leads, while the product runs. First every lead is counted again as it is; then
 * the counts of all leads are summed and compared with the stored sums. A difference is corrected on the condition that
 * nothing of that sum was counted since before the summing began.
 */

import * as statisticsStore from '#functions/data/statistics/statistics-store';
import * as sumsStore from '#functions/data/statistics/sums';
import { type Sums, type SumsShard, summed, whatOf } from '#functions/data/statistics/sums';
import { addTo, type Changes, count, type StatisticsContext } from '#functions/domain/statistics/statistics';
import { CHANNELS } from '#shared/channels/channels';

export interface Rebuilt {
  readonly leads: number;
  /** Leads whose count was out of date; it is corrected. */
  readonly leadsCorrected: number;
  readonly differences: readonly Difference[];
  /** How many of the differences were corrected. */
  readonly repaired: number;
  /** What was counted on during the comparison and so could not be compared: days, days of sources and of latencies, months of buyers, `totals`. */
  readonly moving: readonly string[];
}

/** Where what is stored is not the sum of what was counted. */
export interface Difference {
  /**
   * `2026-11-21 originals:3` of buyer 3, `2026-11-21#2 assigned:3` of source 2, `2026-11-21#email 57` of the leads whose delivery
   * took as long as bucket 57 says, `7#2026-11 originals:12` of order 12 of buyer 7, or `totals revenue`.
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
  readonly differences: readonly Difference[];
  /** The shards of each wrong sum, and what it should be. */
  readonly wrong: readonly (readonly [shards: readonly SumsShard[], actual: Sums])[];
  readonly moving: readonly string[];
}

const NOTHING: Sums = new Map();

async function compare(context: StatisticsContext): Promise<Compared> {
  // Versions are read before the summing: whatever is counted meanwhile raises them.
  const stored = await sumsStore.everyShard(context);
  const actual: Changes = new Map();
  for await (const page of statisticsStore.everyCounted(context))
    for (const { counted } of page) addTo(actual, counted, 1);
  const after = await sumsStore.everyShard(context);
  const differences: Difference[] = [];
  const wrong: Compared['wrong'][number][] = [];
  const moving: string[] = [];
  for (const name of [...new Set([...after.keys(), ...actual.keys()])].sort()) {
    const shards = stored.get(name) ?? [];
    if (versionsOf(after.get(name) ?? []) !== versionsOf(shards)) {
      moving.push(whatOf(name));
      continue;
    }
    const should = actual.get(name) ?? NOTHING;
    const found = differencesOf(whatOf(name), summed(shards.map(({ value }) => value)), should);
    differences.push(...found);
    const first = { name, shard: 0, version: 0, value: NOTHING };
    if (found.length > 0)
      wrong.push([shards.some(({ shard }) => shard === 0) ? shards : [first, ...shards], should]);
  }
  return { differences, wrong, moving };
}

/** Text that is the same as long as nothing was written. */
function versionsOf(shards: readonly { readonly shard: number; readonly version: number }[]): string {
  return JSON.stringify(
    shards.map(({ shard, version }) => [shard, version] as const).toSorted(([a], [b]) => a - b),
  );
}

function differencesOf(what: string, stored: Sums, actual: Sums): Difference[] {
  return [...new Set([...stored.keys(), ...actual.keys()])].flatMap((figure) => {
    const [is, should] = [stored.get(figure) ?? 0, actual.get(figure) ?? 0];
    return is === should ? [] : [{ of: `${what} ${figure}`, stored: is, actual: should }];
  });
}

/** What is true goes into the first shard, and nothing into the others. */
async function correct(context: StatisticsContext, { wrong }: Compared): Promise<void> {
  // One write each: a day that is being counted right now does not block the others.
  for (const [shards, actual] of wrong) {
    const corrected = shards.map((of) => ({ ...of, value: of.shard === 0 ? actual : NOTHING }));
    await statisticsStore.write(context, [], corrected);
  }
}
