import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api';
import { connection } from './connection';

/** While the page is open and visible. */
export const REFETCH_INTERVAL_MS = 4000;

/** A polling interval. While the server is down only `connection` tries. */
export const polled =
  (ms = REFETCH_INTERVAL_MS) =>
  (): number | false =>
    connection.downSince() === undefined && ms;

// At once, so that a button is disabled before a second click.
notifyManager.setScheduler(queueMicrotask);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: true,
        // Without a connection a call should fail; a waiting query looks as if all were well.
        networkMode: 'always',
        // Only lost connections and 5xx can succeed again, unless `connection` waits for them anyway.
        retry: (failures, error) =>
          failures < 2 &&
          connection.downSince() === undefined &&
          (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
        retryDelay: (failures) => 400 * 2 ** failures,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
