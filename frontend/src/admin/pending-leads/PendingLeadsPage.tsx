import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload, IconSearch, IconTrash, IconUserCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { PENDING_REASONS } from '#shared/contract/constants';
import { formatEuroShort, formatNumber } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { matcher } from '#shared/rules/search-text';
import { fileUrl } from '../../app/api';
import { useBuyers, wereLeadsDelivered } from '../data/buyers';
import { type PendingLead, useDiscardLead, usePendingLeads } from '../data/leads';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/lead-form';
import { useNotifications } from '../notifications';
import { CONFIRM, DONE } from '../texts';
import { useColumnVisibility } from '../ui/column-visibility';
import { type Column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';
import { TruncatedText } from '../ui/TruncatedText';
import { useUrlState } from '../ui/url-state';

const DEFAULTS = { q: '', reason: '' };

export function PendingLeadsPage() {
  const leads = usePendingLeads();
  const { data: buyers } = useBuyers();
  return (
    <QueryResult query={leads} errorTitle="The pending leads could not be loaded">
      {({ ineligible_leads, total }) =>
        total === 0 ? (
          <EmptyState
            title="No pending leads"
            hint={`${
              buyers && !wereLeadsDelivered(buyers)
                ? 'No lead has been delivered yet.'
                : 'No lead waits for a buyer.'
            } One that cannot be assigned is listed here with the reason.`}
          />
        ) : (
          <PendingLeads leads={ineligible_leads} total={total} />
        )
      }
    </QueryResult>
  );
}

function PendingLeads({ leads, total }: { leads: readonly PendingLead[]; total: number }) {
  const [state, change] = useUrlState(DEFAULTS);
  const visibility = useColumnVisibility('pending-leads', columns);
  const rows = useMemo(() => {
    const matches = matcher(state.q);
    return leads.filter(
      (lead) =>
        (state.reason === '' || lead.reason === state.reason) &&
        matches([nameOf(lead), lead.email, lead.telefon], lead.telefon),
    );
  }, [leads, state]);

  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          type="search"
          size="xs"
          w={220}
          aria-label="Find a pending lead"
          placeholder="Find a lead…"
          leftSection={<IconSearch size={16} />}
          value={state.q}
          onChange={(event) => change({ q: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          w={240}
          aria-label="Reason"
          value={state.reason}
          data={[
            { value: '', label: 'All reasons' },
            ...PENDING_REASONS.map((reason) => ({ value: reason, label: pendingReasonText(reason) })),
          ]}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        {visibility.button}
        {(['xlsx', 'csv'] as const).map((format) => (
          <Button
            key={format}
            component="a"
            href={fileUrl('exportPendingLeads', { params: { format } })}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      {visibility.panel}
      <Text size="sm" c="dimmed" role="status">
        {formatNumber(rows.length)} of {countOf(total, 'pending lead')}
        {total > leads.length && ` (the first ${formatNumber(leads.length)} are listed)`}
      </Text>
      {rows.length === 0 ? (
        <EmptyState
          title="No leads found"
          hint="No pending lead matches."
          action={
            <Button variant="default" size="xs" onClick={() => change(DEFAULTS)}>
              Clear the filters
            </Button>
          }
        />
      ) : (
        <DataTable
          label="Pending leads"
          columns={columns}
          hidden={visibility.hidden}
          rows={rows}
          rowKey={(lead) => lead.lead_id}
        />
      )}
    </Stack>
  );
}

const columns: readonly Column<PendingLead>[] = [
  {
    key: 'name',
    title: 'Lead',
    width: 170,
    cell: (lead) => (
      <Anchor component={Link} to={`/dashboard/leads/${lead.lead_id}`} size="sm" fw={500}>
        {nameOf(lead)}
      </Anchor>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    width: 200,
    cell: (lead) => (
      <div>
        <Text size="sm">{pendingReasonText(lead.reason)}</Text>
        {lead.buyer_id !== null && (
          <Text size="xs" c="dimmed">
            meant for {lead.buyer_id}
          </Text>
        )}
      </div>
    ),
  },
  { key: 'created', title: 'Received', width: 150, cell: (lead) => lead.created_at_formatted },
  {
    key: 'contact',
    title: 'Contact',
    width: 190,
    cell: (lead) => (
      <div>
        <TruncatedText text={lead.email} />
        <Text size="xs" c="dimmed">
          {lead.telefon}
        </Text>
      </div>
    ),
  },
  {
    key: 'anlagebetrag',
    title: 'Investment',
    width: 110,
    align: 'right',
    cell: (lead) => formatEuroShort(lead.anlagebetrag),
  },
  {
    key: 'laufzeit',
    title: 'Term',
    width: 105,
    align: 'right',
    cell: (lead) => countOf(lead.laufzeit, 'month'),
  },
  { key: 'src', title: 'Source', width: 120, cell: (lead) => lead.src ?? '–' },
  { key: 'actions', title: 'Actions', width: 95, pinned: true, cell: (lead) => <Actions lead={lead} /> },
];

function Actions({ lead }: { lead: PendingLead }) {
  const dialogs = useDialogs();
  const notifications = useNotifications();
  const discard = useDiscardLead();
  const name = nameOf(lead);
  const confirmDiscard = async () => {
    const agreed = await dialogs.confirm({
      title: 'Discard lead',
      text: CONFIRM.discardLead(name),
      action: 'Discard',
    });
    if (agreed)
      discard.mutate(
        { params: { leadId: lead.lead_id } },
        { onSuccess: () => notifications.success(DONE.leadDiscarded) },
      );
  };
  return (
    <Group gap={6} wrap="nowrap">
      <IconButton
        label={`Edit & assign ${name}`}
        icon={<IconUserCheck size={16} />}
        onClick={() => dialogs.open('assign-lead', { lead })}
      />
      <IconButton
        label={`Discard ${name}`}
        danger
        icon={<IconTrash size={16} />}
        loading={discard.isPending}
        onClick={() => void confirmDiscard()}
      />
    </Group>
  );
}
