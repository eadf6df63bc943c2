import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FRESH_EVERY_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useAction } from './action';

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
      const { claims } = await call('listPendingClaims', {}, { orElse: FAILED.fetchPendingClaims, signal });
      return claims;
    },
    refetchInterval: FRESH_EVERY_MS,
  });
}

/** One page of the claims; the page before stays in sight until the next one is there. */
export function useClaims(query: ClaimQuery) {
  return useQuery({
    queryKey: ['claims', 'filtered', query],
    queryFn: ({ signal }) => call('listClaims', { query }, { orElse: FAILED.fetchClaims, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH_EVERY_MS,
  });
}

/** What a buyer is and was owed, the newest movement first. Whatever changes orders may change it. */
export function useReplacements(buyerId: string) {
  return useQuery({
    queryKey: ['orders', 'replacements', buyerId],
    queryFn: ({ signal }) =>
      call('listReplacements', { params: { buyerId } }, { orElse: FAILED.loadData, signal }),
    refetchInterval: FRESH_EVERY_MS,
  });
}

interface Decision {
  readonly claimId: number;
  readonly notes: string;
}

export function useApproveClaim() {
  return useAction(
    ({ claimId, notes }: Decision) =>
      call(
        'approveClaim',
        { params: { claimId }, body: { admin_notes: notes } },
        { orElse: FAILED.approveClaim },
      ),
    { refreshes: AFFECTED },
  );
}

export function useRejectClaim() {
  return useAction(
    ({ claimId, notes }: Decision) =>
      call(
        'rejectClaim',
        { params: { claimId }, body: { admin_notes: notes } },
        { orElse: FAILED.rejectClaim },
      ),
    { refreshes: AFFECTED },
  );
}
