import { Skeleton, Text } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { useDashboardStats } from '../data/insights';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { QueryResult } from '../ui/states';

/** The figures at the top of the dashboard. */
export function StatsCards() {
  const stats = useDashboardStats();
  return (
    <section aria-label="Key figures">
      <QueryResult
        query={stats}
        errorTitle="The figures could not be loaded"
        skeleton={
          <div className={classes.cards} aria-busy="true">
            {['orders', 'leads', 'claims', 'replacements'].map((name) => (
              <Skeleton key={name} height={98} radius="md" />
            ))}
          </div>
        }
      >
        {(figures) => (
          <div className={classes.cards}>
            <StatCard title="Active Orders Progress">
              <Meter
                done={figures.active_orders_delivered}
                of={figures.active_orders_limit}
                label="Delivered of all active orders"
                showPercent
              />
              <Text size="xs" c="dimmed" mt={4}>
                {countOf(figures.active_orders_count, 'active order')}
              </Text>
            </StatCard>
            <StatCard
              title="Pending Leads"
              to="/dashboard/ineligible-leads"
              value={formatNumber(figures.ineligible_leads_count)}
            />
            <StatCard
              title="Pending Reclamations"
              to="/dashboard/claimed-leads?status=pending"
              value={formatNumber(figures.pending_reclamations_count)}
            />
            <StatCard
              title="Pending Reimbursements"
              value={formatNumber(figures.total_pending_reimbursements)}
            >
              <Text size="xs" c="dimmed">
                across {countOf(figures.orders_with_pending_reimbursements, 'order')}
              </Text>
            </StatCard>
            {figures.total_revenue !== undefined && (
              <StatCard title="Total Revenue" value={formatEuro(figures.total_revenue)} wide />
            )}
          </div>
        )}
      </QueryResult>
    </section>
  );
}
