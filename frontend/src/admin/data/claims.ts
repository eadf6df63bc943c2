import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { Answer, Sent } from '#shared/contract/schemas';

import type { Decision } from './held-decisions';
import { STATS_KEY, useDashboardStats } from './insights';
import { call, polledQuery } from './query';

export type Claim = Answer<'listClaims'>['claims'][number];
export type ReplacementEntry = Answer<'listReplacements'>['entries'][number];
export type ClaimQuery = Sent<'listClaims', 'query'>;

export function usePendingClaims() {
  return useQuery({
    ...polledQuery(['claims', 'pending'], 'listPendingClaims', {}),
    select: ({ claims }) => claims,
  });
}

/**
 * Gives the menu's badge, which is fetched separately, the count that a screen shows: without decisions that are held or not
 * yet in the lists.
 */
export function useSameCount(count: number | undefined): void {
  const queries = useQueryClient();
  const { data } = useDashboardStats();
  useLayoutEffect(() => {
    if (data === undefined || count === undefined || data.pending_reclamations_count === count) return;
    queries.setQueryData(STATS_KEY, { ...data, pending_reclamations_count: count });
  }, [queries, data, count]);
}

/** One page of claims. The previous page stays visible until it is loaded. */
export function useClaims(query: ClaimQuery) {
  return useQuery({
    ...polledQuery(['claims', 'filtered', query], 'listClaims', { query }),
    placeholderData: keepPreviousData,
  });
}

/** A buyer's replacements, newest movement first. */
export const useReplacements = (buyerId: string) =>
  useQuery(polledQuery(['orders', 'replacements', buyerId], 'listReplacements', { params: { buyerId } }));

/** Works even while the page closes. @throws ApiError 409 if the claim is decided already */
export async function decideClaim({ claimId, status, notes }: Decision): Promise<void> {
  const input = { params: { claimId }, body: { admin_notes: notes } };
  if (status === 'approved') await call('approveClaim', input, { keepalive: true });
  else await call('rejectClaim', input, { keepalive: true });
}

/** A separate key, because notes are never fetched. */
const notesKey = (claimId: number) => ['claim-notes', claimId] as const;

/** Notes of a decision not made yet, kept until the session ends. */
export function useClaimNotes(claimId: number): [notes: string, change: (notes: string) => void] {
  const queries = useQueryClient();
  const [notes, setNotes] = useState(() => queries.getQueryData<string>(notesKey(claimId)) ?? '');
  return [
    notes,
    (changed) => {
      setNotes(changed);
      queries.setQueryDefaults(['claim-notes'], { gcTime: Number.POSITIVE_INFINITY });
      queries.setQueryData(notesKey(claimId), changed);
    },
  ];
}

export function forgetClaimNotes(queries: QueryClient, claimId: number): void {
  queries.removeQueries({ queryKey: notesKey(claimId) });
}
