import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallbackRow } from '#shared/contract/rows/callback';
import type { EndpointsRow } from '#shared/contract/schemas/endpoints';
import { polled } from '../../app/query-client';
import { apiQuery, call, pagesOf } from './query';

export type Callback = CallbackRow;
export type Endpoints = EndpointsRow;

const endpoints = (sourceId: number) =>
  apiQuery(['callbacks', 'endpoints', sourceId], 'getEndpoints', { params: { sourceId } });

/** The callback endpoints of a source. */
export const useEndpoints = (sourceId: number) => useQuery(endpoints(sourceId));
export const loadEndpoints = (sourceId: number) => endpoints(sourceId).queryFn();

/** The callbacks to a source, newest first, page by page. */
export function useCallbacks(sourceId: number) {
  return useInfiniteQuery({
    ...pagesOf(['callbacks', 'log', sourceId], (cursor, options) =>
      call('listCallbacks', { params: { sourceId }, query: { cursor } }, options),
    ),
    refetchInterval: polled(),
  });
}
