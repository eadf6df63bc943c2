import { euro, euroOrNull } from '#functions/api/common/hundredths';
import type { Entry } from '#functions/data/administration/audit-store';
import { assignmentOf, displayId } from '#functions/data/leads/lead';
import type { SearchResults } from '#functions/domain/leads/search';
import type {
  BuyerStatistics,
  BuyerTotals,
  RangeTotals,
} from '#functions/domain/statistics/buyer-statistics';
import type { DashboardStats } from '#functions/domain/statistics/dashboard';
import type { LatencyPeriod, LatencyRange } from '#functions/domain/statistics/latency';
import type { Margin } from '#functions/domain/statistics/margin';
import type { Simulation } from '#functions/domain/statistics/simulation';
import type { SilentSource, SourceStatistics } from '#functions/domain/statistics/source-statistics';
import { CHANNEL_DESCRIPTORS } from '#shared/channels/channels';
import type { LatencySeries } from '#shared/contract/rows/latency-series';
import type { Answer } from '#shared/contract/schemas';
import type { AuditEntry, BuyerStatsRow } from '#shared/contract/schemas/insights';
import { LATENCY_ERROR } from '#shared/rules/constants';
import { orderText } from '#shared/rules/order-texts';
import { pendingReasonText } from '#shared/rules/reasons';

export function dashboardAnswer(stats: DashboardStats, hasDelivered: boolean): Answer<'getDashboardStats'> {
  return {
    ineligible_leads_count: stats.pendingLeads,
    active_orders_count: stats.activeOrders,
    active_orders_delivered: stats.activeOrdersDelivered,
    active_orders_limit: stats.activeOrdersLimit,
    pending_reclamations_count: stats.pendingClaims,
    total_pending_reimbursements: stats.pendingReplacements,
    orders_with_pending_reimbursements: stats.ordersOwingReplacements,
    ...(stats.revenue !== undefined && { total_revenue: euro(stats.revenue) }),
    failed_deliveries_count: stats.failedDeliveries,
    first_lead_delivered: hasDelivered,
  };
}

export function buyerStatisticsAnswer({
  buyers,
  days,
  totals,
  before,
}: BuyerStatistics): Answer<'getBuyerStats'> {
  return {
    buyer_stats: buyers.map(buyerStatsRow),
    time_series: days.map(({ date, originals, replacements }) => ({
      date,
      leads_received: originals + replacements,
      original_leads: originals,
      reimbursement_leads: replacements,
    })),
    totals: rangeTotals(totals),
    ...(before && { previous: rangeTotals(before) }),
  };
}

export function sourceStatisticsAnswer({ from, to, sources }: SourceStatistics): Answer<'getSourceStats'> {
  return {
    from,
    to,
    sources: sources.map(({ source, duplicates, buyers, months, ...figures }) => ({
      source_id: source.source,
      name: source.name,
      src: source.src,
      ...figures,
      duplicate: duplicates,
      ...marginRow(figures),
      months: months.map(({ month, accepted, assigned, approved, ...of }) => ({
        month,
        accepted,
        assigned,
        approved,
        ...marginRow(of),
      })),
      claim_rate: claimRate(figures),
      buyers: buyers.map(({ buyerId, ...of }) => ({ buyer_id: buyerId, ...of, claim_rate: claimRate(of) })),
    })),
  };
}

const marginRow = ({ revenue, unpriced, uncosted, cost, margin }: Margin) => ({
  revenue: euro(revenue),
  unpriced,
  uncosted,
  cost: euroOrNull(cost),
  margin: euroOrNull(margin),
  margin_percent: marginPercent({ revenue, margin }),
});

export const marginPercent = ({ revenue, margin }: Pick<Margin, 'revenue' | 'margin'>) =>
  margin === null || revenue === 0 ? null : twoDecimals((100 * margin) / revenue);

const claimRate = ({ assigned, claimed }: { readonly assigned: number; readonly claimed: number }) =>
  assigned === 0 ? null : twoDecimals((100 * claimed) / assigned);

export const stepText = (series: LatencySeries) =>
  series === 'assigned' ? 'Assigned to a buyer' : `Delivered, ${CHANNEL_DESCRIPTORS[series].label}`;

export const latenciesAnswer = ({ from, to, series }: LatencyPeriod): Answer<'getLatencies'> => ({
  from,
  to,
  error_percent: LATENCY_ERROR * 100,
  series: series.map(({ series, quantiles }) => ({ step: stepText(series), ...quantiles })),
});

/** Without numbers of leads, which are confidential. */
export const statusAnswer = (ranges: readonly LatencyRange[] | undefined): Answer<'getStatus'> => ({
  public: ranges !== undefined,
  error_percent: LATENCY_ERROR * 100,
  ranges: (ranges ?? []).map(({ days, series }) => ({
    days,
    series: series.map(({ series, quantiles: { p50, p95, p99 } }) => ({
      step: stepText(series),
      p50,
      p95,
      p99,
    })),
  })),
});

export const silentSourcesAnswer = (silent: readonly SilentSource[]): Answer<'listSilentSources'> =>
  silent.map(({ source, last, usual }) => ({
    source_id: source.source,
    name: source.name,
    last_day: last.day,
    last_hour: last.hour,
    usual,
  }));

function rangeTotals({ from, to, originals, replacements, revenue, claims }: RangeTotals) {
  return {
    from,
    to,
    leads_received: originals + replacements,
    original_leads: originals,
    reimbursement_leads: replacements,
    revenue: euro(revenue),
    claims,
  };
}

export function buyerStatsRow(totals: BuyerTotals): BuyerStatsRow {
  const { buyer, decidedClaims } = totals;
  return {
    buyer_id: buyer.buyer_id,
    buyer_name: buyer.buyer_id,
    total_leads_received: totals.originals + totals.replacements,
    original_leads_received: totals.originals,
    reimbursement_leads_received: totals.replacements,
    active_orders: totals.activeOrders,
    completed_orders: totals.completedOrders,
    pending_reimbursements: totals.pendingReplacements,
    total_claims: buyer.total_claims,
    approved_claims: buyer.approved_claims,
    rejected_claims: buyer.rejected_claims,
    pending_claims: buyer.total_claims - decidedClaims,
    claim_approval_rate:
      decidedClaims === 0 ? null : twoDecimals((100 * buyer.approved_claims) / decidedClaims),
    current_probability: totals.probability / 100,
    buyer_type: buyer.buyer_type,
    price_per_lead: buyer.price_per_lead === null ? null : euro(buyer.price_per_lead),
    total_revenue: totals.revenue === null ? null : euro(totals.revenue),
    active: totals.active ? 1 : 0,
    share_wanted: twoDecimals(totals.shareWanted),
    share_got: totals.shareGot,
    share_distance: twoDecimals(totals.shareGot - totals.shareWanted),
    missed_limit_reached: totals.missedLimitReached,
    missed_below_minimum: totals.missedBelowMinimum,
    missed_outside_criteria: totals.missedOutsideCriteria,
    missed_without_consent: totals.missedWithoutConsent,
    missed_outside_schedule: totals.missedOutsideSchedule,
    missed_cap_reached: totals.missedCapReached,
    refused: totals.refused,
  };
}

/** Adding 0 turns -0 into 0. */
function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

export function simulationAnswer(simulation: Simulation): Answer<'simulate'> {
  return {
    leads: simulation.leads,
    unassigned_before: simulation.unassignedBefore,
    unassigned_after: simulation.unassignedAfter,
    buyers: simulation.buyers.map((buyer) => ({
      buyer_id: buyer.buyerId,
      got: buyer.got,
      would_have_received: buyer.wouldHaveReceived,
      claims: buyer.claims,
      simulated_claims: buyer.simulatedClaims,
      revenue: euro(buyer.revenue),
      simulated_revenue: euro(buyer.simulatedRevenue),
    })),
  };
}

/** With the entity's label (a buyer's `buyer_id`), not its internal ID. */
export function auditRow({ at, who, action, entity, label, changes }: Entry): AuditEntry {
  return { at, who, action, entity, entity_id: label, changes };
}

export function searchAnswer({ buyers, orders, leads }: SearchResults): Answer<'search'> {
  return {
    results: [
      ...buyers.map(({ buyer_id, buyer_email }) => ({
        kind: 'buyer' as const,
        id: buyer_id,
        buyer_id,
        title: buyer_id,
        subtitle: buyer_email,
      })),
      ...orders.map(({ order, buyer, status }) => ({
        kind: 'order' as const,
        id: String(order.order_id),
        buyer_id: buyer.buyer_id,
        title: orderText({ ...order, buyer_id: buyer.buyer_id }),
        subtitle: `${status}, ${order.leads_received}/${order.lead_limit} leads`,
      })),
      ...leads.map(leadResult),
    ],
  };
}

function leadResult({ lead, buyer }: SearchResults['leads'][number]): Answer<'search'>['results'][number] {
  const assignment = assignmentOf(lead);
  return {
    kind: 'lead',
    id: lead.lead_id,
    buyer_id: null,
    title: `${lead.vorname} ${lead.nachname}`,
    subtitle:
      assignment === undefined
        ? `Pending: ${pendingReasonText(lead.reason ?? 'no_active_order')}`
        : `${displayId(assignment)} · ${buyer?.buyer_id ?? ''} · ${lead.email}`,
  };
}
