import '@mantine/core/styles/Table.css';
import { Button, Group, Switch, Table, Text } from '@mantine/core';
import { IconSend, IconTrash } from '@tabler/icons-react';
import { useApiMutation } from '../data/mutation';
import { type PushCredential, usePushCredentials } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { IconButton } from '../ui/IconButton';
import { ScrollBox } from '../ui/ScrollBox';
import { ToolButton } from '../ui/ToolButton';
import { SettingsSection } from './SettingsSection';
import { TestResult } from './TestResult';

export function PushSection() {
  const credentials = usePushCredentials();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={credentials}
      what="The Pushover credentials"
      rows={2}
      title="Pushover Notification Settings"
      about="Push notifications to phones about new leads and claims."
      actions={
        <>
          <ToolButton onClick={() => dialogs.open('push-template', {})}>Edit Template</ToolButton>
          <Button size="xs" onClick={() => dialogs.open('push-credentials', {})}>
            Add Credentials
          </Button>
        </>
      }
    >
      {(rows) => (
        <ScrollBox label="Pushover credentials">
          <Table aria-label="Pushover credentials" verticalSpacing={4}>
            <Table.Thead style={{ whiteSpace: 'nowrap' }}>
              <Table.Tr>
                <Table.Th>User Key</Table.Th>
                <Table.Th>App Key</Table.Th>
                <Table.Th>Notify Leads</Table.Th>
                <Table.Th>Notify Claims</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.length === 0 && (
                <Table.Tr>
                  <Table.Td colSpan={5}>
                    <Text c="dimmed">No credentials configured yet</Text>
                  </Table.Td>
                </Table.Tr>
              )}
              {rows.map((credential) => (
                <CredentialRow key={credential.id} credential={credential} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
    </SettingsSection>
  );
}

const EVENTS = [
  { setting: 'notify_lead_assignment', what: 'leads' },
  { setting: 'notify_lead_claims', what: 'claims' },
] as const;

function CredentialRow({ credential }: { credential: PushCredential }) {
  const update = useApiMutation('updatePushoverCredential');
  const remove = useApiMutation('deletePushoverCredential');
  const test = useApiMutation('sendTestPush', { quiet: true });
  const dialogs = useDialogs();
  const { id } = credential;
  const confirmDelete = () =>
    dialogs.ask({ title: 'Delete credentials', text: CONFIRM.deleteCredentials, action: 'Delete' }, () =>
      remove.mutate({ params: { id } }),
    );
  return (
    <>
      <Table.Tr h={44}>
        <Table.Td>{credential.user_key}</Table.Td>
        <Table.Td>{credential.app_key}</Table.Td>
        {EVENTS.map(({ setting, what }) => (
          <Table.Td key={setting}>
            <Switch
              aria-label={`Notify ${credential.user_key} of ${what}`}
              checked={credential[setting]}
              disabled={update.isPending}
              onChange={(event) =>
                update.mutate({ params: { id }, body: { [setting]: event.currentTarget.checked } })
              }
            />
          </Table.Td>
        ))}
        <Table.Td>
          <Group gap={6} wrap="nowrap">
            <IconButton
              label={`Send a test push to ${credential.user_key}`}
              icon={IconSend}
              loading={test.isPending}
              onClick={() => test.mutate({ params: { id } })}
            />
            <IconButton
              label={`Delete credentials ${credential.user_key}`}
              danger
              icon={IconTrash}
              loading={remove.isPending}
              onClick={confirmDelete}
            />
          </Group>
        </Table.Td>
      </Table.Tr>
      {test.data && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <TestResult result={test.data} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
