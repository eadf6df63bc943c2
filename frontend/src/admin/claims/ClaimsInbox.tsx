import {
  Box,
  Button,
  Group,
  Kbd,
  NativeSelect,
  Paper,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowLeft } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatNumber } from '#shared/rules/formats';
import { type Claim, useClaimNotes, type usePendingClaims } from '../data/claims';
import type { Decision } from '../data/held-decisions';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { type Column, column, DataTable } from '../ui/DataTable';
import formClasses from '../ui/FormButtons.module.css';
import { countOf } from '../ui/labels';
import { SelectBox } from '../ui/SelectBox';
import { useSelection } from '../ui/selection';
import { EmptyState, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { useKeys } from '../ui/use-keys';
import { ClaimDetails } from './ClaimDetails';
import classes from './ClaimsInbox.module.css';
import { DecideClaimsDialog } from './DecideClaimsDialog';
import { deadlineText, URGENCY_FILTERS, type UrgencyFilter, urgencyOf, urgent } from './deadlines';
import { useHeldDecisions } from './use-held-decisions';

interface Props {
  readonly query: ReturnType<typeof usePendingClaims>;
  /** The id of the claim that is shown in detail; empty at first. */
  readonly chosen: string;
  readonly choose: (claimId: string) => void;
  readonly leave: () => void;
}

/** Pending claims: the list on the left, the selected claim on the right, a key for each decision. */
export function ClaimsInbox({ query, chosen, choose, leave }: Props) {
  const [held, decisions] = useHeldDecisions();
  const waiting = useMemo(
    () => query.data?.filter(({ claim_id }) => !decisions.some(({ claimId }) => claimId === claim_id)) ?? [],
    [query.data, decisions],
  );
  const [filter, setFilter] = useState<UrgencyFilter>('all');
  const now = useMemo(() => new Date(query.dataUpdatedAt), [query.dataUpdatedAt]);
  const narrowed = urgent(waiting, filter, now);
  // If the filter matches none, all pending claims are shown.
  const shown = narrowed.length > 0 ? narrowed : waiting;
  const undoable = decisions.filter(({ state }) => state === 'held');
  const undo = (claimId: number | undefined) => {
    if (claimId !== undefined && held.undo(claimId)) choose(String(claimId));
  };
  const toUndo = (
    <div role="status" aria-label="Decisions that can be undone" className={classes.held}>
      {undoable.map(({ claimId, status }) => (
        <div key={claimId} className={classes.heldDecision}>
          {`Claim #${claimId} ${status}`}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconArrowBackUp size={16} />}
            aria-label={`Undo: claim ${claimId}`}
            onClick={() => undo(claimId)}
          >
            Undo
          </Button>
        </div>
      ))}
    </div>
  );

  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <ToolButton icon={IconArrowLeft} onClick={leave}>
            All Claims
          </ToolButton>
          <Title order={2} size="h4">
            Inbox ({formatNumber(waiting.length)})
          </Title>
        </Group>
        {waiting.some(({ decide_by }) => decide_by !== null) && (
          <NativeSelect
            size="xs"
            aria-label="Which claims"
            value={shown === narrowed ? filter : 'all'}
            data={URGENCY_FILTERS.map((value) => {
              const { length } = urgent(waiting, value, now);
              return {
                value,
                label: `${FILTER_LABELS[value]} (${formatNumber(length)})`,
                disabled: length === 0,
              };
            })}
            onChange={({ currentTarget: { value } }) => {
              const chosenFilter = URGENCY_FILTERS.find((one) => one === value) ?? 'all';
              setFilter(chosenFilter);
              const [first] = urgent(waiting, chosenFilter, now);
              choose(first === undefined ? '' : keyOf(first));
            }}
          />
        )}
        <Text size="xs" c="dimmed" visibleFrom="md">
          <Kbd size="xs">J</Kbd> next <Kbd size="xs">K</Kbd> previous <Kbd size="xs">A</Kbd> approve{' '}
          <Kbd size="xs">R</Kbd> reject <Kbd size="xs">X</Kbd> select <Kbd size="xs">Z</Kbd> undo
        </Text>
      </Group>
      <QueryResult query={query} what="The pending claims">
        {() => (
          <WaitingClaims
            claims={shown}
            now={now}
            chosen={chosen}
            choose={choose}
            decide={(decision) => held.hold(decision)}
            undo={() => undo(undoable.at(-1)?.claimId)}
            toUndo={toUndo}
            leave={leave}
          />
        )}
      </QueryResult>
    </Stack>
  );
}

interface WaitingProps {
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

const FILTER_LABELS: Readonly<Record<UrgencyFilter, string>> = {
  all: 'All pending',
  soon: 'Due soon',
  overdue: 'Overdue',
};

const keyOf = (claim: Claim) => String(claim.claim_id);
/** A fixed height, whatever they contain. */
const TOOLS = { gap: 'sm', mih: 34, wrap: 'nowrap' } as const;
const NOTHING = { act: () => {} };

function WaitingClaims({ claims, now, chosen, choose, decide, undo, toUndo, leave }: WaitingProps) {
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
  const line = useMemo(() => ({ open, now }), [open, now]);

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
          <LineContext value={line}>
            <DataTable
              label="Pending claims"
              columns={columns}
              rows={claims}
              rowKey={keyOf}
              current={wide ? chosen : undefined}
              selection={{ ...selection, nameOf: (claim) => `claim ${claim.claim_id}`, Box: SelectBox }}
              maxHeight="calc(100dvh - 190px)"
              dense
            />
          </LineContext>
        </Box>
        {wide &&
          (current === undefined ? (
            <Paper withBorder p="md" component="section" aria-label="Claim">
              <Text>
                {chosen === '' ? 'Choose a claim.' : `Claim #${chosen} has been decided. Choose another one.`}
              </Text>
            </Paper>
          ) : (
            <Detail key={`${chosen} ${round}`} claim={current} decide={decideCurrent} />
          ))}
      </div>
      {together !== undefined && <DecideClaimsDialog claims={together} close={decidedTogether} />}
    </>
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

interface DetailProps {
  readonly claim: Claim;
  readonly decide: (status: Decision['status'], notes: string) => void;
}

/** Takes the focus when shown, so that the next decision needs only a key. */
function Detail({ claim, decide }: DetailProps) {
  const [notes, changeNotes] = useClaimNotes(claim.claim_id);
  const [approve, reject] = [() => decide('approved', notes), () => decide('rejected', notes)];
  useKeys({ a: { act: approve }, r: { act: reject } });
  return (
    <FocusedOnce className={classes.detail} label={`Claim ${claim.claim_id}`}>
      <Paper p="md">
        <Stack gap="md">
          <Title order={3} size="h5">
            Claim #{claim.claim_id}
          </Title>
          <ClaimDetails claim={claim} notes={notes} changeNotes={changeNotes} follow={decide} />
          <Group justify="flex-end" className={formClasses.sticky}>
            <Button color="red.9" onClick={reject}>
              Reject
            </Button>
            <Button color="teal.9" onClick={approve}>
              Approve
            </Button>
          </Group>
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

function FocusedOnce({ className, label, children }: FocusedProps) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => place.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={place} tabIndex={-1} className={className} aria-label={label}>
      {children}
    </section>
  );
}
