import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallbackRow } from '#shared/contract/rows/callback';
import type { Answer } from '#shared/contract/schemas';
import type { EndpointsRow } from '#shared/contract/schemas/endpoints';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';

export type Callback = CallbackRow;
export type Endpoints = EndpointsRow;

const AFFECTED: readonly Resource[] = ['callbacks', 'audit'];

/** Where a source is called back, as it is stored at this moment. */
export const loadEndpoints = (sourceId: number, signal?: AbortSignal): Promise<Answer<'getEndpoints'>> =>
  call(
    'getEndpoints',
    { params: { sourceId } },
    { fallbackText: FAILED.loadCallbacks, ...(signal && { signal }) },
  );

export function useEndpoints(sourceId: number) {
  return useQuery({
    queryKey: ['callbacks', 'endpoints', sourceId],
    queryFn: ({ signal }) => loadEndpoints(sourceId, signal),
  });
}

/** What a source was told, the newest first, page by page. */
export function useCallbacks(sourceId: number) {
  return useInfiniteQuery({
    queryKey: ['callbacks', 'log', sourceId],
    queryFn: ({ signal, pageParam }) =>
      call(
        'listCallbacks',
        { params: { sourceId }, query: { ...(pageParam && { cursor: pageParam }) } },
        { fallbackText: FAILED.loadCallbacks, signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useUpdateEndpoints = () => useApiMutation('updateEndpoints', FAILED.saveCallbacks, AFFECTED);
export const useCreateSigningSecret = () =>
  useApiMutation('createSigningSecret', FAILED.createSecret, AFFECTED);
export const useRevokeSigningSecret = () =>
  useApiMutation('revokeSigningSecret', FAILED.revokeSecret, AFFECTED);
export const useSendTestCallback = () => useApiMutation('sendTestCallback', FAILED.sendTest);
export const useResendCallback = () =>
  useApiMutation('resendCallback', FAILED.resendDelivery, ['callbacks', 'lead']);
