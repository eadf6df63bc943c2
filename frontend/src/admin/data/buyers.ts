import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { ApiError } from '../../app/api';
import { polled, REFETCH_INTERVAL_MS } from '../../app/query-client';
import { useNotifications } from '../notifications';
import type { Caps } from '../orders/caps';
import { useRefresh } from './mutation';
import { apiQuery, call } from './query';

export type Buyer = Answer<'getBuyer'>['buyer'];

/** All buyers as they are stored at this moment. */
export async function loadBuyers({ signal }: { readonly signal?: AbortSignal } = {}) {
  return (await call('listBuyers', {}, signal && { signal })).buyers;
}

/** One of them, unless it is deleted. */
export async function loadBuyer(buyerId: string, options?: { readonly signal: AbortSignal }): Promise<Buyer> {
  return (await call('getBuyer', { params: { buyerId } }, options)).buyer;
}

export const buyersQuery = queryOptions({
  queryKey: ['buyers'],
  queryFn: loadBuyers,
  refetchInterval: polled(),
});

/**
 * All buyers, including deleted ones, with the state of their order; fresh within seconds.
 * @param intervalMs the polling interval for the known buyers
 */
export function useBuyers(
  intervalMs: (known: readonly Buyer[] | undefined) => number = () => REFETCH_INTERVAL_MS,
) {
  return useQuery({ ...buyersQuery, refetchInterval: ({ state }) => polled(intervalMs(state.data))() });
}

/** One of them; undefined until they are loaded. */
export const useBuyer = (buyerId: string | null) =>
  useBuyers().data?.find(({ buyer_id }) => buyer_id === buyerId);

const oneBuyerKey = (buyerId: string) => ['buyers', 'one', buyerId] as const;

/** One buyer without the others, also a deleted one; at once if they are loaded. */
export function useOneBuyer(buyerId: string) {
  const queries = useQueryClient();
  const isIt = ({ buyer_id }: Buyer) => buyer_id === buyerId;
  return useQuery({
    queryKey: oneBuyerKey(buyerId),
    queryFn: async ({ signal }) => {
      try {
        return await loadBuyer(buyerId, { signal });
      } catch (error) {
        const isGone = error instanceof ApiError && error.status === 404;
        const deleted = isGone ? (await loadBuyers({ signal })).find(isIt) : undefined;
        if (deleted === undefined) throw error;
        return deleted;
      }
    },
    placeholderData: () => queries.getQueryData(buyersQuery.queryKey)?.find(isIt),
    refetchInterval: polled(),
  });
}

export function isActiveBuyer(buyer: Buyer): boolean {
  return buyer.active === 1 && buyer.order_id !== null && !buyer.deleted;
}

/** False until the first lead was delivered. */
export function wereLeadsDelivered(buyers: readonly Buyer[]): boolean {
  return buyers.some(
    ({ leads_received, reimbursement_delivered, buyer_order_number }) =>
      leads_received + reimbursement_delivered > 0 || (buyer_order_number ?? 0) > 1,
  );
}

/** Replacements owed to a buyer that belong to no order yet. */
export function useBalance(buyerId: string) {
  return useQuery({
    ...apiQuery(['buyers', 'balance', buyerId], 'getBalance', { params: { buyerId } }),
    enabled: buyerId !== '',
    select: ({ balance_count }) => balance_count,
  });
}

/** Highlights rows whose optimistic change was rolled back. */
export const rolledBackKey = (buyerId: string) => ['rolled-back', buyerId] as const;
const FLASH_MS = 2500;

/**
 * A change of one buyer, shown at once and rolled back if the server refuses.
 * @param change the buyer as it will look
 * @param done called after a success, instead of showing the answer's message
 */
export function useOptimisticBuyer<Input extends { readonly buyerId: string }>(
  perform: (input: Input) => Promise<{ readonly message: string }>,
  change: (buyer: Buyer, input: Input) => Buyer,
  done?: (input: Input) => void,
) {
  const queries = useQueryClient();
  const refresh = useRefresh();
  const notifications = useNotifications();
  return useMutation({
    mutationFn: perform,
    onMutate: async (input: Input) => {
      notifications.saving();
      const oneKey = oneBuyerKey(input.buyerId);
      await Promise.all(
        [buyersQuery.queryKey, oneKey].map((queryKey) => queries.cancelQueries({ queryKey, exact: true })),
      );
      const before = queries.getQueryData(buyersQuery.queryKey);
      const one = queries.getQueryData<Buyer>(oneKey);
      queries.setQueryData(buyersQuery.queryKey, (buyers) =>
        buyers?.map((buyer) => (buyer.buyer_id === input.buyerId ? change(buyer, input) : buyer)),
      );
      queries.setQueryData(oneKey, one && change(one, input));
      return { before, one };
    },
    // Here and not at the call, because the calling row may be unmounted by now.
    onSuccess: ({ message }, input) => (done ? done(input) : notifications.success(message)),
    onError: (error, input, context) => {
      queries.setQueryData(buyersQuery.queryKey, context?.before);
      queries.setQueryData(oneBuyerKey(input.buyerId), context?.one);
      queries.setQueryData(rolledBackKey(input.buyerId), true);
      window.setTimeout(() => queries.setQueryData(rolledBackKey(input.buyerId), false), FLASH_MS);
      notifications.error(error);
    },
    onSettled: () => void refresh(['buyers', 'orders', 'dashboard', 'pending-leads', 'statistics', 'audit']),
  });
}

export function useDeleteBuyer() {
  return useOptimisticBuyer(
    ({ buyerId, links }: { buyerId: string; links: 'keep' | 'off' }) =>
      call('deleteBuyer', { params: { buyerId }, body: { links } }),
    (buyer) => ({ ...buyer, deleted: true, active: 0 }),
  );
}

interface LimitChange {
  readonly buyerId: string;
  readonly limit: number;
  readonly caps: Caps;
  /** As of opening the dialog. */
  readonly expected: { readonly limit: number; readonly caps: Caps };
}

/** @param fallbackText for failures without a message */
export function useUpdateLimit(fallbackText: string) {
  return useOptimisticBuyer(
    ({ buyerId, limit, caps, expected }: LimitChange) =>
      call(
        'updateOrderLimit',
        {
          params: { buyerId },
          body: { lead_limit: limit, ...caps, expected: { lead_limit: expected.limit, ...expected.caps } },
        },
        { fallbackText },
      ),
    (buyer, { limit, caps }) => ({ ...buyer, lead_limit: limit, ...caps }),
  );
}

/** True for a moment after a change of this buyer was rolled back. */
export function useRolledBack(buyerId: string): boolean {
  const { data } = useQuery({
    queryKey: rolledBackKey(buyerId),
    queryFn: () => false,
    enabled: false,
    initialData: false,
  });
  return data;
}
