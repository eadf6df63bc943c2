import { type Delivery, displayId } from '#functions/data/leads/lead';
import type { DeliveryRow } from '#shared/contract/schemas/leads';

/** @param buyerId the `buyer_id`, not the internal number */
export function deliveryRow(delivery: Delivery, buyerId: string): DeliveryRow {
  return {
    ...delivery,
    display_id: displayId(delivery),
    buyer_id: buyerId,
    reassignment_blocker: delivery.reassignment_blocker ?? null,
    reassigned_at: delivery.reassigned_at ?? null,
  };
}
