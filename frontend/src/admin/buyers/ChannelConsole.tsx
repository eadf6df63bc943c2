import { Button, Group, Input, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { BuyerChannel } from '#shared/channels/channels';
import type { Pair } from '#shared/rules/http-request';
import { type ChannelTrial } from '../data/deliveries';
import { useApiMutation } from '../data/mutation';
import { DescriptionList } from '../ui/DescriptionList';
import { focusFirstError, showFieldErrors } from '../ui/form';
import type { BuyerValues } from './buyer-values';
import { CodeBox } from './CodeBox';
import { channelErrors, settingsOf } from './channel-form';
import { VERDICT_TEXT } from './RulesInput';

interface Props {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly channel: BuyerChannel;
  /** Of the stored buyer, whose secrets are used; undefined for a new one. */
  readonly buyerId: string | undefined;
}

/** Sends a test lead with the unsaved settings and shows the call. */
export function ChannelConsole({ form, channel, buyerId }: Props) {
  const attempt = useApiMutation('tryChannel');
  const sent = settingsOf(channel, form.values);
  const [shownFor, setShownFor] = useState('');
  // After a change the displayed call no longer matches the settings.
  const current = JSON.stringify(sent);
  const trial = shownFor === current ? attempt.data : undefined;

  const send = () => {
    const errors = channelErrors(form.values, form.getInitialValues());
    const own = channel.fields.flatMap(({ name }) => {
      const error = errors[name];
      return error === undefined ? [] : [[name, error] as const];
    });
    if (own.length > 0) {
      form.setErrors({ ...form.errors, ...Object.fromEntries(own) });
      focusFirstError();
      return;
    }
    setShownFor(current);
    attempt.mutate(
      {
        params: { channel: channel.id },
        body: { ...sent, ...(buyerId !== undefined && { buyer_id: buyerId }) },
      },
      { onError: (error) => showFieldErrors(form, error) },
    );
  };

  return (
    <Stack mt="md" gap="xs" role="group" aria-label={`Console of ${channel.label}`}>
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSend size={14} />}
          loading={attempt.isPending}
          onClick={send}
        >
          Send a test lead
        </Button>
        <Text role="status" flex={1}>
          {trial === undefined
            ? 'Sends an invented person with the values entered here. Nothing is saved or counted.'
            : outcomeText(trial)}
        </Text>
      </Group>
      {trial && <Call trial={trial} />}
    </Stack>
  );
}

function Call({ trial }: { readonly trial: ChannelTrial }) {
  const { request, answer, external_id: id, duration_ms: duration } = trial;
  return (
    <>
      <DescriptionList
        facts={[
          ['Interpreted as', verdictText(trial)],
          ['Partner’s ID', id ?? 'None found'],
          ['Took', `${duration} ms`],
        ]}
      />
      {request && (
        <Input.Wrapper label="Request" labelElement="div">
          <CodeBox label="Request">
            {messageText(`${request.method} ${request.url}`, request.headers, request.body ?? '')}
          </CodeBox>
        </Input.Wrapper>
      )}
      {answer && (
        <Input.Wrapper label="Answer" labelElement="div">
          <CodeBox label="Answer">
            {messageText(`Status ${answer.status}`, answer.headers, indented(answer.body))}
          </CodeBox>
        </Input.Wrapper>
      )}
    </>
  );
}

const OUTCOME_TEXT = {
  delivered: 'Delivered',
  transient: 'Not delivered; a real lead would be retried',
  permanent: 'Not delivered; a real lead would not be retried',
  unknown: 'No clear answer; a real lead would be retried',
} as const satisfies Record<ChannelTrial['outcome'], string>;

function outcomeText({ outcome, error }: ChannelTrial): string {
  return error === null ? OUTCOME_TEXT[outcome] : `${OUTCOME_TEXT[outcome]}: ${error}`;
}

function verdictText({ verdict, rule }: ChannelTrial): string {
  switch (verdict) {
    case null:
      return 'There was no answer';
    case 'by_status':
      return 'By its status, because no rule matches';
    case 'unclear':
      return 'Unclear: the status is a success, but no rule for accepted leads matches';
    case 'accepted':
    case 'duplicate':
    case 'refused':
    case 'retry':
      return `${VERDICT_TEXT[verdict]}, by rule ${(rule ?? 0) + 1}`;
  }
}

const messageText = (first: string, headers: readonly Pair[], body: string) =>
  [first, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\n').trimEnd();

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
