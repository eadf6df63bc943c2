/**
 * How texts name an order. `#` is always the number that the buyer counts its own orders by; the ID, which is unique,
 * follows the word "order".
 */

/** `#1`, where the buyer is known. */
export const orderNumberText = (buyerOrderNumber: number): string => `#${buyerOrderNumber}`;

interface NamedOrder {
  readonly order_id: number | null;
  readonly buyer_order_number: number | null;
  readonly buyer_id: string;
}

/** `Order 4 (no. 1 of nordwert)` */
export const orderText = ({ order_id, buyer_order_number, buyer_id }: NamedOrder): string =>
  `Order ${order_id} (no. ${buyer_order_number} of ${buyer_id})`;
