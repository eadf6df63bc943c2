import { Alert, Stack, Table, Text } from '@mantine/core';
import type { ALERT_MEDIA } from '#shared/rules/constants';
import { useApiMutation } from '../data/mutation';
import { type Alerts, useAlerts, useAlertsNow } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { Tag } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';
import { AlertsTable } from './AlertsTable';
import { ALERTS } from './alert-texts';
import { SettingsSection } from './SettingsSection';
import { TestResult } from './TestResult';

/** Alert settings and current alerts. */
export function AlertsSection() {
  const alerts = useAlerts();
  const now = useAlertsNow();
  const test = useApiMutation('sendTestAlert', { quiet: true });
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={alerts}
      what="The alerts"
      rows={3}
      title="Alerts"
      about="Sent to admins automatically, once per incident."
      actions={
        <>
          <ToolButton loading={test.isPending} onClick={() => test.mutate({ body: { medium: 'email' } })}>
            Send Test E-mail
          </ToolButton>
          <ToolButton loading={test.isPending} onClick={() => test.mutate({ body: { medium: 'push' } })}>
            Send Test Push
          </ToolButton>
        </>
      }
      edit={{ label: 'Edit Alerts', open: ({ settings: stored }) => dialogs.open('alerts', { stored }) }}
    >
      {(stored) => (
        <Stack gap="md">
          {test.data && <TestResult result={test.data} />}
          <Recipients alerts={stored} />
          <AlertsTable active_alerts={now.data?.active_alerts}>
            {({ kind, unit }) => (
              <>
                <MediumCell on={stored.settings[kind].email} />
                <MediumCell on={stored.settings[kind].push} />
                <Table.Td>{unit && `${unit}: ${stored.settings[kind].threshold}`}</Table.Td>
              </>
            )}
          </AlertsTable>
          {now.isError && <Text c="dimmed">Active alerts could not be loaded.</Text>}
        </Stack>
      )}
    </SettingsSection>
  );
}

const MediumCell = ({ on }: { readonly on: boolean }) => (
  <Table.Td>{on ? <Tag tone="good">On</Tag> : <Text c="dimmed">Off</Text>}</Table.Td>
);

/** Recipients of alerts, or why there are none. */
function Recipients({ alerts: { settings, operator, sender, credentials } }: { readonly alerts: Alerts }) {
  const asks = (medium: (typeof ALERT_MEDIA)[number]) => ALERTS.some(({ kind }) => settings[kind][medium]);
  const addresses = settings.emails.length > 0 ? settings.emails : [operator ?? []].flat();
  const lost = [
    ...(asks('email') && !sender ? ['No sender address is configured for system e-mail.'] : []),
    ...(asks('email') && addresses.length === 0 ? ['No recipient address is set.'] : []),
    ...(asks('push') && credentials === 0 ? ['No Pushover credentials are set.'] : []),
  ];
  return (
    <>
      <Text style={{ overflowWrap: 'anywhere' }}>
        E-mails go to {addresses.length === 0 ? 'nobody' : addresses.join(', ')}
        {settings.emails.length === 0 && addresses.length > 0 && ', the operator’s address'}. Pushes go to all{' '}
        <TextLink to="/dashboard/settings/push">Pushover credentials</TextLink>.
      </Text>
      {lost.length > 0 && (
        <Alert color="orange" title="Alerts do not arrive">
          {lost.join(' ')}
        </Alert>
      )}
    </>
  );
}
