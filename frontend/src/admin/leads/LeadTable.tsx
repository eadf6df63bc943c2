import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { EXPORT_FORMATS } from '#shared/rules/constants';
import { formatDateTime, formatNumber } from '#shared/rules/formats';
import { type LeadQuery, type ListedLead, useLeadList } from '../data/lead-list';
import { useMay } from '../data/rights';
import { type DialogProps, useDialogs } from '../dialogs/dialogs';
import { useColumnVisibility } from '../ui/column-visibility';
import { DataTable } from '../ui/DataTable';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { countOf } from '../ui/labels';
import { SelectBox } from '../ui/SelectBox';
import type { Sort } from '../ui/SortSelect';
import { useSelection } from '../ui/selection';
import { ListSkeleton, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { leadColumns, nameOf, RARE_COLUMNS } from './lead-columns';

interface Props {
  readonly query: LeadQuery;
  readonly onSort: (sort: Sort) => void;
  /** Shown if no lead matches. */
  readonly empty: ReactNode;
}

const keyOf = (lead: ListedLead) => lead.lead_id;
const NONE: readonly ListedLead[] = [];

/** The leads that match, loaded as they are scrolled to, with what can be done with many of them. */
export function LeadTable({ query, onSort, empty }: Props) {
  const list = useLeadList(query);
  const visibility = useColumnVisibility('leads', leadColumns, RARE_COLUMNS);
  const { data, hasNextPage, isFetching, fetchNextPage } = list;
  const rows = useMemo(() => data?.pages.flatMap(({ leads }) => leads) ?? NONE, [data]);
  const selection = useSelection(rows, keyOf);
  const may = useMay();
  const selects = may('distributePendingLead') || may('beginErasure');
  const loadMore = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <QueryResult query={list} what="The leads" skeleton={<ListSkeleton label="Loading leads..." cards />}>
      {({ pages: [first] }) =>
        rows.length === 0 && !hasNextPage ? (
          empty
        ) : (
          <>
            <Group gap="sm">
              <Text c="dimmed" role="status">
                {typeof first?.total !== 'number'
                  ? `${formatNumber(rows.length)} leads listed`
                  : countOf(first.total, 'lead')}
                {first && `, as of ${formatDateTime(new Date(first.as_of))}`}
              </Text>
              <ToolButton icon={IconRefresh} loading={isFetching} onClick={() => void list.refresh()}>
                Refresh
              </ToolButton>
              {visibility.button}
              <ExportButtons query={query} total={first?.total ?? null} />
            </Group>
            {visibility.panel}
            {selects && <BulkButtons rows={rows} selection={selection} />}
            <DataTable
              label="Leads"
              columns={leadColumns}
              hidden={visibility.hidden}
              rows={rows}
              rowKey={keyOf}
              sort={{ by: query.sort, dir: query.direction }}
              onSort={onSort}
              onEnd={loadMore}
              {...(selects && { selection: { ...selection, nameOf, Box: SelectBox } })}
              dense
              cards
            />
            <LoadMoreButton query={list} />
          </>
        )
      }
    </QueryResult>
  );
}

function ExportButtons({ query, total }: Omit<DialogProps['export-leads'], 'format'>) {
  const dialogs = useDialogs();
  const may = useMay();
  if (!may('exportLeadRows')) return null;
  return EXPORT_FORMATS.map((format) => (
    <ToolButton
      key={format}
      icon={IconDownload}
      onClick={() => dialogs.open('export-leads', { query, total, format })}
    >
      Export {format.toUpperCase()}
    </ToolButton>
  ));
}

interface BulkProps {
  readonly rows: readonly ListedLead[];
  readonly selection: ReturnType<typeof useSelection<ListedLead>>;
}

function BulkButtons({ rows, selection }: BulkProps) {
  const dialogs = useDialogs();
  const may = useMay();
  const selected = selection.rows;
  const bulk = selected.map((lead) => ({ ...lead, name: nameOf(lead), created_at: lead.received_at }));
  const pending = bulk.filter(({ status }) => status === 'pending');
  const all = selected.length === rows.length;
  return (
    <Group gap="xs" role="group" aria-label="Selected leads">
      <ToolButton onClick={all ? selection.clear : selection.all}>
        {all ? 'Select none' : `Select all ${formatNumber(rows.length)} listed`}
      </ToolButton>
      {selected.length > 0 && (
        <>
          <Text fw={600}>{formatNumber(selected.length)} selected</Text>
          <ToolButton
            disabled={pending.length === 0}
            onClick={() => dialogs.open('bulk', { action: 'distribute', leads: pending })}
          >
            Distribute {countOf(pending.length, 'pending lead')} again
          </ToolButton>
          {may('beginErasure') && (
            <Button
              size="xs"
              color="red.9"
              onClick={() => dialogs.open('bulk', { action: 'erase', leads: bulk })}
            >
              Erase
            </Button>
          )}
        </>
      )}
    </Group>
  );
}
