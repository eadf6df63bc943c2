/** Stored entities as the rows that the API answers with: cents to euro, hundredths to percent, instants to German. */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { Lead } from '#functions/data/leads/lead';
import { type Order, orderStatus, revenue } from '#functions/data/orders/order';
import { SECRET_MASK } from '#shared/contract/constants';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import type { OrderRow } from '#shared/contract/schemas/orders';
import type { PendingLead } from '#shared/contract/schemas/pending-leads';
import { formatDateTime } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';

export const euro = (cents: number): number => cents / 100;
const euroOrNull = (cents: number | null): number | null => (cents === null ? null : euro(cents));
const masked = (secret: unknown): string | null => (secret === null ? null : SECRET_MASK);

/** Where an order's leads are shown; what the API calls `excel_link`. */
export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}

/** Active: it has an order and is neither paused nor deleted. */
export function isActive(buyer: Pick<Buyer, 'active' | 'deleted_at'>, orderId: number | null): boolean {
  return buyer.active && buyer.deleted_at === null && orderId !== null;
}

/** Whether a buyer's leads go to this order; a buyer has one such order at most. */
export function isServed(
  poolEntry: Pick<PoolEntry, 'active' | 'order_id'> | undefined,
  orderId: number,
): boolean {
  return poolEntry?.active === true && poolEntry.order_id === orderId;
}

/** @param order the pool entry's order, or the latest of a deleted buyer */
export function buyerRow(
  publicBaseUrl: string,
  buyer: Buyer,
  poolEntry: PoolEntry | undefined,
  order: Order | undefined,
): BuyerRow {
  const active = isActive(buyer, order?.order_id ?? null);
  return {
    buyer_id: buyer.buyer_id,
    buyer_name: buyer.buyer_id,
    buyer_email: buyer.buyer_email,
    probability: (poolEntry?.probability ?? buyer.probability) / 100,
    min_investment: euroOrNull(buyer.min_investment),
    price_per_lead: euroOrNull(buyer.price_per_lead),
    buyer_type: buyer.buyer_type,
    send_email: buyer.send_email,
    email_template_id: buyer.email_template_id,
    reimbursement_email_template_id: buyer.reimbursement_email_template_id,
    use_heroleads_api: buyer.use_heroleads_api,
    heroleads_api_key: masked(buyer.heroleads_api_key),
    heroleads_lead_type_id: buyer.heroleads_lead_type_id,
    custom_data_mapping: buyer.custom_data_mapping,
    use_sellanylead_api: buyer.use_sellanylead_api,
    use_trackbox_api: buyer.use_trackbox_api,
    trackbox_username: buyer.trackbox_username,
    trackbox_password: masked(buyer.trackbox_password),
    trackbox_api_key: masked(buyer.trackbox_api_key),
    trackbox_domain: buyer.trackbox_domain,
    trackbox_ai: buyer.trackbox_ai,
    trackbox_gi: buyer.trackbox_gi,
    trackbox_ci: buyer.trackbox_ci,
    trackbox_custom_mapping: buyer.trackbox_custom_mapping,
    manual_review: buyer.manual_review,
    max_claim_days: buyer.max_claim_days,
    min_days_for_ne: buyer.min_days_for_ne,
    active: active ? 1 : 0,
    deleted: buyer.deleted_at !== null,
    order_id: order?.order_id ?? null,
    buyer_order_number: order?.buyer_order_number ?? null,
    order_status: order === undefined ? null : orderStatus(order, active),
    order_created_at: order?.created_at ?? null,
    lead_limit: order?.lead_limit ?? 0,
    leads_received: order?.leads_received ?? 0,
    original_leads_received: order?.leads_received ?? 0,
    excel_link: order === undefined ? null : leadsLink(publicBaseUrl, order.token),
    reimbursement_delivered: order?.reimbursement_delivered ?? 0,
    reimbursement_pending: order?.reimbursement_pending ?? 0,
    balance_count: buyer.balance_count,
    total_claims: buyer.total_claims,
    approved_claims: buyer.approved_claims,
    total_revenue: euro((order && revenue(order)) ?? 0),
  };
}

export function orderRow(
  publicBaseUrl: string,
  order: Order,
  buyer: Pick<Buyer, 'buyer_id'>,
  poolEntry: PoolEntry | undefined,
  comments: string,
): OrderRow {
  return {
    order_id: order.order_id,
    buyer_id: buyer.buyer_id,
    buyer_order_number: order.buyer_order_number,
    lead_limit: order.lead_limit,
    leads_received: order.leads_received,
    reimbursement_pending: order.reimbursement_pending,
    reimbursement_delivered: order.reimbursement_delivered,
    status: orderStatus(order, isServed(poolEntry, order.order_id)),
    order_created_at: order.created_at,
    order_created_at_formatted: formatDateTime(new Date(order.created_at)),
    price_per_lead: euroOrNull(order.price_per_lead),
    actual_cost: euroOrNull(revenue(order)),
    excel_link: leadsLink(publicBaseUrl, order.token),
    comments,
    max_claim_days: order.max_claim_days,
    min_days_for_ne: order.min_days_for_ne,
    buyer_type: order.buyer_type,
  };
}

/** @param intendedBuyer the buyer that a lead under review was meant for */
export function pendingLeadRow(lead: Lead, intendedBuyer: Buyer | undefined): PendingLead {
  const reason = lead.reason ?? 'no_active_order';
  return {
    lead_id: lead.lead_id,
    ...personRow(lead),
    clickId: lead.clickId ?? null,
    src: lead.src ?? null,
    created_at: lead.received_at,
    created_at_formatted: formatDateTime(new Date(lead.received_at)),
    reason,
    reason_text: pendingReasonText(reason, intendedBuyer?.buyer_id),
    buyer_id: intendedBuyer?.buyer_id ?? null,
  };
}

/** A person's data with the investment in euro. */
export function personRow(lead: Lead) {
  return {
    anrede: lead.anrede,
    vorname: lead.vorname,
    nachname: lead.nachname,
    email: lead.email,
    telefon: lead.telefon,
    anlagebetrag: euro(lead.anlagebetrag),
    laufzeit: lead.laufzeit,
  };
}
