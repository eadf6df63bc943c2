import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallbackRow } from '#shared/contract/rows/callback';
import type { EndpointsRow } from '#shared/contract/schemas/endpoints';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { DONE, FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery } from './query';

export type Callback = CallbackRow;
export type Endpoints = EndpointsRow;

const AFFECTED: readonly Resource[] = ['callbacks', 'audit'];

const endpoints = (sourceId: number) =>
  apiQuery(
    ['callbacks', 'endpoints', sourceId],
    'getEndpoints',
    { params: { sourceId } },
    FAILED.loadCallbacks,
  );

/** Where a source is called back. */
export const useEndpoints = (sourceId: number) => useQuery(endpoints(sourceId));
export const loadEndpoints = (sourceId: number) => endpoints(sourceId).queryFn();

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

/** @param name of the source */
export const useUpdateEndpoints = (name: string) =>
  useApiMutation('updateEndpoints', FAILED.saveCallbacks, AFFECTED, DONE.callbacksSaved(name));
export const useCreateSigningSecret = () =>
  useApiMutation('createSigningSecret', FAILED.createSecret, AFFECTED);
export const useRevokeSigningSecret = () =>
  useApiMutation('revokeSigningSecret', FAILED.revokeSecret, AFFECTED, DONE.secretRevoked);
export const useSendTestCallback = () => useApiMutation('sendTestCallback', FAILED.sendTest);
export const useResendCallback = () =>
  useApiMutation('resendCallback', FAILED.resendDelivery, ['callbacks', 'lead'], ({ message }) => message);
