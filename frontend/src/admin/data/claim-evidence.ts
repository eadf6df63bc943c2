import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import type { Claim } from './claims';
import { apiQuery } from './query';

export type KnownOfClaim = Answer<'getClaimEvidence'>;

export function useClaimEvidence({ claim_id, claim_status }: Pick<Claim, 'claim_id' | 'claim_status'>) {
  return useQuery(
    apiQuery(['claims', 'evidence', claim_id, claim_status], 'getClaimEvidence', {
      params: { claimId: claim_id },
    }),
  );
}
