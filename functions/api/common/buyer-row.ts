import { addressRow } from '#functions/api/common/address-row';
import { deliveryProblemRow } from '#functions/api/common/delivery-problem';
import { euro, euroOrNull } from '#functions/api/common/hundredths';
import { paceRow } from '#functions/api/common/pace';
import { isActive, plainSettingsOf } from '#functions/data/buyers/buyer';
import { orderStatus, originalLeads, revenue } from '#functions/data/orders/order';
import type { BuyerInContext } from '#functions/domain/buyers/buyer-list';
import { linkOf } from '#functions/platform/links';
import { mapSettings } from '#shared/channels/channels';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import { SECRET_MASK } from '#shared/rules/constants';

const masked = (secret: unknown): string | null => (secret === null ? null : SECRET_MASK);

export function buyerRow(
  publicBaseUrl: string,
  { buyer, poolEntry, order, emailState, deliveryProblem }: BuyerInContext,
  now: Date,
): BuyerRow {
  const active = isActive(buyer, order?.order_id ?? null);
  return {
    buyer_id: buyer.buyer_id,
    buyer_name: buyer.buyer_id,
    ...plainSettingsOf(buyer),
    email_state: addressRow(emailState),
    delivery_problem: deliveryProblemRow(deliveryProblem, order),
    probability: (poolEntry?.probability ?? buyer.probability) / 100,
    min_investment: euroOrNull(buyer.min_investment),
    max_investment: euroOrNull(buyer.max_investment),
    price_per_lead: euroOrNull(buyer.price_per_lead),
    ...mapSettings({
      flag: ({ name }) => buyer[name],
      text: ({ name }) => buyer[name],
      choice: ({ name }) => buyer[name],
      host: ({ name }) => buyer[name],
      address: ({ name }) => buyer[name],
      area: ({ name }) => buyer[name],
      secret: ({ name }) => masked(buyer[name]),
      template: ({ name }) => buyer[name],
      mapping: ({ name }) => buyer[name],
      pairs: ({ name }) => buyer[name],
      rules: ({ name }) => buyer[name],
    }),
    active: active ? 1 : 0,
    deleted: buyer.deleted_at !== null,
    order_id: order?.order_id ?? null,
    buyer_order_number: order?.buyer_order_number ?? null,
    order_status: order === undefined ? null : orderStatus(order, active),
    order_created_at: order?.created_at ?? null,
    lead_limit: order?.lead_limit ?? 0,
    leads_received: order?.leads_received ?? 0,
    original_leads_received: order === undefined ? 0 : originalLeads(order),
    excel_link: linkOf(publicBaseUrl, order),
    reimbursement_delivered: order?.reimbursement_delivered ?? 0,
    reimbursement_pending: order?.reimbursement_pending ?? 0,
    balance_count: buyer.balance_count,
    total_claims: buyer.total_claims,
    approved_claims: buyer.approved_claims,
    renewal: order?.renewal ?? null,
    reorder:
      order?.reorder?.state === 'open' && order.renewed_as === undefined && order.deleted_at === null
        ? { lead_limit: order.reorder.lead_limit, requested_at: order.reorder.requested_at }
        : null,
    total_revenue: euro((order && revenue(order)) ?? 0),
    ...paceRow(order, active, buyer.schedule, now),
  };
}
