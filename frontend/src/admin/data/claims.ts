import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';

export type Claim = Answer<'listClaims'>['claims'][number];
export type ReplacementEntry = Answer<'listReplacements'>['entries'][number];
export type ClaimQuery = Sent<'listClaims', 'query'>;

const AFFECTED: readonly Resource[] = [
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
    queryKey: ['claims', 'pending'],
    queryFn: async ({ signal }) => {
      const { claims } = await call(
        'listPendingClaims',
        {},
        { fallbackText: FAILED.fetchPendingClaims, signal },
      );
      return claims;
    },
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** One page of the claims; the page before stays in sight until the next one is there. */
export function useClaims(query: ClaimQuery) {
  return useQuery({
    queryKey: ['claims', 'filtered', query],
    queryFn: ({ signal }) => call('listClaims', { query }, { fallbackText: FAILED.fetchClaims, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** What a buyer is and was owed, the newest movement first. Whatever changes orders may change it. */
export function useReplacements(buyerId: string) {
  return useQuery({
    queryKey: ['orders', 'replacements', buyerId],
    queryFn: ({ signal }) =>
      call('listReplacements', { params: { buyerId } }, { fallbackText: FAILED.loadData, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useApproveClaim = () => useApiMutation('approveClaim', FAILED.approveClaim, AFFECTED);

export const useRejectClaim = () => useApiMutation('rejectClaim', FAILED.rejectClaim, AFFECTED);
