import { useQuery } from '@tanstack/react-query';
import type { Sent } from '#shared/contract/schemas';
import type { SourceRow } from '#shared/contract/schemas/sources';
import { apiQuery, polledQuery } from './query';

export type Source = SourceRow;
export type SourceKey = Source['keys'][number];
export type NewSource = Sent<'createSource', 'body'>;

export const sourcesQuery = polledQuery(['sources'], 'listSources', {});

/** All sources, in the order in which they were added; fresh within seconds. */
export const useSources = () => useQuery(sourcesQuery);
/** By their numbers; empty until they are loaded. */
export function useSourceNames(): ReadonlyMap<number, string> {
  const { data = [] } = useSources();
  return new Map(data.map(({ source_id, name }) => [source_id, name]));
}
/** The current state of a source; the given one until it is loaded. */
export const useSource = (opened: Source) =>
  useSources().data?.find(({ source_id }) => source_id === opened.source_id) ?? opened;
export const loadSources = () => sourcesQuery.queryFn();

/** Below the sources, so that a change of them loads the texts again. */
export const useConsentTexts = ({ source_id: sourceId }: Source) =>
  useQuery(apiQuery(['sources', 'texts', sourceId], 'listConsentTexts', { params: { sourceId } }));
