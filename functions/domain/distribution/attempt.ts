/** What a distribution attempt needs, and how it ends. */
import type { Order } from '#functions/data/orders/order';
import type { ReservationStore } from '#functions/data/orders/reservation-store';
import type { MarksContext } from '#functions/domain/distribution/do-not-contact';
import type { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import type { Checks } from '#functions/verification/verification';
import type { LeadType, PendingReason } from '#shared/rules/constants';

export interface DistributionContext extends MarksContext {
  readonly reservations: ReservationStore;
  readonly ledger: LedgerBatcher;
  readonly checks: Checks;
  readonly mustBeCertain: boolean;
}

export type DistributionResult =
  | {
      readonly status: 'assigned';
      readonly lead_id: string;
      readonly buyer_id: string;
      readonly order: Order;
      readonly sequence: number;
      readonly lead_type: LeadType;
    }
  | { readonly status: 'pending'; readonly lead_id: string; readonly reason: PendingReason }
  /** Only for an assignment by hand: the buyer is inactive or has no order with capacity. The lead is still in flight. */
  | { readonly status: 'refused'; readonly lead_id: string }
  | { readonly status: 'overtaken'; readonly lead_id: string };
