import { type Delivery, displayId } from '#functions/data/leads/lead';
import type { DeliveryRow } from '#shared/contract/schemas/leads';

/** A delivery as admins see it. @param buyerId the buyer's `buyer_id`, not its internal number */
export function deliveryRow(delivery: Delivery, buyerId: string): DeliveryRow {
  return {
    ...delivery,
    display_id: displayId(delivery),
    buyer_id: buyerId,
    kept: delivery.kept ?? null,
    given_on_at: delivery.given_on_at ?? null,
  };
}
