import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { formatNumber } from '#shared/rules/formats';
import type { HeldDecision } from '../data/held-decisions';
import classes from './HeldChips.module.css';

interface Props {
  /** Oldest first. */
  readonly decisions: readonly HeldDecision[];
  readonly undo: (claimId: number) => void;
}

/** The decision that is sent next and the last one, which Z undoes. The others are hidden and counted. */
export function HeldChips({ decisions, undo }: Props) {
  const last = decisions.length - 1;
  const chips = decisions.map(({ claimId, status }, index) => (
    <div
      key={claimId}
      className={index > 0 && index < last ? `${classes.chip} ${classes.hidden}` : classes.chip}
    >
      <span className={classes.text}>{`Claim #${claimId} ${status}`}</span>
      <Button
        size="compact-sm"
        variant="subtle"
        flex="none"
        leftSection={<IconArrowBackUp size={16} />}
        aria-label={`Undo: claim ${claimId}`}
        onClick={() => undo(claimId)}
      >
        Undo
      </Button>
    </div>
  ));
  if (last > 1) chips.splice(1, 0, <span key="more">{formatNumber(last - 1)} more</span>);
  return (
    <div role="status" aria-label="Decisions that can be undone" className={classes.held}>
      {chips}
    </div>
  );
}
