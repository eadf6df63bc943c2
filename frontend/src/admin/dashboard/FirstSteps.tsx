import { Alert, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { type RestrictedId } from '#shared/contract/roles';
import { ChannelTest, channelsOf } from '../buyers/ChannelTest';
import type { Buyer } from '../data/buyers';
import { useReachedBuyer } from '../data/deliveries';
import { useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { countOf } from '../ui/labels';
import { ToolButton } from '../ui/ToolButton';
import classes from './FirstSteps.module.css';

interface Props {
  readonly buyers: readonly Buyer[];
  readonly failedDeliveries: number;
  /** Hides the guide in this browser. */
  readonly hide: () => void;
}

/** The steps to the first delivered lead, and which of them are done. */
export function FirstSteps({ buyers, failedDeliveries, hide }: Props) {
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const templates = useTemplates();
  const reached = useReachedBuyer();
  const present = buyers.filter(({ deleted }) => !deleted);
  const withoutOrder = present.find(({ order_id }) => order_id === null);
  const withOrder = present.filter(({ order_id }) => order_id !== null);
  const tested = withOrder.find((buyer) => channelsOf(buyer).length > 0) ?? withOrder[0];

  return (
    <Paper component="section" withBorder p="md" aria-labelledby="first-steps">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4" id="first-steps">
          First steps
        </Title>
        <Button size="compact-sm" variant="subtle" onClick={hide}>
          Hide first steps
        </Button>
      </Group>
      <Stack component="ol" gap={10} m={0} mt={12} p={0} style={{ listStyle: 'none' }}>
        <Step
          number={1}
          title="An e-mail template"
          hint="The mail server and text for lead e-mails. The text is already filled in. Buyers with an API need no template."
          isDone={(templates.data ?? []).length > 0}
          action="Write the first template"
          needs="createEmailTemplate"
          onAction={() => dialogs.open('template', { mode: { kind: 'create' } })}
        />
        <Step
          number={2}
          title="A buyer"
          hint="Who receives leads, how, and which share."
          isDone={present.length > 0}
          action="Add the first buyer"
          onAction={() => dialogs.open('add-buyer', {})}
        />
        <Step
          number={3}
          title="An order"
          hint="How many leads the buyer gets. Each order has a secret link to its lead list."
          isDone={withOrder.length > 0}
          action="Open the first order"
          disabled={present.length === 0}
          onAction={() =>
            dialogs.open('create-order', withoutOrder === undefined ? {} : { buyerId: withoutOrder.buyer_id })
          }
        />
        <Step
          number={4}
          title="A test lead"
          hint="Sends an invented lead to the buyer to check that it arrives. It is neither stored nor counted."
          isDone={reached !== undefined}
          action={tested === undefined ? 'Send a test lead' : undefined}
          disabled
        >
          {tested && <TestLead buyer={tested} />}
        </Step>
      </Stack>
      {failedDeliveries > 0 && (
        <Alert color="red" mt="md" title={`${countOf(failedDeliveries, 'delivery', 'deliveries')} failed`}>
          <ToolButton onClick={() => navigate('/dashboard/deliveries')}>See why</ToolButton>
        </Alert>
      )}
      {reached !== undefined && (
        <Alert color="teal" mt="md" role="status" title={`The test lead reached ${reached}`}>
          <Text mb="xs">
            You are ready for real leads. These steps disappear once the first one is delivered.
          </Text>
          <Group gap="xs">
            <ToolButton onClick={() => navigate('/dashboard/create-lead')}>Enter the first lead</ToolButton>
            <ToolButton onClick={() => navigate('/dashboard/sources')}>Connect a source</ToolButton>
          </Group>
        </Alert>
      )}
    </Paper>
  );
}

/** Sends a test lead over each channel of the buyer; without one it says where the buyer sees its leads instead. */
function TestLead({ buyer }: { readonly buyer: Buyer }) {
  const dialogs = useDialogs();
  const channels = channelsOf(buyer);
  return (
    <div className={classes.test}>
      {channels.length === 0 && (
        <>
          <Text my="xs">
            No delivery channel is on for {buyer.buyer_id}, so nothing is sent. The buyer sees its leads only
            on its link.
          </Text>
          <ToolButton onClick={() => dialogs.open('edit-buyer', { buyer })}>
            Turn on a channel for {buyer.buyer_id}
          </ToolButton>
        </>
      )}
      {channels.map(({ id, label }) => (
        <div key={id}>
          {channels.length > 1 && <Text mt="xs">{label}</Text>}
          <ChannelTest buyer={buyer} channel={id} />
        </div>
      ))}
    </div>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly hint: string;
  readonly isDone: boolean;
  /** Label of the button to the next step; undefined if the children have it. */
  readonly action: string | undefined;
  readonly disabled?: boolean;
  readonly needs?: RestrictedId;
  readonly onAction?: () => void;
  readonly children?: ReactNode;
}

function Step(props: StepProps) {
  const { number, title, hint, isDone, action, disabled = false, needs, onAction, children } = props;
  return (
    <li className={`${classes.step} ${isDone ? classes.done : ''}`}>
      <span className={classes.mark} aria-hidden="true">
        {isDone ? <IconCheck size={14} /> : number}
      </span>
      <div>
        <Text fw={600}>
          {title}
          {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
        </Text>
        <Text c="dimmed">{hint}</Text>
      </div>
      {!isDone && action !== undefined && (
        <ToolButton needs={needs} disabled={disabled} onClick={onAction}>
          {action}
        </ToolButton>
      )}
      {children}
    </li>
  );
}
