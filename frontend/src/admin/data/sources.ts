import { useQuery } from '@tanstack/react-query';
import type { Sent } from '#shared/contract/schemas';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery } from './query';

export type Source = SourceRow;
export type SourceKey = Source['keys'][number];
export type NewSource = Sent<'createSource', 'body'>;

const AFFECTED: readonly Resource[] = ['sources', 'audit'];

const sources = apiQuery(['sources'], 'listSources', {});

/** All sources, in the order in which they were added; fresh within seconds. */
export const useSources = () => useQuery({ ...sources, refetchInterval: REFETCH_INTERVAL_MS });
/** A source as it is now, once that is known. */
export const useSource = (opened: Source) =>
  useSources().data?.find(({ source_id }) => source_id === opened.source_id) ?? opened;
export const loadSources = () => sources.queryFn();

export const useCreateSource = () => useApiMutation('createSource', AFFECTED);
export const useUpdateSource = () => useApiMutation('updateSource', AFFECTED);
export const useRenewSpecification = () => useApiMutation('renewSpecification', AFFECTED);
export const useSwitchOffSpecification = () => useApiMutation('switchOffSpecification', AFFECTED);
export const useCreateSourceKey = () => useApiMutation('createSourceKey', AFFECTED, { quiet: true });
export const useRevokeSourceKey = () => useApiMutation('revokeSourceKey', AFFECTED);
