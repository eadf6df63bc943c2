/**
 * Recomputes the statistics from the leads, while the product runs: counts every lead again, and compares the stored sums with the sums
 * of all counts. A correction requires that nothing was counted in that sum meanwhile.
 */

import * as statisticsStore from '#functions/data/statistics/statistics-store';
import * as sumsStore from '#functions/data/statistics/sums';
import { type Sums, type SumsShard, summed, tailOf } from '#functions/data/statistics/sums';
import { addTo, type Changes, count, type StatisticsContext } from '#functions/domain/statistics/statistics';
import { CHANNELS } from '#shared/channels/channels';

export interface Difference {
  /**
   * `2026-11-21 originals:3` of buyer 3, `2026-11-21#2 assigned:3` of source 2, `2026-11-21#email 57` for latency bucket 57,
   * `7#2026-11 originals:12` of order 12 of buyer 7, or `totals revenue`.
   */
  readonly of: string;
  readonly stored: number;
  readonly actual: number;
}

const MAX_PASSES = 5;

export async function rebuildStatistics(context: StatisticsContext, repair: boolean) {
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
  readonly wrong: readonly (readonly [shards: readonly SumsShard[], actual: Sums])[];
  readonly moving: readonly string[];
}

const NOTHING: Sums = new Map();

async function compare(context: StatisticsContext): Promise<Compared> {
  // Versions are read before leads are summed, because a concurrent count raises them.
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
      moving.push(tailOf(name));
      continue;
    }
    const should = actual.get(name) ?? NOTHING;
    const found = differencesOf(tailOf(name), summed(shards.map(({ value }) => value)), should);
    differences.push(...found);
    const first = { name, shard: 0, version: 0, value: NOTHING };
    if (found.length > 0)
      wrong.push([shards.some(({ shard }) => shard === 0) ? shards : [first, ...shards], should]);
  }
  return { differences, wrong, moving };
}

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

async function correct(context: StatisticsContext, { wrong }: Compared): Promise<void> {
  // One write each: a day that is being counted does not block the others.
  for (const [shards, actual] of wrong) {
    const corrected = shards.map((of) => ({ ...of, value: of.shard === 0 ? actual : NOTHING }));
    await statisticsStore.write(context, [], corrected);
  }
}
