import { call, type Input, type JsonEndpoint } from '../../app/api';

/**
 * What a call answers, kept under a key that begins with its resource, so that writes refresh it.
 * @returns what `useQuery` takes; its `queryFn`, called without a signal, loads what is stored at this moment
 */
export function apiQuery<Id extends JsonEndpoint>(
  queryKey: readonly unknown[],
  id: Id,
  input: Input<Id>,
  fallbackText: string,
) {
  return {
    queryKey,
    queryFn: ({ signal }: { readonly signal?: AbortSignal } = {}) =>
      call(id, input, { fallbackText, ...(signal && { signal }) }),
  };
}
