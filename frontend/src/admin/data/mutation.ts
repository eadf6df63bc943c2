import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotifications } from '../notifications';

/** The first part of every query key: what a write may have changed. */
export type Resource =
  | 'audit'
  | 'buyers'
  | 'claims'
  | 'deliveries'
  | 'lead'
  | 'orders'
  | 'pending-leads'
  | 'push-credentials'
  | 'push-template'
  | 'dashboard'
  | 'statistics'
  | 'templates'
  | 'verification';

interface Effects {
  /** The lists to ask for again, whether the call succeeded or not: a refusal often means that they are old. */
  readonly invalidates: readonly Resource[];
  /** Leave out the banner because the caller shows the error itself. */
  readonly quiet?: boolean;
}

/** A write: its failure becomes a banner, and the affected lists are asked for again. */
export function useApiMutation<Input, Result>(
  perform: (input: Input) => Promise<Result>,
  { invalidates, quiet = false }: Effects,
): UseMutationResult<Result, Error, Input> {
  const queries = useQueryClient();
  const notifications = useNotifications();
  return useMutation({
    mutationFn: perform,
    onError: (error) => {
      if (!quiet) notifications.error(error);
    },
    onSettled: () => {
      for (const resource of invalidates) void queries.invalidateQueries({ queryKey: [resource] });
    },
  });
}
