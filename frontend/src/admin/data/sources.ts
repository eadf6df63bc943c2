import { useQuery } from '@tanstack/react-query';
import type { Sent } from '#shared/contract/schemas';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { DONE, FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery } from './query';

export type Source = SourceRow;
export type SourceKey = Source['keys'][number];
export type NewSource = Sent<'createSource', 'body'>;

const AFFECTED: readonly Resource[] = ['sources', 'audit'];

const sources = apiQuery(['sources'], 'listSources', {}, FAILED.loadSources);

/** All sources, in the order in which they were added; fresh within seconds. */
export const useSources = () => useQuery({ ...sources, refetchInterval: REFETCH_INTERVAL_MS });
export const loadSources = () => sources.queryFn();

export const useCreateSource = () =>
  useApiMutation('createSource', FAILED.addSource, AFFECTED, ({ source }) => DONE.sourceAdded(source.name));
export const useUpdateSource = (said: (name: string) => string) =>
  useApiMutation('updateSource', FAILED.saveSource, AFFECTED, ({ source }) => said(source.name));
export const useRenewSpecification = (name: string) =>
  useApiMutation('renewSpecification', FAILED.regenerateToken, AFFECTED, DONE.specificationRenewed(name));
export const useSwitchOffSpecification = (name: string) =>
  useApiMutation(
    'switchOffSpecification',
    FAILED.switchOffLink,
    AFFECTED,
    DONE.specificationSwitchedOff(name),
  );
export const useCreateSourceKey = () => useApiMutation('createSourceKey', FAILED.createKey, AFFECTED);
export const useRevokeSourceKey = (prefix: string) =>
  useApiMutation('revokeSourceKey', FAILED.revokeKey, AFFECTED, DONE.keyRevoked(prefix));
