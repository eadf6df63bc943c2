import { Button, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Decision } from '../data/held-decisions';
import { NOTES_PLACEHOLDER } from '../texts';
import formClasses from '../ui/FormButtons.module.css';
import classes from './ClaimDecision.module.css';

interface Props {
  readonly notes: string;
  readonly changeNotes: (notes: string) => void;
  readonly decide: (status: Decision['status']) => void;
  /** The decision that is being sent. */
  readonly sending?: Decision['status'] | undefined;
  /** Buttons before the two. */
  readonly children?: ReactNode;
}

/** Notes and the two decisions, which stay visible below a long claim. */
export function ClaimDecision({ notes, changeNotes, decide, sending, children }: Props) {
  const button = (status: Decision['status'], text: string, color: string) => (
    <Button
      color={color}
      disabled={sending !== undefined}
      loading={sending === status}
      onClick={() => decide(status)}
    >
      {text}
    </Button>
  );
  return (
    <div className={`${formClasses.sticky} ${classes.decision}`}>
      <Textarea
        className={classes.notes}
        label="Admin Notes"
        placeholder={NOTES_PLACEHOLDER}
        description="Optional. The buyer can read them."
        autosize
        minRows={2}
        maxRows={5}
        maxLength={5000}
        value={notes}
        onChange={(event) => changeNotes(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        {children}
        {button('rejected', 'Reject', 'red.9')}
        {button('approved', 'Approve', 'teal.9')}
      </div>
    </div>
  );
}
