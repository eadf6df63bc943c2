import { Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { fileUrl } from '../../app/api';
import { lazyComponent } from '../../ui/lazy-component';
import { type BuyerStats, useBuyerStats } from '../data/insights';

import { BuyerFilter } from '../ui/BuyerFilter';
import { ExportLinks } from '../ui/ExportLinks';
import { FilterChips } from '../ui/FilterChips';
import { dayText, percentText } from '../ui/labels';
import { Period, periodQuery } from '../ui/Period';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { EmptyState, ErrorState, ListSkeleton } from '../ui/states';

import { useUrlState } from '../ui/url-state';
import { Comparison, ComparisonSkeleton } from './Comparison';
import { OnceVisible } from './OnceVisible';
import { StatisticsTable } from './StatisticsTable';

const Charts = lazyComponent(async () => (await import('./Charts')).Charts);
const Details = lazyComponent(async () => (await import('./Details')).Details);

const DEFAULTS = {
  buyer: '',
  days: '30',
  from: '',
  to: '',
  latency: '7',
  sort: 'total_leads_received',
  dir: 'desc',
};

export function StatisticsPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const query = { ...periodQuery(state), buyer_id: state.buyer };
  const stats = useBuyerStats(query);
  const { data } = stats;
  const chosen = state.buyer === '' ? undefined : data?.buyer_stats[0];

  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end">
        <Text c="dimmed">Analytics and performance metrics of your buyers</Text>
        <Group gap="sm">
          <BuyerFilter
            value={state.buyer}
            choose={(buyer) => change({ buyer })}
            describe={({ buyer_name }) => buyer_name}
          />
          <Period value={state} change={change} />
        </Group>
      </Group>

      <FilterChips
        filters={[
          { name: 'Buyer', value: state.buyer, remove: () => change({ buyer: '' }) },
          { name: 'From', value: dayText(state.from), remove: () => change({ from: '' }) },
          { name: 'To', value: dayText(state.to), remove: () => change({ to: '' }) },
        ]}
      />

      {stats.error && <ErrorState title="Error" error={stats.error} retry={() => void stats.refetch()} />}
      {data === undefined ? (
        !stats.error && (
          <>
            <ComparisonSkeleton />
            <ChartsSkeleton />
          </>
        )
      ) : (
        <>
          {chosen && <Summary stats={chosen} />}
          {data.previous && <Comparison now={data.totals} before={data.previous} />}
          {data.buyer_stats.length > 0 && (
            <OnceVisible before={<ChartsSkeleton />}>
              <Suspense fallback={<ChartsSkeleton />}>
                <Charts days={data.time_series} buyers={data.buyer_stats} compare={state.buyer === ''} />
              </Suspense>
            </OnceVisible>
          )}
          <section aria-labelledby="statistics-title">
            <Group justify="flex-end" mb="sm">
              <VisuallyHidden component="h2" id="statistics-title">
                Buyer Statistics
              </VisuallyHidden>
              <Group gap="xs">
                <ExportLinks
                  of="buyer statistics"
                  address={(format) => fileUrl('exportBuyerStats', { params: { format }, query })}
                />
              </Group>
            </Group>
            {data.buyer_stats.length === 0 ? (
              <EmptyState
                title="No buyer statistics available"
                hint="They appear once a buyer has received a lead."
              />
            ) : (
              <StatisticsTable
                rows={data.buyer_stats}
                sort={{ by: state.sort, dir: state.dir === 'asc' ? 'asc' : 'desc' }}
                onSort={({ by, dir }) => change({ sort: by, dir })}
              />
            )}
          </section>
          <Suspense fallback={<ListSkeleton rows={5} />}>
            <Details
              rows={data.buyer_stats}
              latency={state.latency}
              chooseLatency={(latency) => change({ latency })}
            />
          </Suspense>
        </>
      )}
    </Stack>
  );
}

function Summary({ stats }: { stats: BuyerStats }) {
  return (
    <section aria-label="Summary" className={classes.cards}>
      <StatCard title="Total Leads" value={formatNumber(stats.total_leads_received)} />
      <StatCard title="Active Orders" value={formatNumber(stats.active_orders)} />
      <StatCard title="Pending Reimbursements" value={formatNumber(stats.pending_reimbursements)} />
      <StatCard
        title="Claim Approval Rate"
        value={stats.claim_approval_rate === null ? '–' : percentText(stats.claim_approval_rate)}
      />
      {stats.price_per_lead !== null && (
        <StatCard title="Total Revenue" value={formatEuro(stats.total_revenue ?? 0)} wide />
      )}
    </section>
  );
}

function ChartsSkeleton() {
  return (
    <Stack aria-busy="true" gap="md">
      <Skeleton height={300} />
      <Skeleton height={260} />
    </Stack>
  );
}
