import { type Delivery, displayId } from '#functions/data/leads/lead';
import type { DeliveryRow } from '#shared/contract/schemas/leads';

/** A delivery as admins see it. @param buyerId what admins call the buyer */
export function deliveryRow(delivery: Delivery, buyerId: string): DeliveryRow {
  return { ...delivery, display_id: displayId(delivery), buyer_id: buyerId };
}
