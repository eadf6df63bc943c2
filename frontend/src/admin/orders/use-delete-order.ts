import { useApiMutation } from '../data/mutation';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';

/** Deletes an order after a question. */
export function useDeleteOrder() {
  const dialogs = useDialogs();
  const remove = useApiMutation('deleteOrder');
  return {
    isPending: remove.isPending,
    ask: (buyerId: string, orderId: number) =>
      dialogs.ask({ title: 'Delete order', text: CONFIRM.deleteOrder(orderId), action: 'Delete' }, () =>
        remove.mutate({ params: { buyerId, orderId } }),
      ),
  };
}
