import { Checkbox, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useEffect, useState } from 'react';
import { CALLBACK_EVENTS, type Endpoint } from '#shared/rules/constants';
import { POSTBACK_MACROS } from '#shared/rules/postback';
import { type Endpoints, loadEndpoints, useEndpoints } from '../../data/callbacks';
import { useApiMutation } from '../../data/mutation';
import type { Source } from '../../data/sources';
import { ENDPOINT_TEXTS, EVENT_TEXTS } from '../../lead/callback-texts';
import { EditButtons, useEdit } from '../../ui/edit';
import { focusFirstError } from '../../ui/form';
import { SmallText } from '../../ui/SmallText';
import { TestButton } from '../../ui/TestButton';
import { type EndpointsValues, endpointsOf, endpointsValuesOf, validateEndpoints } from './endpoints-form';
import { SigningSecrets } from './SigningSecrets';
import { TurnedOff } from './TurnedOff';

interface Props {
  readonly source: Source;
  /** As it was when the form was opened. */
  readonly stored: Endpoints;
  readonly setDirty: (dirty: boolean) => void;
  readonly close: () => void;
}

/** The two endpoints of a source, and the secrets that sign webhooks. */
export function EndpointsForm({ source, stored, setDirty, close }: Props) {
  const { data: endpoints = stored } = useEndpoints(source.source_id);
  const [secret, setSecret] = useState<string>();
  const params = { sourceId: source.source_id };
  const update = useApiMutation('updateEndpoints');
  const create = useApiMutation('createSigningSecret', { quiet: true });
  const revoke = useApiMutation('revokeSigningSecret');
  const form = useForm<EndpointsValues>({
    initialValues: endpointsValuesOf(stored),
    validate: validateEndpoints,
  });
  const edit = useEdit({
    form,
    load: async () => endpointsValuesOf(await loadEndpoints(source.source_id)),
    labels: ENDPOINT_TEXTS,
  });
  const dirty = form.isDirty();
  useEffect(() => setDirty(dirty), [dirty, setDirty]);

  const send = (body: Parameters<typeof update.mutate>[0]['body']) =>
    update.mutate(
      { params, body },
      {
        onSuccess: (answer) => {
          const values = endpointsValuesOf(answer.endpoints);
          form.setInitialValues(values);
          form.reset();
          edit.saved(values);
          if (answer.secret !== null) setSecret(answer.secret);
        },
        onError: edit.refused,
      },
    );
  const part = (endpoint: Endpoint, children: ReactNode) => (
    <EndpointFields
      endpoint={endpoint}
      form={form}
      stored={endpoints[endpoint]}
      switchOn={() => send({ [endpoint]: endpointsOf(endpointsValuesOf(endpoints))[endpoint] })}
      testButton={<TestCallbackButton sourceId={source.source_id} endpoint={endpoint} unsaved={dirty} />}
    >
      {children}
    </EndpointFields>
  );

  return (
    <form onSubmit={form.onSubmit(() => send(edit.changes(endpointsOf)), focusFirstError)} noValidate>
      <Stack gap="md">
        <Text>
          {source.name} is notified at these addresses when its leads change. It gets the IDs that it sent
          {source.sees_buyers
            ? ' and the buyer, but no personal data.'
            : ', but no personal data and not the buyer.'}
        </Text>
        {part(
          'webhook',
          <SigningSecrets
            name={source.name}
            secrets={endpoints.secrets}
            created={secret}
            creating={create.isPending}
            create={() => create.mutate({ params }, { onSuccess: (answer) => setSecret(answer.secret) })}
            revoking={revoke.isPending ? revoke.variables.params.slot : undefined}
            revoke={(slot) => revoke.mutate({ params: { ...params, slot } })}
          />,
        )}
        {part(
          'postback',
          <SmallText mt="xs" style={{ overflowWrap: 'anywhere' }}>
            Called by GET. The address can contain {POSTBACK_MACROS.map((name) => `{${name}}`).join(' ')}.
            Status is assigned, pending, discarded, claim_approved or claim_rejected; of feedback reached,
            not_reached, closed or no_feedback. Amount is the investment in euro, such as 25000.00.
          </SmallText>,
        )}
        <EditButtons edit={edit} cancel={close} saving={update.isPending} action="Save Callbacks" sticky />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly endpoint: Endpoint;
  readonly form: UseFormReturnType<EndpointsValues>;
  readonly stored: Endpoints[Endpoint];
  readonly switchOn: () => void;
  readonly testButton: ReactNode;
  readonly children: ReactNode;
}

const ABOUT = {
  webhook: {
    placeholder: 'https://example.com/hooks/leads',
    description:
      'JSON is posted to this address, signed as in Standard Webhooks. Leave empty for no webhook.',
  },
  postback: {
    placeholder: 'https://tracker.example.com/postback?cid={clickId}&status={status}',
    description: 'For affiliate trackers. Leave empty for no postback.',
  },
} as const satisfies Record<Endpoint, object>;

function EndpointFields({ endpoint, form, stored, switchOn, testButton, children }: FieldsProps) {
  const label = ENDPOINT_TEXTS[endpoint];
  return (
    <Fieldset legend={label}>
      {stored !== null && stored.gone_at !== null && <TurnedOff at={stored.gone_at} switchOn={switchOn} />}
      <TextInput
        label={`Address of the ${label.toLowerCase()}`}
        type="url"
        maxLength={2000}
        {...ABOUT[endpoint]}
        {...form.getInputProps(`${endpoint}.url`)}
      />
      <Checkbox.Group
        mt="sm"
        label={`Events of the ${label.toLowerCase()}`}
        {...form.getInputProps(`${endpoint}.events`)}
      >
        <Group gap="md" mt={4}>
          {CALLBACK_EVENTS.map((event) => (
            <Checkbox key={event} size="sm" value={event} label={EVENT_TEXTS[event]} />
          ))}
        </Group>
      </Checkbox.Group>
      {children}
      {stored !== null && testButton}
    </Fieldset>
  );
}

interface TestProps {
  readonly sourceId: number;
  readonly endpoint: Endpoint;
  /** The test uses what is stored. */
  readonly unsaved: boolean;
}

function TestCallbackButton({ sourceId, endpoint, unsaved }: TestProps) {
  const test = useApiMutation('sendTestCallback');
  return (
    <TestButton
      text={`Send a test ${endpoint}`}
      unsaved={unsaved}
      test={test}
      send={() => test.mutate({ params: { sourceId, endpoint } })}
    />
  );
}
