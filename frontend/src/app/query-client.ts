import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api';

/** How old a list may be before it is asked for again, while its page is open and the tab visible. */
export const REFETCH_INTERVAL_MS = 4000;

// Told at once, a button is disabled before the second of two clicks can reach it.
notifyManager.setScheduler(queueMicrotask);

/** The one place that decides how answers are kept, repeated and refreshed. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        // Without a connection a call fails and says so; a query that waits for one looks as if all were well.
        networkMode: 'always',
        // An answer of the server will not change by asking again; a lost connection or a 5xx may.
        retry: (failures, error) =>
          failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
        retryDelay: (failures) => 400 * 2 ** failures,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
