import { euroOrNull } from '#functions/api/common/hundredths';
import { paceRow } from '#functions/api/common/pace';
import { type Buyer, isServed, type ListedEntry } from '#functions/data/buyers/buyer';
import { claimQuotaOf, type Order, orderStatus, revenue } from '#functions/data/orders/order';
import { linkOf } from '#functions/platform/links';
import type { OrderRow } from '#shared/contract/schemas/orders';
import { formatDateTime } from '#shared/rules/formats';

/** The order cache keeps its orders, so ten thousand times are formatted only once. */
const formattedCreations = new WeakMap<Order, string>();

function formattedCreation(order: Order): string {
  const known = formattedCreations.get(order);
  if (known !== undefined) return known;
  const formatted = formatDateTime(new Date(order.created_at));
  formattedCreations.set(order, formatted);
  return formatted;
}

interface Listed {
  readonly order: Order;
  readonly buyer: Pick<Buyer, 'buyer_id'>;
  readonly poolEntry: ListedEntry | undefined;
  readonly comments: ReadonlyMap<number, string>;
}

export function orderRow(
  publicBaseUrl: string,
  { order, buyer, poolEntry, comments }: Listed,
  now: Date,
): OrderRow {
  const served = isServed(poolEntry, order.order_id);
  return {
    ...order,
    buyer_id: buyer.buyer_id,
    status: orderStatus(order, served),
    order_created_at: order.created_at,
    order_created_at_formatted: formattedCreation(order),
    price_per_lead: euroOrNull(order.price_per_lead),
    actual_cost: euroOrNull(revenue(order)),
    excel_link: linkOf(publicBaseUrl, order),
    comments: comments.get(order.order_id) ?? '',
    claim_quota: claimQuotaOf(order) ?? null,
    renewed_as: order.renewed_as ?? null,
    reorder: order.reorder ?? null,
    ...paceRow(order, served, poolEntry?.schedule, now),
  };
}
