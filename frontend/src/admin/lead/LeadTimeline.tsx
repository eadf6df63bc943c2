import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirmBy } from '#shared/rules/consent';
import { type Feedback, REDISTRIBUTED_REASONS } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { DeliveryProblemAlert, SettingsButtons } from '../buyers/DeliveryProblem';
import { useBuyer } from '../data/buyers';
import type { LeadDetails } from '../data/leads';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { BuyerLink } from '../ui/BuyerLink';
import { ClaimBadge } from '../ui/badges';
import { CopyLink } from '../ui/CopyLink';
import { checkText } from '../ui/check-text';
import { TextLink } from '../ui/TextLink';
import { CallbackHistory } from './CallbackHistory';
import { DecisionRecord } from './DecisionRecord';
import { DeliveryHistory } from './DeliveryHistory';
import { LeadLink } from './LeadLink';
import classes from './LeadTimeline.module.css';

/** What happened to a lead, from its arrival to its claim. */
export function LeadTimeline({ lead }: { lead: LeadDetails }) {
  const may = useMay();
  return (
    <ol className={classes.timeline} aria-label="History of the lead">
      <Step title="Received" at={lead.created_at}>
        <Text>
          {lead.src === null ? 'Without a source' : `From ${lead.src}`}
          {lead.clickId !== null && `, click ID ${lead.clickId}`}.
        </Text>
      </Step>
      <Step title="Checked">
        {lead.verification_notes.length === 0 ? (
          <Text>{isFailedCheck(lead) ? 'A check did not pass.' : 'All enabled checks passed.'}</Text>
        ) : (
          lead.verification_notes.map((note) => <Text key={note}>{note}</Text>)
        )}
        {lead.checks.length > 0 && <Text c="dimmed">{lead.checks.map(checkText).join(', ')}.</Text>}
      </Step>
      {lead.refusals.map((refusal) => (
        <RefusalStep key={refusal.display_id} refusal={refusal} />
      ))}
      {lead.status === 'pending' && lead.reason !== null && (
        <Step title="Waiting">
          <Alert color="yellow" title={pendingReasonText(lead.reason)}>
            {waitingText(lead)}
            <ConfirmationEmail lead={lead} />
          </Alert>
        </Step>
      )}
      {lead.decision && (
        <Step
          title={lead.decision.winner === null ? 'No buyer' : 'Why this buyer'}
          at={lead.decision.decided_at}
        >
          <DecisionRecord decision={lead.decision} />
        </Step>
      )}
      {lead.order_id !== null && (
        <Step title="Assigned" at={lead.delivery_timestamp}>
          <Text>
            {lead.lead_type === 'reimbursement' ? 'As a replacement lead' : 'As an original lead'} to{' '}
            <BuyerLink buyerId={lead.buyer_id ?? ''} inSentence />, order {lead.order_id}.
          </Text>
          {lead.replaces && (
            <Text>
              Replaces <LeadLink lead={lead.replaces} />, claim #{lead.replaces.claim_id}.
            </Text>
          )}
          {lead.excel_link !== null && may('exportPerson') && (
            <CopyLink href={lead.excel_link} of="the buyer" text="The buyer's list" />
          )}
        </Step>
      )}
      {lead.order_id !== null && (
        <Step title={lead.deliveries.length === 0 ? 'Not delivered' : 'Delivered'}>
          <Stack gap="md">
            {lead.deliveries.length === 0 ? (
              <Text>
                No channel was on when the lead was assigned.{' '}
                {lead.excel_link === null
                  ? 'The link is off too, so the buyer cannot see it.'
                  : 'The buyer sees it only on its link.'}
              </Text>
            ) : (
              <DeliveryHistory deliveries={lead.deliveries} />
            )}
            {lead.status === 'assigned' && <ProblemOf lead={lead} />}
          </Stack>
        </Step>
      )}
      {lead.delivery_timestamp !== null && (
        <Step title="Opened" at={lead.opened_at}>
          <Text>
            {lead.opened_at === null
              ? 'Not opened: the buyer has not opened the list since the lead arrived.'
              : 'The buyer first opened the list with this lead.'}
          </Text>
        </Step>
      )}
      {lead.feedback_diary.length > 0 && (
        <Step title="Feedback">
          {lead.feedback_diary.map((entry) => (
            <Text key={`${entry.order_id}/${entry.number}`}>
              <time dateTime={entry.at}>{instantText(entry.at)}</time>: <FeedbackText entry={entry} />
              {entry.order_id !== lead.order_id && ` Order ${entry.order_id}.`}
            </Text>
          ))}
        </Step>
      )}
      {lead.claim_id !== null && lead.claim_status !== null && (
        <Step title="Claimed">
          <Group gap="sm">
            <ClaimBadge status={lead.claim_status} />
            <TextLink to={`/dashboard/claimed-leads?filters=1&search=${encodeURIComponent(lead.email)}`}>
              Claim #{lead.claim_id}
            </TextLink>
          </Group>
        </Step>
      )}
      {lead.replacement && <Replacement replacement={lead.replacement} />}
      {lead.callbacks.length > 0 && (
        <Step title="Source notified">
          <CallbackHistory callbacks={lead.callbacks} />
        </Step>
      )}
    </ol>
  );
}

const FEEDBACK = {
  reached: 'The person was reached',
  not_reached: 'The person was not reached',
  closed: 'The deal is closed',
} as const satisfies Record<Feedback, string>;

function FeedbackText({ entry }: { entry: LeadDetails['feedback_diary'][number] }) {
  const by = entry.who === 'link' ? 'the buyer' : entry.who;
  if (entry.takes_back !== null) return `Entry ${entry.takes_back} was a mistake, says ${by}.`;
  const text = entry.said === null ? 'No feedback now' : FEEDBACK[entry.said];
  return entry.taken_back ? (
    <s>{`${entry.number}. ${text}, says ${by}.`}</s>
  ) : (
    `${entry.number}. ${text}, says ${by}.`
  );
}

function Replacement({ replacement }: { replacement: NonNullable<LeadDetails['replacement']> }) {
  const { lead, order_id } = replacement;
  const creditedTo = order_id === null ? "the buyer's balance" : `order ${order_id}`;
  const owedSince = instantText(replacement.owed_since);
  if (lead === null)
    return (
      <Step title="Replacement owed">
        <Text>
          Replacement owed since {owedSince}, credited to {creditedTo}.
        </Text>
      </Step>
    );
  return (
    <Step title="Replaced" at={replacement.delivered_at}>
      <Text>
        Replaced by <LeadLink lead={lead} />. It was owed since {owedSince}, credited to {creditedTo}.
      </Text>
    </Step>
  );
}

/** A problem that affects later leads too, otherwise the settings used by the failed delivery. */
function ProblemOf({ lead }: { lead: LeadDetails }) {
  const buyer = useBuyer(lead.buyer_id);
  if (buyer === undefined) return null;
  if (buyer.delivery_problem !== null) return <DeliveryProblemAlert buyer={buyer} />;
  const failed = lead.deliveries.filter(({ status }) => status === 'failed' || status === 'retrying');
  if (failed.length === 0) return null;
  const { email_template_id, reimbursement_email_template_id } = buyer;
  const ofReplacements = lead.lead_type === 'reimbursement' ? reimbursement_email_template_id : null;
  const isMail = failed.some(({ channel }) => channel === 'email');
  return <SettingsButtons buyer={buyer} templateId={isMail ? (ofReplacements ?? email_template_id) : null} />;
}

/** Whether the person got the link to confirm the consent. */
function ConfirmationEmail({ lead }: { lead: LeadDetails }) {
  const { confirmation_email: email, email_state: address } = lead;
  const resend = useApiMutation('resendConfirmation');
  const may = useMay();
  if (email === null) return null;
  const isClosed = address !== null && address.state !== 'bounced_soft';
  const state = isClosed ? 'address_closed' : email.state;
  return (
    <Group gap="sm" mt="xs">
      <Text>{CONFIRMATION_EMAIL[state](instantText(email.at))}</Text>
      {state !== 'queued' && state !== 'address_closed' && may('resendConfirmation') && (
        <Button
          size="compact-sm"
          variant="default"
          loading={resend.isPending}
          onClick={() => resend.mutate({ params: { leadId: lead.lead_id } })}
        >
          Resend e-mail
        </Button>
      )}
    </Group>
  );
}

const CONFIRMATION_EMAIL = {
  queued: (at) => `The e-mail has been queued since ${at}.`,
  sent: (at) => `The e-mail was sent on ${at}.`,
  refused: (at) =>
    `The mail server refused the e-mail on ${at}. Send a test from the first e-mail template in the settings, then resend it.`,
  given_up: (at) =>
    `The e-mail could not be sent for a day and was given up on ${at}. Send a test from the first e-mail template in the settings, then resend it.`,
  address_closed: () =>
    'E-mails to this address are returned, or its owner complained about one, so it gets no more. Discard the lead, or assign it to a buyer that does not require consent.',
} as const satisfies Record<NonNullable<LeadDetails['confirmation_email']>['state'], (at: string) => string>;

/** The assignment to a buyer that refused the lead, and its end. */
function RefusalStep({ refusal }: { refusal: LeadDetails['refusals'][number] }) {
  const { buyer_id, display_id, lead_type, assigned_at, refused_at, decision, deliveries } = refusal;
  return (
    <Step title={`Refused by ${buyer_id}`} at={refused_at}>
      <Text>
        {lead_type === 'reimbursement' ? 'Assigned as a replacement lead' : 'Assigned'} to{' '}
        <BuyerLink buyerId={buyer_id} inSentence /> as {display_id} on {instantText(assigned_at)}. It left the
        order:
        {lead_type === 'reimbursement'
          ? ' the replacement is owed again'
          : ' its capacity is released, and it is not billed'}
        .
      </Text>
      <Stack gap="xs" mt="xs">
        <DeliveryHistory deliveries={deliveries} />
        {decision !== null && (
          <details>
            <summary>Why it came to {buyer_id}</summary>
            <DecisionRecord decision={decision} />
            <Text>This choice was reversed and does not count towards the shares.</Text>
          </details>
        )}
      </Stack>
    </Step>
  );
}

interface StepProps {
  readonly title: string;
  readonly at?: string | null;
  readonly children: ReactNode;
}

function Step({ title, at = null, children }: StepProps) {
  return (
    <li className={classes.step}>
      <Group gap="sm" mb={4}>
        <Title order={3} size="h5">
          {title}
        </Title>
        {at !== null && (
          <Text component="time" dateTime={at} c="dimmed">
            {instantText(at)}
          </Text>
        )}
      </Group>
      {children}
    </li>
  );
}

/** An instant in German format; already formatted text stays. */
function instantText(at: string): string {
  const instant = new Date(at);
  return Number.isNaN(instant.getTime()) ? at : formatDateTime(instant);
}

function waitingText({ buyer_id, reason, created_at }: LeadDetails): string {
  if (reason === 'consent_unconfirmed')
    return `It waits until ${formatDateTime(confirmBy(created_at))} for the person to confirm the consent by the link in an e-mail, and is discarded then. An admin can discard it before.`;
  if (buyer_id !== null) return `It was meant for ${buyer_id} and needs an admin to assign it.`;
  if (reason === 'consent_missing')
    return 'It waits until an admin assigns it. If its source distributes leads without consent, a buyer that does not require it gets it automatically.';
  if (!REDISTRIBUTED_REASONS.some((one) => one === reason))
    return 'It waits until an admin assigns it, distributes it again or discards it.';
  return `It is distributed automatically once ${reason === 'refused_by_buyers' ? 'another buyer' : 'an order'} can take it, or an admin assigns it.`;
}

function isFailedCheck(lead: LeadDetails): boolean {
  return lead.reason?.endsWith('_verification_failed') ?? false;
}
