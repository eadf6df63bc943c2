import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { formatDate, formatDateTime } from '#shared/rules/formats';
import { isUnknown } from '../../app/api';
import { type LeadDetails, useLead } from '../data/leads';
import { Allowed, type May, useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { addressText } from '../ui/address-texts';
import { CopyButton } from '../ui/CopyLink';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { EmptyState, QueryResult } from '../ui/states';
import { Tag, type Tone } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import { consentFacts } from './consent-facts';
import { LeadActions } from './LeadActions';
import { LeadTimeline } from './LeadTimeline';
import { nameOf } from './name';
import { personFacts } from './person-facts';
import { SamePerson } from './SamePerson';

const STATUS = {
  received: { tone: 'neutral', text: 'Being distributed' },
  assigned: { tone: 'good', text: 'Assigned' },
  pending: { tone: 'wait', text: 'Pending' },
  discarded: { tone: 'bad', text: 'Discarded' },
  deleted: { tone: 'bad', text: 'Deleted' },
  duplicate: { tone: 'neutral', text: 'Duplicate' },
  withdrawn: { tone: 'bad', text: 'Refused: consent withdrawn' },
} as const satisfies Record<LeadDetails['status'], { tone: Tone; text: string }>;

export function LeadPage() {
  const { leadId = '' } = useParams();
  const lead = useLead(leadId);
  if (isUnknown(lead.error))
    return (
      <EmptyState
        title="This lead does not exist"
        hint="It may have been discarded, or the address is incomplete."
        action={
          <Button component={Link} to="/dashboard" variant="default">
            To the dashboard
          </Button>
        }
      />
    );
  return (
    <QueryResult query={lead} what="The lead">
      {(details) => <Lead lead={details} />}
    </QueryResult>
  );
}

function Lead({ lead }: { lead: LeadDetails }) {
  const may = useMay();
  return (
    <Stack gap="md" maw={980}>
      <Paper withBorder p="lg">
        <Group justify="space-between" align="flex-start" gap="sm" mb="md">
          <div>
            <Group gap="sm">
              <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
                {lead.erased_at === null ? nameOf(lead) : 'Erased person'}
              </Title>
              <Tag tone={STATUS[lead.status].tone}>{STATUS[lead.status].text}</Tag>
              {lead.withdrawn_at !== null && (
                <Tag tone="bad">Consent withdrawn {formatDateTime(new Date(lead.withdrawn_at))}</Tag>
              )}
              {lead.erased_at !== null && (
                <Tag tone="neutral">Personal data erased {formatDateTime(new Date(lead.erased_at))}</Tag>
              )}
              {lead.lead_type === 'reimbursement' && <Tag tone="special">Replacement lead</Tag>}
            </Group>
            {lead.display_id !== null && <Text c="dimmed">Lead {lead.display_id}</Text>}
          </div>
          <LeadActions lead={lead} />
        </Group>
        <DescriptionList facts={leadFacts(lead, may)} />
      </Paper>

      <LeadTimeline lead={lead} />
    </Stack>
  );
}

function KeptProof({ leadId, until }: { readonly leadId: string; readonly until: string }) {
  const dialogs = useDialogs();
  return (
    <Group gap="xs">
      Kept until {formatDate(new Date(until))}
      <Allowed to="openKeptConsent">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => dialogs.open('kept-consent', { leadId, until })}
        >
          Show proof…
        </Button>
      </Allowed>
    </Group>
  );
}

function leadFacts(lead: LeadDetails, may: May): DescriptionItem[] {
  return [
    ...personFacts({
      ...lead,
      email: lead.email_state === null ? lead.email : `${lead.email} – ${addressText(lead.email_state)}`,
    }).filter(([, value]) => value !== ''),
    ...consentFacts(lead, may('downloadConsentProof')),
    ['Same person', <SamePerson key="same" leads={lead.same_person} />],
    ...(lead.consent_kept_until === null
      ? []
      : [
          [
            'Proof of consent',
            <KeptProof key="kept" leadId={lead.lead_id} until={lead.consent_kept_until} />,
          ] satisfies DescriptionItem,
        ]),
    [
      'Data requests',
      <TextLink key="person" to={`/dashboard/people?leads=${lead.lead_id}`} underline="always">
        {may('beginErasure') ? 'Disclose, erase or withdraw consent' : 'Show what is stored'}
      </TextLink>,
    ],
    [
      'System ID',
      <Group key="id" gap={4} wrap="nowrap">
        {lead.lead_id}
        <CopyButton value={lead.lead_id} label="Copy the system ID" />
      </Group>,
    ],
  ];
}
