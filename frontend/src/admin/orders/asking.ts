import type { BuyerRow } from '#shared/contract/schemas/buyers';

/** A buyer that has requested its next order. */
export type Asking = BuyerRow & {
  readonly order_id: number;
  readonly reorder: NonNullable<BuyerRow['reorder']>;
};

export const isAsking = (buyer: BuyerRow): buyer is Asking =>
  buyer.reorder !== null && buyer.order_id !== null && !buyer.deleted;
