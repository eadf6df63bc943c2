import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { type Input } from '../../app/api';
import { useNotifications } from '../notifications';
import { type AdminCall, call } from './query';

/** The first part of every query key: what a write may have changed. */
export type Resource =
  | 'admins'
  | 'alerts'
  | 'audit'
  | 'buyers'
  | 'callbacks'
  | 'claims'
  | 'deliveries'
  | 'lead'
  | 'orders'
  | 'people'
  | 'pending-leads'
  | 'push-credentials'
  | 'push-template'
  | 'status-page'
  | 'sources'
  | 'dashboard'
  | 'statistics'
  | 'templates'
  | 'retention'
  | 'verification';

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
 * A write: its failure is shown as a notification.
 * @param invalidates what is fetched again afterwards, even if the write failed: a refusal often means that it is stale
 * @param done what follows a success, also when what asked for the write is no longer on the screen
 */
export function useWrite<Variables, Result>(
  write: (variables: Variables) => Promise<Result>,
  invalidates: readonly Resource[],
  done?: (result: Result, variables: Variables) => void,
): UseMutationResult<Result, Error, Variables> {
  const refresh = useRefresh();
  const notifications = useNotifications();
  return useMutation({
    mutationFn: write,
    onSuccess: (result, variables) => done?.(result, variables),
    onError: (error: Error) => notifications.error(error),
    onSettled: () => {
      void refresh(invalidates);
    },
  });
}

interface MutationOptions {
  /** The screen shows the success itself. */
  readonly quiet?: boolean;
  /** Makes the call, perhaps after something else. */
  readonly around?: <T>(act: () => Promise<T>) => Promise<T>;
}

/** A call to an endpoint that writes. It takes its input in `mutate`, and shows the `message` of the answer. */
export function useApiMutation<Id extends AdminCall>(
  id: Id,
  invalidates: readonly Resource[] = [],
  { quiet = false, around = (act) => act() }: MutationOptions = {},
): UseMutationResult<Answer<Id>, Error, Input<Id>> {
  const notifications = useNotifications();
  return useWrite(
    (input: Input<Id>) => around(() => call(id, input)),
    invalidates,
    (answer) => {
      if (!quiet && typeof answer === 'object' && 'message' in answer) notifications.success(answer.message);
    },
  );
}
