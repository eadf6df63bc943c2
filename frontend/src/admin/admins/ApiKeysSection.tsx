import { Button, Group, Text, Title } from '@mantine/core';
import { formatDateTime } from '#shared/rules/formats';
import { type ApiKey, useApiKeys } from '../data/admins';
import { useApiMutation } from '../data/mutation';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { NameText } from '../ui/NameText';
import { nameColumn } from '../ui/name-column';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { SCOPE_TEXTS } from './scope-texts';

/** Keys with which the admins' own tools make calls, without a session. */
export function ApiKeysSection() {
  const keys = useApiKeys();
  const dialogs = useDialogs();
  return (
    <>
      <Group justify="space-between" gap="sm" mt="md">
        <div>
          <Title order={2} size="h4">
            API keys
          </Title>
          <Text c="dimmed">For your own tools. A key works until it is revoked, whoever created it.</Text>
        </div>
        <Button size="xs" variant="default" onClick={() => dialogs.open('api-key', {})}>
          Create API Key
        </Button>
      </Group>
      <QueryResult query={keys} skeleton={<ListSkeleton rows={1} cards />} what="The API keys">
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <EmptyState
              title="No API keys yet"
              hint="With a key, a tool such as Make, n8n or a spreadsheet reads leads and figures, creates leads or changes orders. It sends the header “Authorization: Bearer …”."
            />
          ) : (
            <DataTable label="API keys" columns={COLUMNS} rows={rows} rowKey={({ key_id }) => key_id} cards />
          )
        }
      </QueryResult>
    </>
  );
}

function RevokeButton({ apiKey: { key_id: keyId, name, prefix } }: { readonly apiKey: ApiKey }) {
  const dialogs = useDialogs();
  const revoke = useApiMutation('revokeApiKey');
  return (
    <ToolButton
      aria-label={`Revoke ${name}`}
      loading={revoke.isPending}
      onClick={() =>
        dialogs.ask(
          { title: 'Revoke API key', text: CONFIRM.revokeApiKey(prefix, name), action: 'Revoke' },
          () => revoke.mutate({ params: { keyId } }),
        )
      }
    >
      Revoke
    </ToolButton>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  nameColumn('Name', 160, ({ name }) => name),
  column('Key', 120, ({ prefix }) => <Text ff="monospace">{prefix}…</Text>),
  column('Scopes', 140, ({ scopes }) => scopes.map((scope) => SCOPE_TEXTS[scope].label).join(', '), {
    grows: true,
  }),
  column('Created by', 100, ({ created_by }) => <NameText text={created_by} />, { grows: true }),
  column('Since', 150, ({ created_at }) => formatDateTime(new Date(created_at))),
  column('Last used', 150, ({ last_used_at: used }) =>
    used === null ? 'Never' : formatDateTime(new Date(used)),
  ),
  actionsColumn(110, (apiKey) => <RevokeButton apiKey={apiKey} />),
];
