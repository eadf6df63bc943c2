import * as buyerStore from '#functions/data/buyers/buyer-store';
import { isNearlyFull } from '#functions/data/orders/order';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { addedUp, revenueOf } from '#functions/data/statistics/statistics-store';
import { currentOrders, type DashboardContext, dashboardStats } from '#functions/domain/statistics/dashboard';

export interface Summary {
  readonly day: string;
  readonly leads: number;
  readonly replacements: number;
  readonly buyers: readonly { readonly buyerId: string; readonly leads: number }[];
  /** Cents. */
  readonly revenue: number;
  readonly pendingLeads: number;
  readonly openClaims: number;
  readonly failedDeliveries: number;
  readonly nearlyFull: readonly {
    readonly buyerId: string;
    readonly received: number;
    readonly limit: number;
  }[];
}

/** @param day of Berlin @param percent of the limit from which an order is nearly full */
export async function summaryOf(context: DashboardContext, day: string, percent: number): Promise<Summary> {
  const [range, stats, current, names] = await Promise.all([
    statisticsStore.range(context, day, day),
    dashboardStats(context),
    currentOrders(context),
    buyerStore.allNames(context),
  ]);
  const parts = [...(range.get(day) ?? [])];
  const total = addedUp(parts.map(([, part]) => part));
  const idOf = new Map(names.map(({ buyer, buyer_id }) => [buyer, buyer_id]));
  return {
    day,
    leads: total.originals + total.reimbursements,
    replacements: total.reimbursements,
    buyers: parts
      .map(([buyer, { originals, reimbursements }]) => ({
        buyerId: idOf.get(buyer) ?? String(buyer),
        leads: originals + reimbursements,
      }))
      .filter(({ leads }) => leads > 0)
      .toSorted((a, b) => b.leads - a.leads || a.buyerId.localeCompare(b.buyerId)),
    revenue: revenueOf(total),
    pendingLeads: stats.pendingLeads,
    openClaims: stats.pendingClaims,
    failedDeliveries: stats.failedDeliveries,
    nearlyFull: current
      .filter(({ poolEntry, order }) => poolEntry.active && isNearlyFull(order, percent))
      .map(({ poolEntry, order }) => ({
        buyerId: poolEntry.buyer_id,
        received: order.leads_received,
        limit: order.lead_limit,
      })),
  };
}
