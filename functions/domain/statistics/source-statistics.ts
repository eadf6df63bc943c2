/** Leads by source and their outcome, from the daily figures. Reads no lead. */

import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import type { Cost, Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { sourceDays, summed } from '#functions/data/statistics/sums';
import { type Months, monthOf, monthsOf } from '#functions/domain/statistics/accounting';
import { daysOf, type RangeQuery } from '#functions/domain/statistics/buyer-statistics';
import { type DayOfSource, type Margin, marginOf } from '#functions/domain/statistics/margin';
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

interface Totals extends Outcomes, Margin {
  readonly accepted: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly waiting: number;
  readonly buyers: readonly SourceBuyer[];
}

/** Of the leads that arrived in the month. */
export interface SourceMonth extends Totals {
  readonly source: Source;
  /** `2026-11` */
  readonly month: string;
}

export interface SourceFigures extends Totals {
  readonly source: Source;
  readonly months: readonly SourceMonth[];
}

export interface SourceStatistics {
  readonly from: string;
  readonly to: string;
  readonly sources: readonly SourceFigures[];
}

/** @throws DomainError 400 for a reversed range or one over two years */
export async function sourceStatistics(context: Context, query: RangeQuery): Promise<SourceStatistics> {
  const { first, last } = daysOf(query, berlinDay(context.runtime.now()));
  return { from: first, to: last, sources: await sourcesIn(context, first, last) };
}

/** @param months both included @throws DomainError 400 if they are reversed */
export async function sourceMonths(context: DataContext, months: Months): Promise<SourceMonth[]> {
  const { from, to } = monthsOf(months);
  const sources = await sourcesIn(context, from, to);
  return sources.flatMap((source) => source.months).toSorted((a, b) => a.month.localeCompare(b.month));
}

/** @param first a day, or a month, as `last` */
async function sourcesIn(context: DataContext, first: string, last: string): Promise<SourceFigures[]> {
  const [days, sources, buyers, costs] = await Promise.all([
    sourceDays(context, first, last),
    sourceStore.all(context),
    buyerStore.all(context),
    sourceStore.costs(context),
  ]);
  const idOf = new Map(buyers.map(({ buyer, buyer_id }) => [buyer, buyer_id]));
  return sources.map((source) => {
    const its = days.filter((day) => day.source === source.source);
    const itsCosts = costs.filter((cost) => cost.source === source.source);
    const months = [...new Set(its.map(({ day }) => monthOf(day)))].toSorted();
    return {
      source,
      ...totalsOf(its, itsCosts, idOf),
      months: months.map((month) => {
        const ofMonth = its.filter(({ day }) => monthOf(day) === month);
        return { source, month, ...totalsOf(ofMonth, itsCosts, idOf) };
      }),
    };
  });
}

function totalsOf(
  days: readonly DayOfSource[],
  costs: readonly Cost[],
  idOf: ReadonlyMap<number, string>,
): Totals {
  const sums = summed(days.map((day) => day.sums));
  const byBuyer = new Map<number, Outcomes>();
  const all = { ...NO_OUTCOMES };
  for (const [name, value] of sums) {
    const [what, buyer] = name.split(':');
    const outcome = OUTCOMES.find((one) => one === what);
    if (outcome === undefined) continue;
    const of = byBuyer.get(Number(buyer)) ?? NO_OUTCOMES;
    byBuyer.set(Number(buyer), { ...of, [outcome]: of[outcome] + value });
    all[outcome] += value;
  }
  return {
    accepted: sums.get('accepted') ?? 0,
    duplicates: sums.get('duplicates') ?? 0,
    invalid: sums.get('invalid') ?? 0,
    waiting: sums.get('waiting') ?? 0,
    ...all,
    ...marginOf(days, costs),
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
