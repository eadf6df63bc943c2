import { UnstyledButton } from '@mantine/core';
import { createContext, useContext, useMemo } from 'react';
import type { Claim } from '../data/claims';
import { nameOf } from '../lead/name';
import { type Column, column, DataTable } from '../ui/DataTable';
import { SelectBox } from '../ui/SelectBox';
import type { Selection } from '../ui/selection';
import classes from './ClaimsInbox.module.css';
import { deadlineText, urgencyOf } from './deadlines';

interface Props {
  readonly claims: readonly Claim[];
  readonly now: Date;
  /** The claim that is shown in detail. */
  readonly current: string | undefined;
  readonly selection: Selection;
  readonly open: (claim: Claim) => void;
}

export const keyOf = (claim: Claim) => String(claim.claim_id);

export function InboxList({ claims, now, current, selection, open }: Props) {
  const line = useMemo(() => ({ open, now }), [open, now]);
  return (
    <LineContext value={line}>
      <DataTable
        label="Pending claims"
        columns={columns}
        rows={claims}
        rowKey={keyOf}
        current={current}
        selection={{ ...selection, nameOf: (claim) => `claim ${claim.claim_id}`, Box: SelectBox }}
        maxHeight="calc(100dvh - 206px)"
        dense
      />
    </LineContext>
  );
}

/** What a row of the list needs: the time, and how to open its claim. */
const LineContext = createContext<{ readonly open: (claim: Claim) => void; readonly now: Date }>({
  open: () => {},
  now: new Date(0),
});

const columns: readonly Column<Claim>[] = [column('Claim', 280, (claim) => <ClaimLine claim={claim} />)];

function ClaimLine({ claim }: { claim: Claim }) {
  const { open, now } = useContext(LineContext);
  const deadline = deadlineText(claim, now);
  return (
    <UnstyledButton className={classes.claim} onClick={() => open(claim)}>
      <span className={classes.reason} title={claim.claim_reason}>
        {claim.claim_reason}
      </span>
      <span className={classes.date}>{claim.created_at_formatted}</span>
      <span className={classes.who}>
        #{claim.claim_id} · {nameOf(claim)} · {claim.buyer_id}
      </span>
      {deadline !== undefined && (
        <span className={classes.deadline} data-urgency={urgencyOf(claim, now)}>
          Deadline {deadline}
        </span>
      )}
    </UnstyledButton>
  );
}
