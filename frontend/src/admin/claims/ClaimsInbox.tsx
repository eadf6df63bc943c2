import { Group, Kbd, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { type usePendingClaims, useSameCount } from '../data/claims';
import { QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { URGENCY_FILTERS, type UrgencyFilter, urgent } from './deadlines';
import { HeldChips } from './HeldChips';
import { keyOf } from './InboxList';
import { useHeldDecisions } from './use-held-decisions';
import { WaitingClaims } from './WaitingClaims';

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
  useSameCount(query.data && waiting.length);
  const [filter, setFilter] = useState<UrgencyFilter>('all');
  const now = useMemo(() => new Date(query.dataUpdatedAt), [query.dataUpdatedAt]);
  const narrowed = urgent(waiting, filter, now);
  // If the filter matches none, all pending claims are shown.
  const shown = narrowed.length > 0 ? narrowed : waiting;
  const undoable = decisions.filter(({ state }) => state === 'held');
  const undo = (claimId: number | undefined) => {
    if (claimId !== undefined && held.undo(claimId)) choose(String(claimId));
  };
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
            toUndo={<HeldChips decisions={undoable} undo={undo} />}
            leave={leave}
          />
        )}
      </QueryResult>
    </Stack>
  );
}

const FILTER_LABELS: Readonly<Record<UrgencyFilter, string>> = {
  all: 'All pending',
  soon: 'Due soon',
  overdue: 'Overdue',
};
