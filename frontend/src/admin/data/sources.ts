import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';

export type Source = SourceRow;
export type SourceKey = Source['keys'][number];
export type NewSource = Sent<'createSource', 'body'>;

const AFFECTED: readonly Resource[] = ['sources', 'audit'];

/** The sources as they are stored at this moment. */
export const loadSources = (signal?: AbortSignal): Promise<Answer<'listSources'>> =>
  call('listSources', {}, { fallbackText: FAILED.loadSources, ...(signal && { signal }) });

/** All sources, in the order in which they were added; fresh within seconds. */
export function useSources() {
  return useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => loadSources(signal),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useCreateSource = () => useApiMutation('createSource', FAILED.addSource, AFFECTED);
export const useUpdateSource = () => useApiMutation('updateSource', FAILED.saveSource, AFFECTED);
export const useRenewSpecification = () =>
  useApiMutation('renewSpecification', FAILED.regenerateToken, AFFECTED);
export const useSwitchOffSpecification = () =>
  useApiMutation('switchOffSpecification', FAILED.switchOffLink, AFFECTED);
export const useCreateSourceKey = () => useApiMutation('createSourceKey', FAILED.createKey, AFFECTED);
export const useRevokeSourceKey = () => useApiMutation('revokeSourceKey', FAILED.revokeKey, AFFECTED);
