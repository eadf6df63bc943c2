import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FRESH_EVERY_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useAction } from './action';

export type Order = Answer<'listOrders'>['orders'][number];

const AFFECTED: readonly Resource[] = [
  'orders',
  'buyers',
  'dashboard',
  'pending-leads',
  'statistics',
  'audit',
];

/** All orders of all buyers, for the filters. */
export const ordersQuery = queryOptions({
  queryKey: ['orders', 'all'],
  queryFn: async ({ signal }) => {
    const { orders } = await call('listOrders', {}, { orElse: FAILED.fetchOrders, signal });
    return orders;
  },
  staleTime: 30_000,
});

export function useOrders() {
  return useQuery(ordersQuery);
}

/** The orders of one buyer, the newest first, deleted ones included. */
export function useBuyerOrders(buyerId: string) {
  return useQuery({
    queryKey: ['orders', 'of', buyerId],
    queryFn: async ({ signal }) => {
      const { orders } = await call(
        'listBuyerOrders',
        { params: { buyerId } },
        { orElse: FAILED.fetchOrders, signal },
      );
      return orders;
    },
    refetchInterval: FRESH_EVERY_MS,
  });
}

export function useCreateOrder() {
  return useAction(
    (body: Sent<'createOrder', 'body'>) => call('createOrder', { body }, { orElse: FAILED.createOrder }),
    { refreshes: AFFECTED },
  );
}

export function useDeleteOrder() {
  return useAction(
    (params: { buyerId: string; orderId: number }) =>
      call('deleteOrder', { params }, { orElse: FAILED.deleteOrder }),
    { refreshes: AFFECTED },
  );
}

export function useRestoreOrder() {
  return useAction(
    (buyerId: string) =>
      call('restoreLastDeletedOrder', { params: { buyerId } }, { orElse: FAILED.restoreOrder }),
    { refreshes: AFFECTED },
  );
}

export function useSaveComments() {
  return useAction(
    ({ orderId, comments }: { orderId: number; comments: string }) =>
      call(
        'updateOrderComments',
        { params: { orderId }, body: { comments } },
        { orElse: FAILED.updateComments },
      ),
    { refreshes: ['orders', 'audit'] },
  );
}
