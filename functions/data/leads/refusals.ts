/** Assignments that buyers refused, stored with the lead and with their deliveries. */
import { type Delivery, deliverySchema, type Refusal, refusalSchema } from '#functions/data/leads/lead';
import { newItem } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Put, TransactionItem } from '#functions/data/table/table';

export interface RefusedAssignment extends Refusal {
  readonly deliveries: readonly Delivery[];
}

/** The decision is stored as JSON text. */
export function refusalPut(refusal: Refusal): Put {
  return newItem(keys.refusal(refusal.lead_id, refusal.distribution_attempt), {
    ...refusal,
    decision: refusal.decision && JSON.stringify(refusal.decision),
  });
}

/** The delivery stays in the list of its buyer, and leaves all lists from which it could be sent. */
export function deliveryMoved(delivery: Delivery, attempt: number, at: string): TransactionItem[] {
  const { lead_id, channel, buyer, created_at, unreported: _, ...rest } = delivery;
  return [
    {
      delete: keys.delivery(lead_id, channel),
      condition: '#status = :status AND #series = :series AND updated_at = :expected',
      names: { '#status': 'status', '#series': 'series' },
      values: { ':status': delivery.status, ':series': delivery.series, ':expected': delivery.updated_at },
    },
    newItem(keys.refusedDelivery(lead_id, attempt, channel), {
      ...rest,
      lead_id,
      channel,
      buyer,
      created_at,
      reassigned_at: at,
      gsi1pk: indexed.buyerDeliveries(buyer),
      gsi1sk: indexed.at(created_at, lead_id),
    }),
  ];
}

/** @param items of a lead */
export function refusalsIn(items: readonly Item[]): RefusedAssignment[] {
  const begins = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const deliveries = begins(keys.refusedDeliveries()).map((item) => deliverySchema.parse(item));
  return begins(keys.refusals()).map((item) => {
    const refusal = refusalFromItem(item);
    return { ...refusal, deliveries: deliveries.filter((one) => isOfRefusal(one, refusal)) };
  });
}

const isOfRefusal = (delivery: Delivery, { order_id, sequence }: Refusal) =>
  delivery.order_id === order_id && delivery.sequence === sequence;

function refusalFromItem(item: Item): Refusal {
  const { decision } = item;
  return refusalSchema.parse({
    ...item,
    decision: typeof decision === 'string' ? JSON.parse(decision) : undefined,
  });
}
