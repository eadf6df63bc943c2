import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { type Input } from '../../app/api';
import { useNotifications } from '../notifications';
import { CALLS, type Call, type Resource } from './calls';
import { type AdminCall, call } from './query';

/** Returns a function that refetches what a write may have changed. Its promise waits for visible queries. */
export function useRefresh(): (resources: readonly Resource[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    async (resources) => {
      await Promise.all(resources.map((resource) => queries.invalidateQueries({ queryKey: [resource] })));
    },
    [queries],
  );
}

/**
 * A write: its failure is shown as a notification. What it may have changed is fetched again afterwards, even if it failed:
 * a refusal often means that the screen is stale.
 * @param id the call that writes
 * @param done called after a success, even if the component that started the write was unmounted
 */
export function useWrite<Variables, Result>(
  id: AdminCall,
  write: (variables: Variables) => Promise<Result>,
  done?: (result: Result, variables: Variables) => void,
): UseMutationResult<Result, Error, Variables> {
  const refresh = useRefresh();
  const notifications = useNotifications();
  const [, affected = []]: Call = CALLS[id];
  return useMutation({
    mutationFn: write,
    onMutate: notifications.saving,
    onSuccess: (result, variables) => done?.(result, variables),
    onError: (error: Error) => notifications.error(error),
    onSettled: () => void refresh(affected),
  });
}

interface MutationOptions {
  /** The screen shows the success itself. */
  readonly quiet?: boolean;
  /** Wraps the call, for example to reauthenticate first. */
  readonly around?: <T>(act: () => Promise<T>) => Promise<T>;
}

/** A call to an endpoint that writes. It takes its input in `mutate`, and shows the answer's `message`. */
export function useApiMutation<Id extends AdminCall>(
  id: Id,
  { quiet = false, around = (act) => act() }: MutationOptions = {},
): UseMutationResult<Answer<Id>, Error, Input<Id>> {
  const notifications = useNotifications();
  return useWrite(
    id,
    (input: Input<Id>) => around(() => call(id, input)),
    (answer) => {
      if (!quiet && typeof answer === 'object' && 'message' in answer) notifications.success(answer.message);
    },
  );
}
