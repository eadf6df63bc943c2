import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call, pagesOf } from './query';

type Query = Sent<'listLeads', 'query'>;
export interface LeadQuery extends Omit<Query, 'cursor' | 'limit' | 'count'> {
  readonly sort: NonNullable<Query['sort']>;
  readonly direction: NonNullable<Query['direction']>;
}
export type ListedLead = Answer<'listLeads'>['leads'][number];
export type ExportedLead = Answer<'exportLeadRows'>['leads'][number];

const PAGE_SIZE = 100;
/** Of an export. */
const LARGE_PAGE_SIZE = 500;

/** Leads that match, page by page. The previous list stays visible until the first page is loaded. */
export function useLeadList(query: LeadQuery) {
  const queries = useQueryClient();
  const queryKey = ['leads', query];
  const list = useInfiniteQuery({
    ...pagesOf(queryKey, (cursor, options) =>
      // Counting reads the whole period.
      call(
        'listLeads',
        { query: { ...query, cursor, limit: PAGE_SIZE, ...(cursor === '' && { count: 'yes' }) } },
        options,
      ),
    ),
    placeholderData: keepPreviousData,
    // It would load again every page that was scrolled through.
    refetchOnWindowFocus: false,
  });
  return {
    ...list,
    /** From the first page. */
    refresh: () => queries.resetQueries({ queryKey }),
  };
}

/** Every lead that matches, as far as loaded. */
export interface LoadedLeads {
  readonly leads: readonly ExportedLead[];
  /** Empty before the first page, null after the last one. */
  readonly next: string | null;
}

const NOTHING: LoadedLeads = { leads: [], next: '' };

/**
 * The leads of an export, kept in memory until the session ends, so that one that failed or was closed continues. Never on
 * disk, where they would survive an erasure.
 */
export function useLoadedLeads(query: LeadQuery) {
  const queries = useQueryClient();
  const queryKey = ['lead-export', query];
  return {
    loaded: () => queries.getQueryData<LoadedLeads>(queryKey) ?? NOTHING,
    /** The next page of `loaded`. @throws ApiError */
    loadMore: async ({ leads, next }: LoadedLeads, signal: AbortSignal): Promise<LoadedLeads> => {
      if (next === null) return { leads, next };
      const input = { query: { ...query, cursor: next, limit: LARGE_PAGE_SIZE } };
      const page = await call('exportLeadRows', input, { signal });
      const loaded = { leads: [...leads, ...page.leads], next: page.next_cursor };
      queries.setQueryDefaults(['lead-export'], { gcTime: Number.POSITIVE_INFINITY });
      queries.setQueryData(queryKey, loaded);
      return loaded;
    },
    forget: () => queries.removeQueries({ queryKey: ['lead-export'] }),
  };
}
