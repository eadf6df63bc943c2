import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { MAX_WEBHOOKS } from '#shared/rules/constants';
import { useApiMutation } from '../../data/mutation';
import { useWebhooks, type Webhook } from '../../data/webhooks';
import { useDialogs } from '../../dialogs/dialogs';
import { CONFIRM } from '../../texts';
import { IconButton } from '../../ui/IconButton';
import classes from '../../ui/rows.module.css';
import { Tag } from '../../ui/Tag';
import { SettingsSection } from '../SettingsSection';
import { WEBHOOK_EVENT_TEXTS } from './webhook-form';

export function WebhooksSection() {
  const webhooks = useWebhooks();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={webhooks}
      what="The webhooks"
      rows={2}
      title="Webhooks"
      about="Your own tools are called when a lead is assigned, a claim is filed or an order is full. Without personal data."
      actions={
        <Button
          size="xs"
          disabled={(webhooks.data?.length ?? 0) >= MAX_WEBHOOKS}
          onClick={() => dialogs.open('webhook', {})}
        >
          Add Webhook
        </Button>
      }
    >
      {(rows) =>
        rows.length === 0 ? (
          <Text c="dimmed">
            No webhooks yet. Add the address of your CRM, or of a scenario in Make or n8n.
          </Text>
        ) : (
          <Stack gap="xs" component="ul" className={classes.list}>
            {rows.map((webhook) => (
              <WebhookRow key={webhook.webhook_id} webhook={webhook} />
            ))}
            {rows.length >= MAX_WEBHOOKS && (
              <Text component="li" c="dimmed">
                There can be at most {MAX_WEBHOOKS} webhooks. Delete one to add another.
              </Text>
            )}
          </Stack>
        )
      }
    </SettingsSection>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const dialogs = useDialogs();
  const remove = useApiMutation('deleteWebhook');
  const { webhook_id: webhookId, name, url, events, gone_at } = webhook;
  const confirmDelete = () =>
    dialogs.ask({ title: 'Delete webhook', text: CONFIRM.deleteWebhook(name), action: 'Delete' }, () =>
      remove.mutate({ params: { webhookId } }),
    );
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {gone_at !== null && <Tag tone="wait">Turned off</Tag>}
        </Group>
        <Text c="dimmed">{url}</Text>
        <Text c="dimmed">{events.map((event) => WEBHOOK_EVENT_TEXTS[event]).join(', ')}</Text>
      </div>
      <Group gap={6}>
        <IconButton
          label={`Edit ${name}`}
          icon={IconEdit}
          onClick={() => dialogs.open('webhook', { webhook })}
        />
        <IconButton
          label={`Delete ${name}`}
          danger
          icon={IconTrash}
          loading={remove.isPending}
          onClick={confirmDelete}
        />
      </Group>
    </li>
  );
}
