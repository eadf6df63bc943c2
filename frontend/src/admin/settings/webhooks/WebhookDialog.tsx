import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { useWebhooks } from '../../data/webhooks';
import type { DialogInput } from '../../dialogs/dialogs';
import { AppModal } from '../../ui/AppModal';
import { WebhookForm } from './WebhookForm';
import { WebhookLog } from './WebhookLog';

/** A new webhook becomes a stored one in the same dialog, because its secret is shown once. */
export function WebhookDialog({ webhook, close }: DialogInput<'webhook'>) {
  const [opened, setOpened] = useState(webhook);
  const [secret, setSecret] = useState<string>();
  const [dirty, setDirty] = useState(false);
  const { data = [] } = useWebhooks();
  const stored = opened && (data.find(({ webhook_id }) => webhook_id === opened.webhook_id) ?? opened);
  const form = (
    <WebhookForm
      key={stored?.webhook_id}
      opened={opened}
      stored={stored}
      secret={secret}
      show={setSecret}
      created={setOpened}
      setDirty={setDirty}
      close={close}
    />
  );
  return (
    <AppModal title={stored?.name ?? 'Add Webhook'} close={close} size="xl" dirty={dirty}>
      {stored === undefined ? (
        form
      ) : (
        <Tabs defaultValue="settings">
          <Tabs.List mb="md">
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="log">Log</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="settings">{form}</Tabs.Panel>
          <Tabs.Panel value="log">
            <WebhookLog webhook={stored} leave={close} />
          </Tabs.Panel>
        </Tabs>
      )}
    </AppModal>
  );
}
