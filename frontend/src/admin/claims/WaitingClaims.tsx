import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { Claim } from '../data/claims';
import type { Decision } from '../data/held-decisions';
import { useDialogs } from '../dialogs/dialogs';
import { countOf } from '../ui/labels';
import { useSelection } from '../ui/selection';
import { EmptyState } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { useKeys } from '../ui/use-keys';
import classes from './ClaimsInbox.module.css';
import { DecideClaimsDialog } from './DecideClaimsDialog';
import { FocusedOnce, InboxClaim } from './InboxClaim';
import { InboxList, keyOf } from './InboxList';

interface Props {
  readonly claims: readonly Claim[];
  readonly now: Date;
  readonly chosen: string;
  readonly choose: (claimId: string) => void;
  readonly decide: (decision: Decision) => void;
  readonly undo: () => void;
  /** The decisions that can be undone, for the line above the list. */
  readonly toUndo: ReactNode;
  readonly leave: () => void;
}

/** A fixed height, whatever they contain. */
const TOOLS = { gap: 'sm', mih: 34, wrap: 'nowrap' } as const;
const NOTHING = { act: () => {} };

export function WaitingClaims({ claims, now, chosen, choose, decide, undo, toUndo, leave }: Props) {
  const dialogs = useDialogs();
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? true;
  const selection = useSelection(claims, keyOf);
  const [together, setTogether] = useState<readonly Claim[]>();
  const [round, setRound] = useState(1);

  // Changes of the list must not change the selected claim: a key would decide another one.
  const index = claims.findIndex((claim) => keyOf(claim) === chosen);
  const [last, setLast] = useState(0);
  if (index >= 0 && index !== last) setLast(index);
  const current = claims[index];
  const first = claims[0];
  useEffect(() => {
    if (chosen === '' && first !== undefined) choose(keyOf(first));
  }, [chosen, first, choose]);

  const go = (to: number) => {
    const target = claims[Math.max(0, Math.min(to, claims.length - 1))];
    if (target !== undefined) choose(keyOf(target));
  };
  const decideCurrent = (status: Decision['status'], notes: string) => {
    if (current === undefined) return;
    const next = claims[index + 1] ?? claims[index - 1];
    decide({ claimId: current.claim_id, status, notes });
    choose(next === undefined ? '' : keyOf(next));
  };

  useKeys({
    j: { act: () => go(index < 0 ? last : index + 1), repeats: true },
    k: { act: () => go(index < 0 ? last - 1 : index - 1), repeats: true },
    x: { act: () => current && selection.toggle(keyOf(current), !selection.has(keyOf(current)), false) },
    z: { act: undo },
    // Without a selected claim the keys must not open another screen: another admin may have decided the last one.
    ...((current === undefined || !wide) && { a: NOTHING, r: NOTHING }),
  });

  const open = useCallback(
    (claim: Claim) => {
      choose(keyOf(claim));
      if (!wide) dialogs.open('claim', { claim });
    },
    [choose, dialogs, wide],
  );

  // The list stays behind the dialog, even if empty, because the dialog shows the result of each claim.
  if (claims.length === 0 && together === undefined)
    return (
      <>
        <Group {...TOOLS}>{toUndo}</Group>
        <FocusedOnce>
          <EmptyState
            title="No pending claims"
            hint="Every claim has been decided."
            action={<ToolButton onClick={leave}>Show all claims</ToolButton>}
          />
        </FocusedOnce>
      </>
    );

  const { rows: selected } = selection;
  const decidedTogether = () => {
    setTogether(undefined);
    selection.clear();
    // The button that opened the dialog is gone, so the claim gets the focus.
    setRound(round + 1);
    if (together?.some((claim) => keyOf(claim) === chosen)) {
      const next = claims.find((claim) => !together.includes(claim));
      choose(next === undefined ? '' : keyOf(next));
    }
  };
  return (
    <>
      <Group {...TOOLS}>
        <ToolButton onClick={selected.length === claims.length ? selection.clear : selection.all}>
          {selected.length === claims.length ? 'Select none' : `Select all ${formatNumber(claims.length)}`}
        </ToolButton>
        <Button size="xs" disabled={selected.length === 0} onClick={() => setTogether(selected)}>
          {selected.length === 0 ? 'Decide together' : `Decide ${countOf(selected.length, 'claim')} together`}
        </Button>
        {toUndo}
      </Group>
      <div className={classes.inbox}>
        <Box miw={0}>
          <InboxList
            claims={claims}
            now={now}
            current={wide ? chosen : undefined}
            selection={selection}
            open={open}
          />
        </Box>
        {wide &&
          (current === undefined ? (
            <Paper withBorder p="md" component="section" aria-label="Claim">
              <Text>
                {chosen === '' ? 'Choose a claim.' : `Claim #${chosen} has been decided. Choose another one.`}
              </Text>
            </Paper>
          ) : (
            <InboxClaim key={`${chosen} ${round}`} claim={current} decide={decideCurrent} />
          ))}
      </div>
      {together !== undefined && <DecideClaimsDialog claims={together} close={decidedTogether} />}
    </>
  );
}
