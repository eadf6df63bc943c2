import { Alert, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CLAIM_RULE_NAMES } from '#shared/rules/claim-evidence-rules';
import { formatDateTime } from '#shared/rules/formats';
import type { Claim } from '../data/claims';
import { useApiMutation } from '../data/mutation';
import { Allowed } from '../data/rights';
import { countOf } from '../ui/labels';
import { ToolButton } from '../ui/ToolButton';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Props {
  readonly claim: Claim;
  readonly until: Date;
  /** Called after the reversal, because the displayed claim is outdated. */
  readonly done?: (() => void) | undefined;
}

/** Shows that a decision was automatic and until when an admin can reverse it. */
export function ReverseDecision({ claim, until, done }: Props) {
  const [notes, setNotes] = useState('');
  const [openedAt] = useState(() => Date.now());
  const left = until.getTime() - openedAt;
  const does = claim.claim_status === 'approved' ? 'Reject' : 'Approve';
  const reverse = useApiMutation('reverseClaim');
  return (
    <Alert
      color="blue"
      title={claim.rule === null ? 'Decided by a rule' : `Decided by a rule: ${CLAIM_RULE_NAMES[claim.rule]}`}
    >
      {left <= 0 ? (
        <Text>It could be reversed until {formatDateTime(until)} and is now final.</Text>
      ) : (
        <>
          <Text>
            It can be reversed until {formatDateTime(until)} ({timeLeft(left)} left), once.
          </Text>
          <Allowed to="reverseClaim">
            <Textarea
              mt="xs"
              label="Reason for the reversal"
              description="Optional. The buyer is notified by e-mail and can read it."
              autosize
              minRows={2}
              maxLength={5000}
              value={notes}
              onChange={(event) => setNotes(event.currentTarget.value)}
            />
            <Group mt="xs">
              <ToolButton
                loading={reverse.isPending}
                disabled={reverse.isSuccess}
                onClick={() =>
                  reverse.mutate(
                    { params: { claimId: claim.claim_id }, body: { admin_notes: notes } },
                    { onSuccess: () => done?.() },
                  )
                }
              >
                {does} after all
              </ToolButton>
            </Group>
          </Allowed>
        </>
      )}
    </Alert>
  );
}

function timeLeft(ms: number): string {
  return ms >= HOUR_MS
    ? countOf(Math.floor(ms / HOUR_MS), 'hour')
    : countOf(Math.max(1, Math.floor(ms / MINUTE_MS)), 'minute');
}
