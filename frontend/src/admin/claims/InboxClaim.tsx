import { Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type Claim, useClaimNotes } from '../data/claims';
import type { Decision } from '../data/held-decisions';
import { useKeys } from '../ui/use-keys';
import { ClaimDecision } from './ClaimDecision';
import { ClaimDetails } from './ClaimDetails';
import classes from './ClaimsInbox.module.css';

interface Props {
  readonly claim: Claim;
  readonly decide: (status: Decision['status'], notes: string) => void;
}

/** Takes the focus when shown, so that the next decision needs only a key. */
export function InboxClaim({ claim, decide }: Props) {
  const [notes, changeNotes] = useClaimNotes(claim.claim_id);
  const decideWith = (status: Decision['status']) => decide(status, notes);
  useKeys({ a: { act: () => decideWith('approved') }, r: { act: () => decideWith('rejected') } });
  return (
    <FocusedOnce className={classes.detail} label={`Claim ${claim.claim_id}`}>
      <Paper p="md">
        <Stack gap="md">
          <Title order={3} size="h5">
            Claim #{claim.claim_id}
          </Title>
          <ClaimDetails claim={claim} notes={notes} follow={decide} />
          <ClaimDecision notes={notes} changeNotes={changeNotes} decide={decideWith} />
        </Stack>
      </Paper>
    </FocusedOnce>
  );
}

interface FocusedProps {
  readonly className?: string | undefined;
  readonly label?: string;
  readonly children: ReactNode;
}

export function FocusedOnce({ className, label, children }: FocusedProps) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => place.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={place} tabIndex={-1} className={className} aria-label={label}>
      {children}
    </section>
  );
}
