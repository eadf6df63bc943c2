import { Group, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { fileUrl } from '../../app/api';
import { type BuyerStats, useBuyerStats } from '../data/insights';
import { LeadsFigure } from '../leads/LeadsFigure';
import { ExportLinks } from '../ui/ExportLinks';
import { Fold } from '../ui/Fold';
import { percentText } from '../ui/labels';
import { periodQuery } from '../ui/Period';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { EmptyState, ErrorState } from '../ui/states';
import { Charts } from './Charts';
import { Comparison, ComparisonSkeleton } from './Comparison';
import { StatisticsTable } from './StatisticsTable';
import type { TabProps } from './tabs';

/** The period, then the figures of each buyer since its first order. */
export function Overview({ state, change }: TabProps) {
  const query = { ...periodQuery(state), buyer_id: state.buyer };
  const stats = useBuyerStats(query);
  const { data } = stats;
  const chosen = state.buyer === '' ? undefined : data?.buyer_stats[0];
  const table = data && (
    <StatisticsTable
      rows={data.buyer_stats}
      sort={{ by: state.sort, dir: state.dir === 'asc' ? 'asc' : 'desc' }}
      onSort={({ by, dir }) => change({ sort: by, dir })}
    />
  );
  return (
    <>
      {stats.error && <ErrorState title="Error" error={stats.error} retry={() => void stats.refetch()} />}
      {data === undefined ? (
        !stats.error && (
          <>
            <ComparisonSkeleton />
            <Skeleton aria-busy="true" height={700} />
          </>
        )
      ) : (
        <>
          {data.previous && <Comparison now={data.totals} before={data.previous} buyer={state.buyer} />}
          {chosen && <Summary stats={chosen} />}
          {data.buyer_stats.length > 0 && (
            <Charts days={data.time_series} buyers={data.buyer_stats} compare={state.buyer === ''} />
          )}
          <section aria-labelledby="statistics-title">
            <VisuallyHidden component="h2" id="statistics-title">
              Buyer Statistics
            </VisuallyHidden>
            <Group justify="flex-end" gap="xs" mb="sm">
              <ExportLinks
                of="buyer statistics"
                address={(format) => fileUrl('exportBuyerStats', { params: { format }, query })}
              />
            </Group>
            {data.buyer_stats.length === 0 ? (
              <EmptyState
                title="No buyer statistics available"
                hint="They appear once a buyer has received a lead."
              />
            ) : chosen ? (
              // Most of the row is above.
              <Fold title="All figures" summary={`of ${chosen.buyer_id} since its first order`}>
                {table}
              </Fold>
            ) : (
              table
            )}
          </section>
        </>
      )}
    </>
  );
}

function Summary({ stats }: { stats: BuyerStats }) {
  return (
    <section aria-label="Summary">
      <Text c="dimmed" mb="xs">
        Since the first order
      </Text>
      <div className={classes.cards}>
        <StatCard
          title="Total Leads"
          value={
            <LeadsFigure
              figure={stats.total_leads_received}
              filter={{ by: 'assigned', buyer_id: stats.buyer_id }}
            />
          }
        />
        <StatCard title="Active Orders" value={formatNumber(stats.active_orders)} />
        <StatCard title="Pending Reimbursements" value={formatNumber(stats.pending_reimbursements)} />
        <StatCard
          title="Claim Approval Rate"
          value={stats.claim_approval_rate === null ? '–' : percentText(stats.claim_approval_rate)}
        />
        {stats.price_per_lead !== null && (
          <StatCard title="Total Revenue" value={formatEuro(stats.total_revenue ?? 0)} wide />
        )}
      </div>
    </section>
  );
}
