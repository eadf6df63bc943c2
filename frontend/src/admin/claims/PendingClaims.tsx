import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { formatNumber } from '#shared/rules/formats';
import type { Claim, usePendingClaims } from '../data/claims';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { NameText } from '../ui/NameText';
import { ErrorState, ListSkeleton } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';
import { TruncatedText } from '../ui/TruncatedText';
import { deadlineText } from './deadlines';

interface Props {
  readonly query: ReturnType<typeof usePendingClaims>;
  readonly refresh: () => void;
  readonly refreshing: boolean;
  readonly hide: () => void;
  readonly openInbox: (() => void) | undefined;
}

/** All pending claims, whatever the list's filter. */
export function PendingClaims({ query, refresh, refreshing, hide, openInbox }: Props) {
  const claims = query.data ?? [];
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="pending-claims-title">
      <Group justify="space-between" mb={claims.length > 0 || query.error ? 'sm' : 0}>
        <Group gap="sm">
          <Title order={2} size="h4" id="pending-claims-title">
            Pending Claims{query.data && ` (${formatNumber(query.data.length)})`}
          </Title>
          {claims.length > 0 && <Tag tone="wait">New</Tag>}
        </Group>
        <Group gap="xs">
          {claims.length > 0 && openInbox && (
            <ToolButton variant="filled" icon={IconInbox} title="Open inbox (I)" onClick={openInbox}>
              Inbox
            </ToolButton>
          )}
          <ToolButton loading={refreshing} onClick={refresh}>
            Refresh
          </ToolButton>
          <ToolButton onClick={hide}>Hide</ToolButton>
        </Group>
      </Group>
      {query.error && query.data === undefined ? (
        <ErrorState
          title="The pending claims could not be loaded"
          error={query.error}
          retry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <ListSkeleton rows={2} />
      ) : claims.length === 0 ? (
        <Text c="dimmed" mt="xs">
          No claim needs a decision.
        </Text>
      ) : (
        <DataTable
          label="Pending claims"
          columns={claims.some(({ decide_by }) => decide_by !== null) ? columns : withoutDeadline}
          rows={claims}
          rowKey={(claim) => claim.claim_id}
          maxHeight="24rem"
          dense
          cards
        />
      )}
    </Paper>
  );
}

const DEADLINE = 'Deadline';

const columns: readonly Column<Claim>[] = [
  column('ID', 70, (claim) => `#${claim.claim_id}`),
  column('Date', 130, (claim) => claim.created_at_formatted),
  column('Buyer', 160, (claim) => <NameText text={claim.buyer_email} />, { grows: true }),
  column('Lead', 160, (claim) => <NameText text={nameOf(claim)} />, { grows: true }),
  column('Reason', 220, (claim) => <TruncatedText text={claim.claim_reason} lines={2} />, { grows: true }),
  column(DEADLINE, 130, (claim) => deadlineText(claim, new Date()) ?? '–'),
  actionsColumn(90, (claim) => <Review claim={claim} />),
];

const withoutDeadline = columns.filter(({ title }) => title !== DEADLINE);

function Review({ claim }: { claim: Claim }) {
  const dialogs = useDialogs();
  return (
    <Button
      size="compact-xs"
      aria-label={`Review claim ${claim.claim_id}`}
      onClick={() => dialogs.open('claim', { claim })}
    >
      Review
    </Button>
  );
}
