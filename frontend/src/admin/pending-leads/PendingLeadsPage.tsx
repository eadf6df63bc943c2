import { Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash, IconUserCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { confirmBy } from '#shared/rules/consent';
import { PENDING_REASONS } from '#shared/rules/constants';
import { formatEuroShort, formatNumber } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { matcher } from '#shared/rules/search-text';
import { fileUrl } from '../../app/api';
import { useBuyers, wereLeadsDelivered } from '../data/buyers';
import { type PendingLead, usePendingLeads } from '../data/leads';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { nameOf } from '../lead/name';
import { CONFIRM } from '../texts';
import { BuyerLink } from '../ui/BuyerLink';
import { useColumnVisibility } from '../ui/column-visibility';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { DownloadLink } from '../ui/DownloadLink';
import { FilterChips } from '../ui/FilterChips';
import { SearchField, SelectField } from '../ui/FilterFields';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { NameText } from '../ui/NameText';
import classes from '../ui/rows.module.css';
import { SelectBox } from '../ui/SelectBox';
import { SmallText } from '../ui/SmallText';
import { useSelection } from '../ui/selection';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';
import { TruncatedText } from '../ui/TruncatedText';
import { untilText } from '../ui/until';
import { useUrlState } from '../ui/url-state';

const DEFAULTS = { q: '', reason: '' };
const REASONS = PENDING_REASONS.map((reason) => [reason, pendingReasonText(reason)] as const);
const keyOf = (lead: PendingLead) => lead.lead_id;

export function PendingLeadsPage() {
  const leads = usePendingLeads();
  const { data: buyers } = useBuyers();
  return (
    <QueryResult query={leads} what="The pending leads" skeleton={<ListSkeleton cards />}>
      {({ ineligible_leads, total }) =>
        total === 0 ? (
          <EmptyState
            title="No pending leads"
            hint={`${
              buyers && !wereLeadsDelivered(buyers)
                ? 'No lead has been delivered yet.'
                : 'Every lead has a buyer.'
            } Leads that cannot be assigned appear here with the reason.`}
          />
        ) : (
          <PendingLeads leads={ineligible_leads} total={total} />
        )
      }
    </QueryResult>
  );
}

function PendingLeads({ leads, total }: { readonly leads: readonly PendingLead[]; readonly total: number }) {
  const [state, change] = useUrlState(DEFAULTS);
  const dialogs = useDialogs();
  const visibility = useColumnVisibility('pending-leads', columns);
  const rows = useMemo(() => {
    const matches = matcher(state.q);
    return leads.filter(
      (lead) =>
        (state.reason === '' || lead.reason === state.reason) &&
        matches([nameOf(lead), lead.email, lead.telefon], lead.telefon),
    );
  }, [leads, state]);

  const may = useMay();
  const canAct = may('assignPendingLead');
  const selection = useSelection(rows, keyOf);
  const selected = selection.rows.map((lead) => ({ ...lead, name: nameOf(lead) }));

  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchField
          label="Find a pending lead"
          placeholder="Find a lead…"
          value={state.q}
          search={(q) => change({ q })}
        />
        <SelectField
          hidesLabel
          label="Reason"
          widthPx={240}
          value={state.reason}
          options={[['', 'All reasons'], ...REASONS]}
          choose={(reason) => change({ reason })}
        />
        {visibility.button}
        {may('exportPendingLeads') &&
          (['xlsx', 'csv'] as const).map((format) => (
            <DownloadLink key={format} href={fileUrl('exportPendingLeads', { params: { format } })}>
              Export {format.toUpperCase()}
            </DownloadLink>
          ))}
      </Group>
      <FilterChips
        filters={[
          { name: 'Search', value: state.q.trim(), remove: () => change({ q: '' }) },
          {
            name: 'Reason',
            value: REASONS.find(([value]) => value === state.reason)?.[1] ?? state.reason,
            remove: () => change({ reason: '' }),
          },
        ]}
      />
      {visibility.panel}
      {canAct && (
        <Group gap="xs" role="group" aria-label="Selected leads">
          <ToolButton
            disabled={rows.length === 0}
            onClick={selected.length === rows.length ? selection.clear : selection.all}
          >
            {selected.length > 0 && selected.length === rows.length
              ? 'Select none'
              : `Select all ${formatNumber(rows.length)} that match${
                  total > leads.length ? ` among the first ${formatNumber(leads.length)}` : ''
                }`}
          </ToolButton>
          {selected.length > 0 && (
            <>
              <Text fw={600}>{formatNumber(selected.length)} selected</Text>
              <Button size="xs" onClick={() => dialogs.open('bulk', { action: 'assign', leads: selected })}>
                Assign to a buyer
              </Button>
              <ToolButton onClick={() => dialogs.open('bulk', { action: 'distribute', leads: selected })}>
                Distribute again
              </ToolButton>
              <Button
                size="xs"
                color="red.9"
                onClick={() => dialogs.open('bulk', { action: 'discard', leads: selected })}
              >
                Discard
              </Button>
            </>
          )}
        </Group>
      )}
      <Text c="dimmed" role="status">
        {formatNumber(rows.length)} of {countOf(total, 'pending lead')}
        {total > leads.length && ` (the first ${formatNumber(leads.length)} are listed)`}
      </Text>
      {rows.length === 0 ? (
        <EmptyState
          title="No leads found"
          hint="No pending lead matches."
          action={<ToolButton onClick={() => change(DEFAULTS)}>Clear the filters</ToolButton>}
        />
      ) : (
        <DataTable
          label="Pending leads"
          columns={columns}
          hidden={visibility.hidden}
          rows={rows}
          rowKey={keyOf}
          {...(canAct && { selection: { ...selection, nameOf, Box: SelectBox } })}
          dense
          cards
        />
      )}
    </Stack>
  );
}

/** Together at most 950 pixels: the width of the table in a window of 1280, with both scrollbars. */
const columns: readonly Column<PendingLead>[] = [
  column(
    'Lead',
    160,
    (lead) => (
      <TextLink to={`/dashboard/leads/${lead.lead_id}`}>
        <NameText text={nameOf(lead)} fw={500} />
      </TextLink>
    ),
    { grows: true },
  ),
  column(
    'Reason',
    168,
    (lead) => (
      <>
        <TruncatedText text={pendingReasonText(lead.reason)} />
        <div className={classes.inline}>
          {lead.buyer_id !== null && (
            <BuyerLink buyerId={lead.buyer_id} text={`meant for ${lead.buyer_id}`} size="xs" />
          )}
          {lead.reason === 'consent_unconfirmed' && (
            <SmallText truncate="end">
              waits until {untilText(confirmBy(lead.created_at), new Date())}
            </SmallText>
          )}
          {lead.next_opening !== null && (
            <SmallText truncate="end">
              next opening {untilText(new Date(lead.next_opening), new Date())}
            </SmallText>
          )}
        </div>
      </>
    ),
    { grows: true },
  ),
  column('Received', 130, (lead) => lead.created_at_formatted),
  column(
    'Contact',
    170,
    (lead) => (
      <>
        <NameText text={lead.email} />
        <SmallText truncate="end">{lead.telefon}</SmallText>
      </>
    ),
    { grows: true },
  ),
  column('Investment', 90, (lead) => formatEuroShort(lead.anlagebetrag), { align: 'right' }),
  column('Term', 80, (lead) => countOf(lead.laufzeit, 'month'), { align: 'right' }),
  column('Source', 80, (lead) => <NameText text={lead.src ?? '–'} />, { grows: true }),
  actionsColumn(72, (lead) => <Actions lead={lead} />, 'assignPendingLead'),
];

function Actions({ lead }: { lead: PendingLead }) {
  const dialogs = useDialogs();
  const discard = useApiMutation('discardPendingLead');
  const name = nameOf(lead);
  // Two leads may have one name.
  const who = `${name} (${lead.email})`;
  const confirmDiscard = () =>
    dialogs.ask({ title: 'Discard lead', text: CONFIRM.discardLead(name), action: 'Discard' }, () =>
      discard.mutate({ params: { leadId: lead.lead_id } }),
    );
  return (
    <Group gap={6} wrap="nowrap">
      <IconButton
        needs="assignPendingLead"
        label={`Edit & assign ${who}`}
        icon={IconUserCheck}
        onClick={() => dialogs.open('assign-lead', { lead })}
      />
      <IconButton
        needs="discardPendingLead"
        label={`Discard ${who}`}
        danger
        icon={IconTrash}
        loading={discard.isPending}
        onClick={confirmDiscard}
      />
    </Group>
  );
}
