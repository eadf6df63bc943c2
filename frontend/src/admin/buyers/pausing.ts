import { type Buyer, useOptimisticBuyer } from '../data/buyers';
import { usePinBuyer } from '../data/pinned-buyers';
import { call } from '../data/query';
import { useNotifications } from '../notifications';
import { TROUBLE } from '../texts';
import { useExceededSum } from './exceeded-sum';

interface Pausing {
  readonly buyerId: string;
  /** False resumes. */
  readonly isPaused: boolean;
}

/** Pauses or resumes a buyer without confirmation and offers to undo it. A paused buyer stays in the list. */
export function usePauseBuyer() {
  const undo = usePausing();
  return usePausing(undo.mutate);
}

/** @param undo offered with the message */
function usePausing(undo?: (pausing: Pausing) => void) {
  const notifications = useNotifications();
  const pinBuyer = usePinBuyer();
  const openEditor = useExceededSum();
  return useOptimisticBuyer(
    async ({ buyerId, isPaused }: Pausing) => {
      pinBuyer(buyerId);
      try {
        return await call(
          'updateBuyer',
          { params: { buyerId }, body: { active: isPaused ? 0 : 1 } },
          { fallbackText: TROUBLE.updateBuyer(buyerId) },
        );
      } catch (error) {
        openEditor(buyerId, error);
        throw error;
      }
    },
    (buyer, { isPaused }) => ({ ...buyer, active: isPaused ? 0 : 1 }),
    ({ buyerId, isPaused }) =>
      notifications.success(
        isPaused ? `Buyer ${buyerId} paused: it gets no leads` : `Buyer ${buyerId} resumed`,
        undo && { label: 'Undo', run: () => undo({ buyerId, isPaused: !isPaused }) },
        buyerId,
      ),
  );
}

/** Paused by an admin, although it has an order. */
export function isPaused(buyer: Buyer): boolean {
  return buyer.active === 0 && !buyer.deleted && buyer.order_id !== null && buyer.order_status !== 'Deleted';
}
