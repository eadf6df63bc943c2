import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { AFFECTED_BY_DECISION } from '../data/calls';
import { type Claim, decideClaim, forgetClaimNotes } from '../data/claims';
import type { Decision } from '../data/held-decisions';
import { useRefresh } from '../data/mutation';
import { nameOf } from '../lead/name';
import { NOTES_PLACEHOLDER } from '../texts';
import { AppModal } from '../ui/AppModal';
import { BulkOutcomes } from '../ui/BulkOutcomes';
import { done, useBulk } from '../ui/bulk';
import { countOf } from '../ui/labels';

interface Props {
  readonly claims: readonly Claim[];
  readonly close: () => void;
}

const keyOf = (claim: Claim) => String(claim.claim_id);

/** Decisions change the counters of few orders, so more concurrent calls would only conflict. */
const AT_ONCE = 4;

/** One note and one decision for many claims. */
export function DecideClaimsDialog({ claims, close }: Props) {
  const [notes, setNotes] = useState('');
  const [status, setStatus] = useState<Decision['status']>('approved');
  const queries = useQueryClient();
  const refresh = useRefresh();
  const bulk = useBulk(keyOf);
  const leaving = useRef<HTMLButtonElement>(null);

  const decide = (chosen: Decision['status']) => {
    setStatus(chosen);
    // The pressed button loses the focus: it is disabled now and removed at the end.
    leaving.current?.focus();
    bulk.start(claims, {
      perform: async ({ claim_id }) => {
        await decideClaim({ claimId: claim_id, status: chosen, notes });
        forgetClaimNotes(queries, claim_id);
        return done(chosen === 'approved' ? 'Approved' : 'Rejected');
      },
      atOnce: AT_ONCE,
      ended: () => void refresh(AFFECTED_BY_DECISION),
    });
  };

  return (
    <AppModal
      title={`Decide ${countOf(claims.length, 'claim')}`}
      close={close}
      dirty={bulk.state === 'running' || (bulk.state === 'idle' && notes !== '')}
    >
      <Stack gap="md">
        <Textarea
          label="Admin Notes"
          placeholder={NOTES_PLACEHOLDER}
          description="Optional. The same note is added to each claim. The buyers can read it."
          autosize
          minRows={2}
          maxLength={5000}
          readOnly={bulk.state !== 'idle'}
          value={notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        {bulk.state === 'idle' ? <Text>A decision is final.</Text> : null}
        <BulkOutcomes
          label="Claims to decide"
          rows={claims}
          keyOf={keyOf}
          title="Claim"
          nameOf={(claim) => `#${claim.claim_id} · ${nameOf(claim)} · ${claim.claim_reason}`}
          outcomes={bulk.outcomes}
          doneText={status}
          ended={bulk.state === 'ended'}
        />
        <Group justify="flex-end">
          <Button ref={leaving} variant="default" onClick={bulk.state === 'running' ? bulk.stop : close}>
            {bulk.state === 'running' ? 'Stop' : 'Close'}
          </Button>
          {bulk.state !== 'ended' && (
            <>
              <Button color="red.9" disabled={bulk.state === 'running'} onClick={() => decide('rejected')}>
                Reject {claims.length}
              </Button>
              <Button color="teal.9" disabled={bulk.state === 'running'} onClick={() => decide('approved')}>
                Approve {claims.length}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </AppModal>
  );
}
