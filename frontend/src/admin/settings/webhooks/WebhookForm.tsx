import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { MAX_WEBHOOK_NAME, WEBHOOK_EVENTS } from '#shared/rules/constants';
import { useCreatedOnce } from '../../data/created-once';
import { useApiMutation } from '../../data/mutation';
import { loadWebhooks, type Webhook, webhooksQuery } from '../../data/webhooks';
import { SigningSecrets } from '../../sources/callbacks/SigningSecrets';
import { TurnedOff } from '../../sources/callbacks/TurnedOff';
import { EditButtons, useEdit } from '../../ui/edit';
import { focusFirstError, showFieldErrors } from '../../ui/form';
import { TestButton } from '../../ui/TestButton';
import {
  validateWebhook,
  WEBHOOK_EVENT_TEXTS,
  WEBHOOK_LABELS,
  webhookOf,
  webhookValuesOf,
} from './webhook-form';

interface Props {
  /** As it was when the form was opened; undefined for a new one. */
  readonly opened: Webhook | undefined;
  readonly stored: Webhook | undefined;
  /** A new one, shown only once. */
  readonly secret: string | undefined;
  readonly show: (secret: string) => void;
  readonly created: (webhook: Webhook) => void;
  readonly setDirty: (dirty: boolean) => void;
  readonly close: () => void;
}

export function WebhookForm({ opened, stored, secret, show, created, setDirty, close }: Props) {
  const around = useCreatedOnce('createWebhook', webhooksQuery, (all) => all.map((one) => one.webhook_id));
  const create = useApiMutation('createWebhook', { around });
  const update = useApiMutation('updateWebhook');
  const form = useForm({ initialValues: webhookValuesOf(opened), validate: validateWebhook });
  const edit = useEdit({
    form,
    load: async () =>
      webhookValuesOf((await loadWebhooks()).find((one) => one.webhook_id === opened?.webhook_id)),
    labels: WEBHOOK_LABELS,
  });
  const dirty = form.isDirty();
  useEffect(() => setDirty(dirty), [dirty, setDirty]);

  const save = () => {
    if (stored === undefined)
      return create.mutate(
        { body: webhookOf(form.getValues()) },
        {
          onSuccess: ({ webhook, secret: first }) => {
            show(first);
            created(webhook);
          },
          onError: (error) => showFieldErrors(form, error),
        },
      );
    return send(stored, edit.changes(webhookOf));
  };
  const send = ({ webhook_id: webhookId }: Webhook, body: Parameters<typeof update.mutate>[0]['body']) =>
    update.mutate(
      { params: { webhookId }, body },
      {
        onSuccess: ({ webhook }) => {
          const values = webhookValuesOf(webhook);
          form.setInitialValues(values);
          form.reset();
          edit.saved(values);
        },
        onError: edit.refused,
      },
    );

  return (
    <form onSubmit={form.onSubmit(save, focusFirstError)} noValidate>
      <Stack gap="md">
        {stored !== undefined && stored.gone_at !== null && (
          <TurnedOff at={stored.gone_at} switchOn={() => send(stored, { url: stored.url })} />
        )}
        <TextInput
          label={WEBHOOK_LABELS.name}
          required
          data-autofocus
          maxLength={MAX_WEBHOOK_NAME}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={WEBHOOK_LABELS.url}
          required
          type="url"
          maxLength={2000}
          placeholder="https://example.com/hooks/leads"
          description="JSON is posted to this address, signed as in Standard Webhooks."
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label={WEBHOOK_LABELS.events} {...form.getInputProps('events')}>
          <Group gap="md" mt={4}>
            {WEBHOOK_EVENTS.map((event) => (
              <Checkbox key={event} size="sm" value={event} label={WEBHOOK_EVENT_TEXTS[event]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Secrets stored={stored} created={secret} show={show} />
        {stored !== undefined && <TestEventButton webhookId={stored.webhook_id} unsaved={dirty} />}
        <EditButtons
          edit={stored && edit}
          cancel={close}
          saving={create.isPending || update.isPending}
          action={stored === undefined ? 'Add Webhook' : 'Save Webhook'}
          sticky
        />
      </Stack>
    </form>
  );
}

function Secrets({
  stored,
  created,
  show,
}: Pick<Props, 'stored' | 'show'> & { readonly created: string | undefined }) {
  const create = useApiMutation('createWebhookSecret', { quiet: true });
  const revoke = useApiMutation('revokeWebhookSecret');
  const params = { webhookId: stored?.webhook_id ?? 0 };
  return (
    <SigningSecrets
      name={stored?.name ?? ''}
      secrets={stored?.secrets ?? []}
      created={created}
      creating={create.isPending}
      create={() => create.mutate({ params }, { onSuccess: ({ secret }) => show(secret) })}
      revoking={revoke.isPending ? revoke.variables.params.slot : undefined}
      revoke={(slot) => revoke.mutate({ params: { ...params, slot } })}
    />
  );
}

interface TestProps {
  readonly webhookId: number;
  /** The test uses what is stored. */
  readonly unsaved: boolean;
}

function TestEventButton({ webhookId, unsaved }: TestProps) {
  const test = useApiMutation('sendTestEvent');
  return (
    <TestButton
      text="Send a test event"
      unsaved={unsaved}
      test={test}
      send={() => test.mutate({ params: { webhookId } })}
    />
  );
}
