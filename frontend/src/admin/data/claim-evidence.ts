import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { CLAIMS_FAILED } from '../claim-texts';
import { AFFECTED_BY_DECISION, type Claim } from './claims';
import { useApiMutation } from './mutation';

export type KnownOfClaim = Answer<'getClaimEvidence'>;

/** What is known of a claim, and what follows from it by a rule. */
export function useClaimEvidence({ claim_id, claim_status }: Pick<Claim, 'claim_id' | 'claim_status'>) {
  return useQuery({
    queryKey: ['claims', 'evidence', claim_id, claim_status],
    queryFn: ({ signal }) =>
      call(
        'getClaimEvidence',
        { params: { claimId: claim_id } },
        { fallbackText: CLAIMS_FAILED.evidence, signal },
      ),
  });
}

export const useReverseClaim = () =>
  useApiMutation('reverseClaim', CLAIMS_FAILED.reverse, AFFECTED_BY_DECISION);
