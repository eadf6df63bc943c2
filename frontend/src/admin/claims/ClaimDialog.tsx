import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../app/api';
import { forgetClaimNotes, useClaimNotes } from '../data/claims';
import type { Decision } from '../data/held-decisions';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import classes from '../ui/FormButtons.module.css';
import { ClaimDecision } from './ClaimDecision';
import { ClaimDetails } from './ClaimDetails';

/** A claim and its evidence. Typed notes are kept when the dialog closes. */
export function ClaimDialog({ claim, close }: DialogInput<'claim'>) {
  const id = claim.claim_id;
  const [notes, changeNotes] = useClaimNotes(id);
  const may = useMay();
  const approve = useApiMutation('approveClaim');
  const reject = useApiMutation('rejectClaim');
  const queries = useQueryClient();

  const decide = (status: Decision['status'], why = notes) =>
    (status === 'approved' ? approve : reject).mutate(
      { params: { claimId: id }, body: { admin_notes: why } },
      {
        onSuccess: () => {
          forgetClaimNotes(queries, id);
          close();
        },
        onError: (error) => {
          // Another admin has decided the claim.
          if (error instanceof ApiError && error.status === 409) close();
        },
      },
    );

  const closing = (
    <Button variant="default" onClick={close}>
      Close
    </Button>
  );
  return (
    <AppModal title={`Claim Details #${id}`} close={close} size="xl">
      <Stack gap="md">
        <ClaimDetails claim={claim} notes={notes} follow={decide} onLeave={close} />
        {claim.claim_status === 'pending' && may('approveClaim') ? (
          <ClaimDecision
            notes={notes}
            changeNotes={changeNotes}
            decide={decide}
            sending={approve.isPending ? 'approved' : reject.isPending ? 'rejected' : undefined}
          >
            {closing}
          </ClaimDecision>
        ) : (
          <Group justify="flex-end" className={classes.sticky}>
            {closing}
          </Group>
        )}
      </Stack>
    </AppModal>
  );
}
