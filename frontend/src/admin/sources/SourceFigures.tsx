import { Group, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { type SourceStats, useSourceStats } from '../data/insights';
import { LeadsFigure } from '../leads/LeadsFigure';
import type { LeadFilter } from '../leads/leads-path';
import { type Column, DataTable, figureColumn } from '../ui/DataTable';
import { dayText } from '../ui/labels';
import { nameColumn } from '../ui/name-column';
import { daysOfPeriod, Period, periodQuery } from '../ui/Period';
import { ListSkeleton, QueryResult } from '../ui/states';
import { useUrlState } from '../ui/url-state';
import { ClaimRates } from './ClaimRates';
import { Margins } from './Margins';

const DEFAULTS = { days: '30', from: '', to: '' };

/** Leads of each source in a period, their outcomes, and how often each buyer claimed them. */
export function SourceFigures() {
  const [period, change] = useUrlState(DEFAULTS);
  const stats = useSourceStats(periodQuery(period));
  // Before the answer arrives, the text has its length already.
  const [first, last] = daysOfPeriod(period);
  const { from, to } = stats.data ?? { from: first, to: last };
  const columns = useMemo(() => columnsOf({ from, to }), [from, to]);
  return (
    <section aria-labelledby="figures-title">
      <Group justify="space-between" align="flex-end" gap="sm" mb="sm">
        <div>
          <Title order={2} size="h4" id="figures-title">
            Figures
          </Title>
          <Text c="dimmed">
            Of the leads that arrived from {dayText(from)} to {dayText(to)}
          </Text>
        </div>
        <Group gap="sm">
          <Period value={period} change={change} />
        </Group>
      </Group>
      <QueryResult query={stats} skeleton={<ListSkeleton cards />} what="The figures">
        {({ sources }) => (
          <Stack gap="lg">
            <DataTable
              label="Figures of sources"
              columns={columns}
              rows={sources}
              rowKey={({ source_id }) => source_id}
              dense
              cards
            />
            <Margins sources={sources} />
            <ClaimRates sources={sources} />
          </Stack>
        )}
      </QueryResult>
    </section>
  );
}

type Days = Pick<LeadFilter, 'from' | 'to'>;
type LeadsKey = 'accepted' | 'duplicate' | 'assigned' | 'waiting' | 'claimed' | 'approved';

/** A figure that opens the leads that arrived in the period. */
const leadsColumn = (
  key: LeadsKey,
  title: string,
  filter: Partial<LeadFilter>,
  days: Days,
): Column<SourceStats> => ({
  ...figureColumn(key, title, 76, formatNumber),
  cell: (row) => (
    <LeadsFigure
      figure={row[key]}
      filter={{ ...days, source: String(row.source_id), ...filter }}
      of={row.name}
    />
  ),
});

const columnsOf = (days: Days): readonly Column<SourceStats>[] => [
  nameColumn('Source', 110, ({ name }) => name),
  leadsColumn('accepted', 'Accepted', { status: 'accepted' }, days),
  leadsColumn('duplicate', 'Refused', { status: 'refused' }, days),
  figureColumn('invalid', 'Invalid', 76, formatNumber),
  leadsColumn('assigned', 'Assigned', { status: 'assigned' }, days),
  leadsColumn('waiting', 'Waiting', { status: 'pending' }, days),
  leadsColumn('claimed', 'Claimed', { claim: 'any' }, days),
  leadsColumn('approved', 'Approved', { claim: 'approved' }, days),
  figureColumn('reached', 'Reached', 76, formatNumber),
  figureColumn('not_reached', 'Not reached', 90, formatNumber),
  figureColumn('closed', 'Closed', 76, formatNumber),
];
