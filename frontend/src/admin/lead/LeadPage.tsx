import { Alert, Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconEdit, IconTrash, IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { formatDateTime, formatEuroShort } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { ApiError } from '../../app/api';
import { type LeadDetails, useDeleteLead, useDiscardLead, useLead } from '../data/leads';
import { useDialogs } from '../dialogs/dialogs';
import { useNotifications } from '../notifications';
import { CONFIRM, DONE } from '../texts';
import { ClaimBadge } from '../ui/badges';
import { CopyButton, CopyLink } from '../ui/CopyLink';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { countOf } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';
import { DecisionRecord } from './DecisionRecord';
import { DeliveryHistory } from './DeliveryHistory';
import { LeadLink } from './LeadLink';
import classes from './LeadPage.module.css';
import { nameOf } from './lead-form';

const STATUS = {
  received: { color: 'gray.7', text: 'Being distributed' },
  assigned: { color: 'teal.9', text: 'Assigned' },
  pending: { color: 'yellow.4', text: 'Pending' },
  discarded: { color: 'red.9', text: 'Discarded' },
  deleted: { color: 'red.9', text: 'Deleted' },
} as const satisfies Record<LeadDetails['status'], { color: string; text: string }>;

/** The whole story of one lead, from its arrival to its claim. */
export function LeadPage() {
  const { leadId = '' } = useParams();
  const lead = useLead(leadId);
  if (lead.error instanceof ApiError && (lead.error.status === 404 || lead.error.status === 400))
    return (
      <EmptyState
        title="This lead does not exist"
        hint="It may have been discarded, or the address is not complete."
        action={
          <Button component={Link} to="/dashboard" variant="default">
            To the dashboard
          </Button>
        }
      />
    );
  return (
    <QueryResult query={lead} errorTitle="The lead could not be loaded">
      {(story) => <Story lead={story} />}
    </QueryResult>
  );
}

function Story({ lead }: { lead: LeadDetails }) {
  return (
    <Stack gap="md" maw={980}>
      <Paper withBorder radius="md" p="lg">
        <Group justify="space-between" align="flex-start" gap="sm" mb="md">
          <div>
            <Group gap="sm">
              <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
                {nameOf(lead)}
              </Title>
              <Badge color={STATUS[lead.status].color}>{STATUS[lead.status].text}</Badge>
              {lead.lead_type === 'reimbursement' && <Badge color="grape.9">Replacement lead</Badge>}
            </Group>
            {lead.display_id !== null && (
              <Text size="sm" c="dimmed">
                Lead {lead.display_id}
              </Text>
            )}
          </div>
          <Actions lead={lead} />
        </Group>
        <DescriptionList facts={personFacts(lead)} />
      </Paper>

      <ol className={classes.story} aria-label="Story of the lead">
        <Step title="Received" at={lead.created_at}>
          <Text size="sm">
            {lead.src === null ? 'Without a source' : `From ${lead.src}`}
            {lead.clickId !== null && `, click ID ${lead.clickId}`}.
          </Text>
        </Step>
        <Step title="Checked">
          {lead.verification_notes.length === 0 ? (
            <Text size="sm">
              {isFailedCheck(lead)
                ? 'A check did not pass.'
                : 'The checks that are switched on had no objection.'}
            </Text>
          ) : (
            lead.verification_notes.map((note) => (
              <Text key={note} size="sm">
                {note}
              </Text>
            ))
          )}
        </Step>
        {lead.status === 'pending' && lead.reason !== null && (
          <Step title="Waiting">
            <Alert color="yellow" variant="outline" title={pendingReasonText(lead.reason)}>
              {lead.buyer_id === null
                ? 'It is distributed by itself when an order can take it, or an admin assigns it.'
                : `It was meant for ${lead.buyer_id} and waits for an admin.`}
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
            <Text size="sm">
              {lead.lead_type === 'reimbursement' ? 'As a replacement lead' : 'As an original lead'} to{' '}
              <Anchor
                component={Link}
                to={`/dashboard?q=${lead.buyer_id}&inactive=1`}
                size="sm"
                underline="always"
              >
                {lead.buyer_id}
              </Anchor>
              , order {lead.order_id}.
            </Text>
            {lead.replaces && (
              <Text size="sm">
                Replaces <LeadLink lead={lead.replaces} />, claim #{lead.replaces.claim_id}.
              </Text>
            )}
            {lead.excel_link !== null && <CopyLink href={lead.excel_link} text="The buyer's list" />}
          </Step>
        )}
        {lead.order_id !== null && (
          <Step title="Delivered">
            <DeliveryHistory deliveries={lead.deliveries} />
          </Step>
        )}
        {lead.delivery_timestamp !== null && (
          <Step title="Opened" at={lead.opened_at}>
            <Text size="sm">
              {lead.opened_at === null
                ? 'Not opened yet: the buyer has not looked at the list since the lead came.'
                : 'The buyer first looked at the list with this lead in it.'}
            </Text>
          </Step>
        )}
        {lead.claim_id !== null && lead.claim_status !== null && (
          <Step title="Claimed">
            <Group gap="sm">
              <ClaimBadge status={lead.claim_status} />
              <Anchor
                component={Link}
                to={`/dashboard/claimed-leads?filters=1&search=${encodeURIComponent(lead.email)}`}
                size="sm"
              >
                Claim #{lead.claim_id}
              </Anchor>
            </Group>
          </Step>
        )}
        {lead.replacement && <Replacement replacement={lead.replacement} />}
      </ol>
    </Stack>
  );
}

function Replacement({ replacement }: { replacement: NonNullable<LeadDetails['replacement']> }) {
  const { lead, order_id } = replacement;
  const creditedTo = order_id === null ? "the buyer's balance" : `order ${order_id}`;
  const owedSince = instantText(replacement.owed_since);
  if (lead === null)
    return (
      <Step title="Replacement owed">
        <Text size="sm">
          Replacement owed since {owedSince}, credited to {creditedTo}.
        </Text>
      </Step>
    );
  return (
    <Step title="Replaced" at={replacement.delivered_at}>
      <Text size="sm">
        Replaced by <LeadLink lead={lead} />. It was owed since {owedSince}, credited to {creditedTo}.
      </Text>
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
          <Text component="time" dateTime={at} size="sm" c="dimmed">
            {instantText(at)}
          </Text>
        )}
      </Group>
      {children}
    </li>
  );
}

/** An instant in German; what is no instant (already formatted) is shown as it is. */
function instantText(at: string): string {
  const instant = new Date(at);
  return Number.isNaN(instant.getTime()) ? at : formatDateTime(instant);
}

function personFacts(lead: LeadDetails): DescriptionItem[] {
  return [
    ['Email', lead.email],
    ['Phone', lead.telefon],
    ['Investment amount', formatEuroShort(lead.anlagebetrag)],
    ['Term', countOf(lead.laufzeit, 'month')],
    [
      'System ID',
      <Group key="id" gap={4}>
        {lead.lead_id}
        <CopyButton value={lead.lead_id} label="Copy the system ID" />
      </Group>,
    ],
  ];
}

function isFailedCheck(lead: LeadDetails): boolean {
  return lead.reason?.endsWith('_verification_failed') ?? false;
}

function Actions({ lead }: { lead: LeadDetails }) {
  const dialogs = useDialogs();
  const notifications = useNotifications();
  const navigate = useNavigate();
  const remove = useDeleteLead();
  const discard = useDiscardLead();
  const name = nameOf(lead);

  const confirmed = async (title: string, text: string, action: string, perform: () => void) => {
    if (await dialogs.confirm({ title, text, action })) perform();
  };

  if (lead.status === 'assigned')
    return (
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconEdit size={16} />}
          onClick={() => dialogs.open('edit-lead', { lead })}
        >
          Edit
        </Button>
        <Button
          size="xs"
          color="red.9"
          leftSection={<IconTrash size={16} />}
          loading={remove.isPending}
          onClick={() =>
            void confirmed('Delete lead', CONFIRM.deleteLead(name), 'Delete', () =>
              remove.mutate(
                { params: { leadId: lead.lead_id } },
                { onSuccess: () => notifications.success(DONE.leadDeleted) },
              ),
            )
          }
        >
          Delete
        </Button>
      </Group>
    );
  if (lead.status === 'pending' && lead.reason !== null) {
    const { reason } = lead;
    return (
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<IconUserCheck size={16} />}
          onClick={() =>
            dialogs.open('assign-lead', {
              lead: {
                ...lead,
                reason,
                reason_text: pendingReasonText(reason, lead.buyer_id ?? undefined),
                created_at_formatted: formatDateTime(new Date(lead.created_at)),
              },
            })
          }
        >
          Edit &amp; Assign
        </Button>
        <Button
          size="xs"
          color="red.9"
          leftSection={<IconTrash size={16} />}
          loading={discard.isPending}
          onClick={() =>
            void confirmed('Discard lead', CONFIRM.discardLead(name), 'Discard', () =>
              discard.mutate(
                { params: { leadId: lead.lead_id } },
                {
                  onSuccess: () => {
                    notifications.success(DONE.leadDiscarded);
                    void navigate('/dashboard/ineligible-leads');
                  },
                },
              ),
            )
          }
        >
          Discard
        </Button>
      </Group>
    );
  }
  return null;
}
