import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { polled, REFETCH_INTERVAL_MS } from '../../app/query-client';

import { apiQuery, polledQuery } from './query';

export type DashboardStats = Answer<'getDashboardStats'>;
export type BuyerStats = Answer<'getBuyerStats'>['buyer_stats'][number];
export type RangeTotals = Answer<'getBuyerStats'>['totals'];
export type DayOfStats = Answer<'getBuyerStats'>['time_series'][number];
export type Simulation = Answer<'simulate'>;
export type SearchResult = Answer<'search'>['results'][number];

export const STATS_KEY = ['dashboard', 'stats'] as const;

/** The figures of the cards and of the menu's badges. */
export const useDashboardStats = () => useQuery(polledQuery(STATS_KEY, 'getDashboardStats', {}));

/** These change slowly, and their screens show load errors themselves. */
const STATISTICS = { refetchInterval: polled(5 * REFETCH_INTERVAL_MS), meta: { ownPanel: true } } as const;

/** Period and buyer of the statistics; `from` and `to` are Berlin days and take precedence over `time_range`. */
export type StatsQuery = Sent<'exportBuyerStats', 'query'>;

export function useBuyerStats(query: StatsQuery) {
  return useQuery({
    ...apiQuery(['statistics', query], 'getBuyerStats', { query: { ...query, compare: 'previous' } }),
    placeholderData: keepPreviousData,
    ...STATISTICS,
  });
}

export type SourceStats = Answer<'getSourceStats'>['sources'][number];

export function useSourceStats(query: Sent<'getSourceStats', 'query'>) {
  return useQuery({
    ...apiQuery(['statistics', 'sources', query], 'getSourceStats', { query }),
    placeholderData: keepPreviousData,
    ...STATISTICS,
  });
}

/** What would have happened, for a dialog that shows it at once. */
export const useSimulation = (body: Sent<'simulate', 'body'>) =>
  useQuery({
    ...apiQuery(['statistics', 'simulation', body], 'simulate', { body }),
    meta: { ownPanel: true },
  });

export type PeriodQuery = Sent<'getLatencies', 'query'>;
export type LatencyRow = Answer<'getLatencies'>['series'][number];

export const useLatencies = (query: PeriodQuery) =>
  useQuery({
    ...apiQuery(['statistics', 'latencies', query], 'getLatencies', { query }),
    placeholderData: keepPreviousData,
    ...STATISTICS,
  });

/** Sources fall silent over hours, so polling can be slow. */
const SILENCE_INTERVAL_MS = 5 * 60_000;

/** The live sources that fell silent. */
export function useSilentSources() {
  return useQuery({
    ...apiQuery(['sources', 'silent'], 'listSilentSources', {}),
    staleTime: SILENCE_INTERVAL_MS,
    refetchInterval: polled(SILENCE_INTERVAL_MS),
    meta: { ownPanel: true },
  });
}

/** What prevents a buyer from receiving its next lead. */
export function useChecklist(buyerId: string) {
  return useQuery({
    // Most fixes change the buyer.
    ...apiQuery(['buyers', 'checklist', buyerId], 'getChecklist', { params: { buyerId } }),
    // Opened again, usually after a fix elsewhere, so never from the cache.
    staleTime: 0,
    // It reads the figures of 30 days.
    refetchInterval: polled(10 * REFETCH_INTERVAL_MS),
  });
}

/** Buyers, orders and leads whose names, addresses, numbers or ids begin with the text. */
export function useSearch(text: string) {
  return useQuery({
    ...apiQuery(['search', text], 'search', { query: { q: text } }),
    enabled: text.length > 0,
    placeholderData: keepPreviousData,
    select: ({ results }) => results,
  });
}
