import { formatEuro, formatNumber } from '#shared/rules/formats';
import { type DashboardStats, useDashboardStats } from '../data/insights';
import { LeadsFigure } from '../leads/LeadsFigure';
import { countOf } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { SmallText } from '../ui/SmallText';
import { StatCard } from '../ui/StatCard';
import classes from '../ui/StatCard.module.css';
import { QueryResult } from '../ui/states';

export function StatsCards() {
  const stats = useDashboardStats();
  return (
    <section aria-label="Key figures">
      <QueryResult
        query={stats}
        what="The figures"
        skeleton={
          <div aria-busy="true">
            <div inert aria-hidden="true">
              <Cards figures={NO_FIGURES} loading />
            </div>
          </div>
        }
      >
        {(figures) => <Cards figures={figures} />}
      </QueryResult>
    </section>
  );
}

/** As high as usual figures, so that nothing shifts when they arrive. */
const NO_FIGURES: DashboardStats = {
  ineligible_leads_count: 0,
  active_orders_count: 0,
  active_orders_delivered: 0,
  active_orders_limit: 0,
  pending_reclamations_count: 0,
  total_pending_reimbursements: 0,
  orders_with_pending_reimbursements: 0,
  total_revenue: 10_000,
  failed_deliveries_count: 0,
  first_lead_delivered: true,
};

function Cards({ figures, loading = false }: { figures: DashboardStats; loading?: boolean }) {
  return (
    <div className={classes.cards}>
      <StatCard title="Active Orders Progress" loading={loading}>
        <Meter
          done={figures.active_orders_delivered}
          of={figures.active_orders_limit}
          label="Delivered of all active orders"
          showPercent
        />
        <SmallText mt={4}>{countOf(figures.active_orders_count, 'active order')}</SmallText>
      </StatCard>
      <StatCard
        title="Pending Leads"
        to="/dashboard/ineligible-leads"
        value={<LeadsFigure figure={figures.ineligible_leads_count} filter={{ status: 'pending' }} />}
        loading={loading}
      />
      <StatCard
        title="Pending Reclamations"
        to="/dashboard/claimed-leads?status=pending"
        value={<LeadsFigure figure={figures.pending_reclamations_count} filter={{ claim: 'pending' }} />}
        loading={loading}
      />
      <StatCard
        title="Pending Reimbursements"
        value={formatNumber(figures.total_pending_reimbursements)}
        loading={loading}
      >
        <SmallText>across {countOf(figures.orders_with_pending_reimbursements, 'order')}</SmallText>
      </StatCard>
      {figures.total_revenue !== undefined && (
        <StatCard title="Total Revenue" value={formatEuro(figures.total_revenue)} wide loading={loading} />
      )}
    </div>
  );
}
