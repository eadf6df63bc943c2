/**
 * Recomputes the statistics from the leads, while the product runs. First every lead is counted again as it is; then
 * days and totals are summed from the counts of all leads and compared with the stored ones. A difference is corrected
 * on the condition that nothing of that day was counted since before the summing began.
 */
import {
  type BuyerDay,
  type Day,
  EMPTY_BUYER_DAY,
  type Totals,
  type Versioned,
} from '#functions/data/statistics/statistics-store';
import {
  addTo,
  type Changes,
  count,
  FIGURES,
  noChanges,
  type StatisticsDeps,
} from '#functions/domain/statistics/statistics';

export interface Rebuilt {
  readonly leads: number;
  /** Leads whose count was out of date; it is corrected. */
  readonly leadsCorrected: number;
  readonly differences: readonly Difference[];
  /** How many of the differences were corrected. */
  readonly repaired: number;
  /** Days, and `totals`, that changed during the comparison and so could not be compared. */
  readonly moving: readonly string[];
}

/** Where what is stored is not the sum of what was counted. */
export interface Difference {
  /** `2026-11-21 buyer 3 originals` or `totals revenue`. */
  readonly of: string;
  readonly stored: number;
  readonly actual: number;
}

const MAX_PASSES = 5;

/** @param repair false only reports differences of days and totals */
export async function rebuildStatistics(deps: StatisticsDeps, repair: boolean): Promise<Rebuilt> {
  let leads = 0;
  let leadsCorrected = 0;
  for await (const ids of deps.statistics.everyLead()) {
    leads += ids.length;
    leadsCorrected += await count(deps, ids);
  }
  const first = await compare(deps);
  const { differences, moving } = first;
  if (!repair) return { leads, leadsCorrected, differences, repaired: 0, moving };
  let left = first;
  for (let pass = 0; left.differences.length > 0 && pass < MAX_PASSES; pass += 1) {
    await correct(deps, left);
    left = await compare(deps);
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
  readonly stored: ReadonlyMap<string, Versioned<Day>>;
  readonly totals: Versioned<Totals>;
  readonly actual: Changes;
  readonly differences: readonly Difference[];
  readonly moving: readonly string[];
}

async function compare({ statistics }: StatisticsDeps): Promise<Compared> {
  // Versions are read before the summing: whatever is counted meanwhile raises them.
  const days = await statistics.everyDay();
  const values = await statistics.days(days);
  const totals = await statistics.totals();
  const actual = noChanges();
  for await (const page of statistics.everyCounted())
    for (const { counted } of page) addTo(actual, counted, 1);
  const stored = new Map(days.map((day, at) => [day, values[at] ?? { version: 0, value: new Map() }]));
  const differences: Difference[] = [];
  const moving: string[] = [];
  const every = [...new Set([...days, ...actual.days.keys()])].sort();
  for (const [at, { version }] of (await statistics.days(every)).entries()) {
    const day = every[at] ?? '';
    const was = stored.get(day) ?? { version: 0, value: new Map() };
    if (version !== was.version) moving.push(day);
    else differences.push(...differencesOf(day, was.value, actual.days.get(day) ?? new Map()));
  }
  if ((await statistics.totals()).version !== totals.version) {
    moving.push('totals');
    return { stored, totals, actual, differences, moving };
  }
  for (const field of ['assigned', 'pending', 'discarded', 'revenue', 'priced'] as const)
    if (totals.value[field] !== actual.totals[field])
      differences.push({ of: `totals ${field}`, stored: totals.value[field], actual: actual.totals[field] });
  return { stored, totals, actual, differences, moving };
}

function differencesOf(day: string, stored: Day, actual: Day): Difference[] {
  return [...new Set([...stored.keys(), ...actual.keys()])].flatMap((buyer) => {
    const [is, should] = [stored.get(buyer) ?? EMPTY_BUYER_DAY, actual.get(buyer) ?? EMPTY_BUYER_DAY];
    const prices = [...new Set([...Object.keys(is.prices), ...Object.keys(should.prices)])];
    return [
      ...FIGURES.map((field) => ({ of: field, stored: is[field], actual: should[field] })),
      ...prices.map((price) => ({
        of: `originals at ${price}`,
        stored: is.prices[price] ?? 0,
        actual: should.prices[price] ?? 0,
      })),
    ]
      .filter((figure) => figure.stored !== figure.actual)
      .map((difference) => ({ ...difference, of: `${day} buyer ${buyer} ${difference.of}` }));
  });
}

async function correct({ statistics }: StatisticsDeps, compared: Compared): Promise<void> {
  const { stored, totals, actual, differences } = compared;
  const wrong = new Set(differences.map(({ of }) => of.split(' ')[0] ?? ''));
  // One write each: a day that is being counted right now does not block the others.
  for (const day of wrong) {
    if (day === 'totals') {
      await statistics.write({
        recounts: [],
        days: new Map(),
        totals: { version: totals.version, value: actual.totals },
      });
    } else {
      const version = stored.get(day)?.version ?? 0;
      const value = actual.days.get(day) ?? new Map<number, BuyerDay>();
      await statistics.write({ recounts: [], days: new Map([[day, { version, value }]]), totals: undefined });
    }
  }
}
