import { Button, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ALL_CHANNEL_NAMES } from '#shared/channels/names';
import { TestLeadButton } from '../buyers/TestLeadButton';
import type { Buyer } from '../data/buyers';
import { useTemplates } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import classes from './FirstSteps.module.css';

/** Leads through a system that no lead has come to yet: what is to be done, in its order, and what is done already. */
export function FirstSteps({ buyers }: { buyers: readonly Buyer[] }) {
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const templates = useTemplates();
  const present = buyers.filter(({ deleted }) => !deleted);
  const withoutOrder = present.find(({ order_id }) => order_id === null);
  const withOrder = present.find(({ order_id }) => order_id !== null);
  const tested = withOrder ?? present[0];

  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby="first-steps">
      <Title order={2} size="h4" id="first-steps">
        First steps
      </Title>
      <ol className={classes.steps}>
        <Step
          number={1}
          title="An e-mail template"
          hint="The text of the e-mails with the leads, and the server that sends them. Not needed for buyers with an API."
          isDone={(templates.data ?? []).length > 0}
          action="Write the first template"
          onAction={() => dialogs.open('add-template', {})}
        />
        <Step
          number={2}
          title="A buyer"
          hint="Who gets leads, by which channel, and which share of them."
          isDone={present.length > 0}
          action="Add the first buyer"
          onAction={() => dialogs.open('add-buyer', {})}
        />
        <Step
          number={3}
          title="An order"
          hint="How many leads the buyer gets. It comes with the link that the buyer sees them on."
          isDone={withOrder !== undefined}
          action="Open the first order"
          disabled={present.length === 0}
          onAction={() =>
            dialogs.open('create-order', withoutOrder === undefined ? {} : { buyerId: withoutOrder.buyer_id })
          }
        />
        <Step
          number={4}
          title="The first lead"
          hint="Typed in, or sent by a landing page to the API. It goes to a buyer at once."
          isDone={false}
          action="Enter the first lead"
          disabled={withOrder === undefined}
          onAction={() => navigate('/dashboard/create-lead')}
        >
          {tested && <TestLeads buyer={tested} />}
        </Step>
      </ol>
    </Paper>
  );
}

/** An invented lead for every channel of a buyer, to see whether it arrives before a real one comes. */
function TestLeads({ buyer }: { buyer: Buyer }) {
  const channels = ALL_CHANNEL_NAMES.filter(({ flag }) => buyer[flag]);
  if (channels.length === 0) return null;
  return (
    <div className={classes.test}>
      {channels.map(({ id, label }) => (
        <div key={id}>
          <Text size="sm" mt="xs">
            Try {buyer.buyer_id}’s channel {label} before: an invented lead, which is stored and counted
            nowhere.
          </Text>
          <TestLeadButton buyerId={buyer.buyer_id} channel={id} unsaved={false} />
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
  readonly action: string;
  readonly disabled?: boolean;
  readonly onAction: () => void;
  readonly children?: ReactNode;
}

function Step({ number, title, hint, isDone, action, disabled = false, onAction, children }: StepProps) {
  return (
    <li className={`${classes.step} ${isDone ? classes.done : ''}`}>
      <span className={classes.mark} aria-hidden="true">
        {isDone ? <IconCheck size={14} /> : number}
      </span>
      <div>
        <Text size="sm" fw={600}>
          {title}
          {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
        </Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
      {!isDone && (
        <Button size="xs" variant="default" disabled={disabled} onClick={onAction}>
          {action}
        </Button>
      )}
      {children}
    </li>
  );
}
