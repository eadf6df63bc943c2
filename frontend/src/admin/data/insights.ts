import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { useApiMutation } from './mutation';

export type DashboardStats = Answer<'getDashboardStats'>;
export type BuyerStats = Answer<'getBuyerStats'>['buyer_stats'][number];
export type RangeTotals = Answer<'getBuyerStats'>['totals'];
export type DayOfStats = Answer<'getBuyerStats'>['time_series'][number];
export type Simulation = Answer<'simulate'>;
export type SearchResult = Answer<'search'>['results'][number];

/** The figures of the cards and of the menu's badges. */
export function useDashboardStats() {
  return useQuery({
    queryKey: ['dashboard', 'stats'],
    queryFn: ({ signal }) =>
      call('getDashboardStats', {}, { fallbackText: FAILED.loadDashboardStatistics, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** The days and the buyer of the statistics; `from` and `to` are Berlin days, and go before `time_range`. */
export type StatsQuery = Sent<'exportBuyerStats', 'query'>;

export function useBuyerStats(query: StatsQuery) {
  return useQuery({
    queryKey: ['statistics', query],
    queryFn: ({ signal }) =>
      call(
        'getBuyerStats',
        { query: { ...query, compare: 'previous' } },
        { fallbackText: FAILED.fetchBuyerStatistics, signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * REFETCH_INTERVAL_MS,
    meta: { ownPanel: true },
  });
}

export type SourceStats = Answer<'getSourceStats'>['sources'][number];

export function useSourceStats(query: Sent<'getSourceStats', 'query'>) {
  return useQuery({
    queryKey: ['statistics', 'sources', query],
    queryFn: ({ signal }) =>
      call('getSourceStats', { query }, { fallbackText: FAILED.fetchSourceStatistics, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5 * REFETCH_INTERVAL_MS,
    meta: { ownPanel: true },
  });
}

export type LatencyRow = Answer<'getLatencies'>['ranges'][number]['series'][number];

export function useLatencies() {
  return useQuery({
    queryKey: ['statistics', 'latencies'],
    queryFn: ({ signal }) => call('getLatencies', {}, { fallbackText: FAILED.fetchLatencies, signal }),
    refetchInterval: 5 * REFETCH_INTERVAL_MS,
    meta: { ownPanel: true },
  });
}

/** Silence is a matter of hours. */
const SILENCE_INTERVAL_MS = 5 * 60_000;

/** The live sources that fell silent. */
export function useSilentSources() {
  return useQuery({
    queryKey: ['silent-sources'],
    queryFn: ({ signal }) =>
      call('listSilentSources', {}, { fallbackText: FAILED.fetchSourceStatistics, signal }),
    staleTime: SILENCE_INTERVAL_MS,
    refetchInterval: SILENCE_INTERVAL_MS,
    meta: { ownPanel: true },
  });
}

export type Checklist = Answer<'getChecklist'>;

/** What stands between a buyer and its next lead. */
export function useChecklist(buyerId: string) {
  return useQuery({
    // What mends it changes the buyers.
    queryKey: ['buyers', 'checklist', buyerId],
    // Who opens it again has changed something, maybe elsewhere and within the seconds that lists stay as they are.
    staleTime: 0,
    queryFn: ({ signal }) =>
      call('getChecklist', { params: { buyerId } }, { fallbackText: FAILED.loadChecklist, signal }),
  });
}

export const useSimulate = () => useApiMutation('simulate', FAILED.simulate);

/** Buyers, orders and leads whose names, addresses, numbers or ids begin with the text. */
export function useSearch(text: string) {
  return useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const { results } = await call(
        'search',
        { query: { q: text } },
        { fallbackText: FAILED.search, signal },
      );
      return results;
    },
    enabled: text.length > 0,
    placeholderData: keepPreviousData,
  });
}
