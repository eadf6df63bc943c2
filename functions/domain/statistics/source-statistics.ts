/** Leads by source and their outcome, from the daily figures. Reads no lead. */

import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { sourceDays, summed } from '#functions/data/statistics/sums';
import { daysOf, type RangeQuery } from '#functions/domain/statistics/buyer-statistics';
import { type Silence, silenceOf, USUAL_DAYS } from '#functions/domain/statistics/silence';
import { addDays, berlinDay, berlinHour } from '#shared/rules/working-days';

/** The current outcome of leads; the last three are feedback. */
const OUTCOMES = ['assigned', 'claimed', 'approved', 'reached', 'not_reached', 'closed'] as const;
type Outcome = (typeof OUTCOMES)[number];
type Outcomes = Readonly<Record<Outcome, number>>;

const NO_OUTCOMES: Outcomes = {
  assigned: 0,
  claimed: 0,
  approved: 0,
  reached: 0,
  not_reached: 0,
  closed: 0,
};

export interface SourceBuyer extends Outcomes {
  readonly buyerId: string;
}

export interface SourceFigures extends Outcomes {
  readonly source: Source;
  readonly accepted: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly waiting: number;
  readonly revenue: number;
  readonly buyers: readonly SourceBuyer[];
}

export interface SourceStatistics {
  readonly from: string;
  readonly to: string;
  readonly sources: readonly SourceFigures[];
}

/** @throws DomainError 400 for a reversed range or one over two years */
export async function sourceStatistics(context: Context, query: RangeQuery): Promise<SourceStatistics> {
  const { first, last } = daysOf(query, berlinDay(context.runtime.now()));
  const [days, sources, buyers] = await Promise.all([
    sourceDays(context, first, last),
    sourceStore.all(context),
    buyerStore.all(context),
  ]);
  const idOf = new Map(buyers.map(({ buyer, buyer_id }) => [buyer, buyer_id]));
  return {
    from: first,
    to: last,
    sources: sources.map((source) => {
      const its = days.filter((day) => day.source === source.source);
      return figuresOf(source, summed(its.map((day) => day.sums)), idOf);
    }),
  };
}

function figuresOf(
  source: Source,
  sums: ReadonlyMap<string, number>,
  idOf: ReadonlyMap<number, string>,
): SourceFigures {
  const byBuyer = new Map<number, Outcomes>();
  const all = { ...NO_OUTCOMES };
  let revenue = 0;
  for (const [name, value] of sums) {
    const [what = '', buyer, cents] = name.split(':');
    if (what === 'price') revenue += Number(cents) * value;
    const outcome = OUTCOMES.find((one) => one === what);
    if (outcome === undefined) continue;
    const of = byBuyer.get(Number(buyer)) ?? NO_OUTCOMES;
    byBuyer.set(Number(buyer), { ...of, [outcome]: of[outcome] + value });
    all[outcome] += value;
  }
  return {
    source,
    accepted: sums.get('accepted') ?? 0,
    duplicates: sums.get('duplicates') ?? 0,
    invalid: sums.get('invalid') ?? 0,
    waiting: sums.get('waiting') ?? 0,
    ...all,
    revenue,
    buyers: [...byBuyer]
      .map(([buyer, of]) => ({ buyerId: idOf.get(buyer) ?? String(buyer), ...of }))
      .toSorted((a, b) => b.assigned - a.assigned || a.buyerId.localeCompare(b.buyerId)),
  };
}

export interface SilentSource extends Silence {
  readonly source: Source;
}

const SAID_DAYS = 28;

export async function silentSources(context: Context): Promise<SilentSource[]> {
  const now = context.runtime.now();
  const today = berlinDay(now);
  const sources = (await sourceStore.all(context)).filter(({ state }) => state === 'live');
  if (sources.length === 0) return [];
  const days = await sourceDays(context, addDays(today, -SAID_DAYS - USUAL_DAYS), today);
  return sources.flatMap((source) => {
    const hours = days
      .filter((day) => day.source === source.source)
      .flatMap(({ day, sums }) =>
        [...sums].flatMap(([name, leads]) => {
          const [what, hour] = name.split(':');
          return what === 'hour' ? [{ day, hour: Number(hour), leads }] : [];
        }),
      );
    const silence = silenceOf(hours, { day: today, hour: berlinHour(now) });
    return silence === undefined || silence.last.day < addDays(today, -SAID_DAYS)
      ? []
      : [{ source, ...silence }];
  });
}
