import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery, call } from './query';

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
    const { orders } = await call('listOrders', {}, { signal });
    return orders;
  },
  staleTime: 30_000,
});

export function useOrders() {
  return useQuery(ordersQuery);
}

const ordersOf = (buyerId: string) =>
  apiQuery(['orders', 'of', buyerId], 'listBuyerOrders', { params: { buyerId } });

/** An order as it is stored at this moment. */
export async function loadOrder(buyerId: string, orderId: number): Promise<Order> {
  const { orders } = await ordersOf(buyerId).queryFn();
  const order = orders.find(({ order_id }) => order_id === orderId);
  if (order === undefined) throw new Error(FAILED.listOrders);
  return order;
}

/** The orders of one buyer, the newest first, deleted ones included. */
export function useBuyerOrders(buyerId: string) {
  return useQuery({
    ...ordersOf(buyerId),
    refetchInterval: REFETCH_INTERVAL_MS,
    select: ({ orders }) => orders,
  });
}

export type OrderPreview = Answer<'previewOrder'>;

/** What an order would take of the pending leads at once. @param order undefined until it can be asked about */
export function useOrderPreview(order: Sent<'previewOrder', 'query'> | undefined) {
  return useQuery({
    queryKey: ['pending-leads', 'order-preview', order],
    queryFn: ({ signal }) =>
      order === undefined ? null : call('previewOrder', { query: order }, { signal }),
    enabled: order !== undefined,
    placeholderData: keepPreviousData,
  });
}

export const useCreateOrder = () => useApiMutation('createOrder', AFFECTED);

export const useDeleteOrder = () => useApiMutation('deleteOrder', AFFECTED);

export const useRestoreOrder = () => useApiMutation('restoreLastDeletedOrder', AFFECTED);

const WITH_LINK: readonly Resource[] = ['orders', 'buyers', 'lead', 'audit'];

export const useRenewLink = () => useApiMutation('renewOrderToken', WITH_LINK);

export const useSwitchOffLink = () => useApiMutation('switchOffOrderToken', WITH_LINK);

export const useSaveComments = () => useApiMutation('updateOrderComments', ['orders', 'audit']);

/** The account of a buyer, as its page shows it. */
export function useStatement(buyerId: string) {
  return useQuery({
    ...apiQuery(['orders', 'statement', buyerId], 'getStatement', { params: { buyerId } }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useSendStatement = () => useApiMutation('sendStatement', ['audit']);

export const useSaveRenewal = () => useApiMutation('updateOrderRenewal', AFFECTED);

export const useDecideReorder = () => useApiMutation('decideReorder', AFFECTED);
