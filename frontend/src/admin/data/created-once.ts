import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../app/api';
import { CALLS } from './calls';
import type { AdminCall } from './query';

const CREATED =
  'Something was created since your first attempt. Check the list, and save again only if yours is missing.';

/** A save sooner after that text is a repeated key press: nobody has read it. */
const READ_AFTER_MS = 3000;

/**
 * A create whose answer was lost may have taken effect. Before it is sent again, what is stored is compared with what was known
 * at the first attempt.
 * @param query what is stored
 * @param idsOf changes with every create
 * @returns `around` of `useApiMutation`
 */
export function useCreatedOnce<Data>(
  id: AdminCall,
  query: { readonly queryKey: readonly unknown[]; readonly queryFn: () => Promise<Data> },
  idsOf: (data: Data) => unknown,
) {
  const queries = useQueryClient();
  const lost = useRef<string>(undefined);
  const refusedAt = useRef(Number.NEGATIVE_INFINITY);
  const load = async () => {
    try {
      return JSON.stringify(idsOf(await query.queryFn()));
    } catch {
      throw new ApiError(CALLS[id][0], 0, 'no_answer', {}, true);
    }
  };
  const refuse = () => {
    refusedAt.current = performance.now();
    throw new ApiError(CREATED, 409);
  };
  return async <T>(act: () => Promise<T>): Promise<T> => {
    if (performance.now() - refusedAt.current < READ_AFTER_MS) refuse();
    const cached = queries.getQueryData<Data>(query.queryKey);
    const known = lost.current ?? (cached && JSON.stringify(idsOf(cached)));
    if (lost.current !== undefined) {
      const stored = await load();
      lost.current = undefined;
      if (stored !== known) refuse();
    }
    try {
      return await act();
    } catch (error) {
      if (isLost(error)) lost.current = known ?? '';
      throw error;
    }
  };
}

/** Also if the server failed after it had stored something, or the connection broke within the answer. */
const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'not_json');
