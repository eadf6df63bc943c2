import { Card, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { useDashboardStats } from '../data/insights';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { QueryResult } from '../ui/states';
import classes from './BuyersTable.module.css';

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
            <Figure title="Active Orders Progress">
              <Meter
                done={figures.active_orders_delivered}
                of={figures.active_orders_limit}
                label="Delivered of all active orders"
                showPercent
              />
              <Text size="xs" c="dimmed" mt={4}>
                {countOf(figures.active_orders_count, 'active order')}
              </Text>
            </Figure>
            <Figure title="Pending Leads" to="/dashboard/ineligible-leads">
              <Text fz={26} fw={700}>
                {formatNumber(figures.ineligible_leads_count)}
              </Text>
            </Figure>
            <Figure title="Pending Reclamations" to="/dashboard/claimed-leads?status=pending">
              <Text fz={26} fw={700}>
                {formatNumber(figures.pending_reclamations_count)}
              </Text>
            </Figure>
            <Figure title="Pending Reimbursements">
              <Text fz={26} fw={700}>
                {formatNumber(figures.total_pending_reimbursements)}
              </Text>
              <Text size="xs" c="dimmed">
                across {countOf(figures.orders_with_pending_reimbursements, 'order')}
              </Text>
            </Figure>
            {figures.total_revenue !== undefined && (
              <Figure title="Total Revenue">
                <Text fz={26} fw={700} className={classes.amount}>
                  {formatEuro(figures.total_revenue)}
                </Text>
              </Figure>
            )}
          </div>
        )}
      </QueryResult>
    </section>
  );
}

function Figure({ title, to, children }: { title: string; to?: string; children: ReactNode }) {
  return (
    <Card withBorder padding="md" radius="md">
      <Text size="sm" c="dimmed" fw={500} mb={4}>
        {to === undefined ? (
          title
        ) : (
          <Link to={to} style={{ color: 'var(--mantine-color-anchor)' }}>
            {title}
          </Link>
        )}
      </Text>
      {children}
    </Card>
  );
}
