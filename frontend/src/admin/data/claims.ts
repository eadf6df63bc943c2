import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer, Sent } from '#shared/contract/schemas';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';

import type { Decision } from './held-decisions';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery, call } from './query';

export type Claim = Answer<'listClaims'>['claims'][number];
export type ReplacementEntry = Answer<'listReplacements'>['entries'][number];
export type ClaimQuery = Sent<'listClaims', 'query'>;

/** What a decision may change. */
export const AFFECTED_BY_DECISION: readonly Resource[] = [
  'claims',
  'buyers',
  'orders',
  'pending-leads',
  'dashboard',
  'lead',
  'statistics',
  'audit',
];

export function usePendingClaims() {
  return useQuery({
    ...apiQuery(['claims', 'pending'], 'listPendingClaims', {}),
    refetchInterval: REFETCH_INTERVAL_MS,
    select: ({ claims }) => claims,
  });
}

/** One page of the claims; the page before stays in sight until the next one is there. */
export function useClaims(query: ClaimQuery) {
  return useQuery({
    ...apiQuery(['claims', 'filtered', query], 'listClaims', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** What a buyer is and was owed, the newest movement first. Whatever changes orders may change it. */
export function useReplacements(buyerId: string) {
  return useQuery({
    ...apiQuery(['orders', 'replacements', buyerId], 'listReplacements', { params: { buyerId } }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useApproveClaim = () => useApiMutation('approveClaim', AFFECTED_BY_DECISION);

export const useRejectClaim = () => useApiMutation('rejectClaim', AFFECTED_BY_DECISION);

/** Decides a claim finally, even while the page goes away. @throws ApiError 409 when it is decided already */
export async function decideClaim({ claimId, status, notes }: Decision): Promise<void> {
  const input = { params: { claimId }, body: { admin_notes: notes } };
  if (status === 'approved') await call('approveClaim', input, { keepalive: true });
  else await call('rejectClaim', input, { keepalive: true });
}

/** Kept apart from what the server answers: it is never fetched. */
const notesKey = (claimId: number) => ['claim-notes', claimId] as const;

/** The notes typed for a decision that is not made yet; kept until the session ends, whatever closes meanwhile. */
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

/** They went with the decision. */
export function forgetClaimNotes(queries: QueryClient, claimId: number): void {
  queries.removeQueries({ queryKey: notesKey(claimId) });
}
