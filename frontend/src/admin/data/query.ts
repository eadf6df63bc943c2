import { call as callServer, type Input, type JsonEndpoint } from '../../app/api';
import { polled } from '../../app/query-client';
import { CALLS } from './calls';

export type AdminCall = Extract<JsonEndpoint, keyof typeof CALLS>;
type CallOptions = Parameters<typeof callServer>[2];

/** Calls an endpoint. @throws ApiError, with the text in `CALLS` if the server sends none */
export function call<Id extends AdminCall>(id: Id, input: Input<Id>, options?: CallOptions) {
  const [fallbackText] = CALLS[id];
  return callServer(id, input, { fallbackText, ...options });
}

/**
 * A call's answer, cached under a key that begins with its resource, so that writes refresh it.
 * @returns options for `useQuery`; its `queryFn`, called without a signal, loads the current data
 */
export function apiQuery<Id extends AdminCall>(queryKey: readonly unknown[], id: Id, input: Input<Id>) {
  return {
    queryKey,
    queryFn: ({ signal }: { readonly signal?: AbortSignal } = {}) => call(id, input, signal && { signal }),
  };
}

/** The same, fetched again every few seconds. */
export function polledQuery<Id extends AdminCall>(queryKey: readonly unknown[], id: Id, input: Input<Id>) {
  return { ...apiQuery(queryKey, id, input), refetchInterval: polled() };
}

/** A list that is loaded page by page, as `useInfiniteQuery` takes it; the first page has an empty cursor. */
export function pagesOf<Page extends { readonly next_cursor: string | null }>(
  queryKey: readonly unknown[],
  load: (cursor: string, options: CallOptions) => Promise<Page>,
) {
  return {
    queryKey,
    queryFn: ({ signal, pageParam }: { readonly signal: AbortSignal; readonly pageParam: string }) =>
      load(pageParam, { signal }),
    initialPageParam: '',
    getNextPageParam: (page: Page) => page.next_cursor,
  };
}
