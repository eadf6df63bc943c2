import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';

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
    const { orders } = await call('listOrders', {}, { fallbackText: FAILED.fetchOrders, signal });
    return orders;
  },
  staleTime: 30_000,
});

export function useOrders() {
  return useQuery(ordersQuery);
}

async function loadOrders(buyerId: string, signal?: AbortSignal): Promise<readonly Order[]> {
  const options = { fallbackText: FAILED.fetchOrders, ...(signal && { signal }) };
  return (await call('listBuyerOrders', { params: { buyerId } }, options)).orders;
}

/** An order as it is stored at this moment. */
export async function loadOrder(buyerId: string, orderId: number): Promise<Order> {
  const order = (await loadOrders(buyerId)).find(({ order_id }) => order_id === orderId);
  if (order === undefined) throw new Error(FAILED.fetchOrders);
  return order;
}

/** The orders of one buyer, the newest first, deleted ones included. */
export function useBuyerOrders(buyerId: string) {
  return useQuery({
    queryKey: ['orders', 'of', buyerId],
    queryFn: ({ signal }) => loadOrders(buyerId, signal),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export type OrderPreview = Answer<'previewOrder'>;

/** What an order would take of the pending leads at once. @param order undefined until it can be asked about */
export function useOrderPreview(order: Sent<'previewOrder', 'query'> | undefined) {
  return useQuery({
    queryKey: ['pending-leads', 'order-preview', order],
    queryFn: ({ signal }) =>
      order === undefined
        ? null
        : call('previewOrder', { query: order }, { fallbackText: FAILED.loadPendingLeads, signal }),
    enabled: order !== undefined,
    placeholderData: keepPreviousData,
  });
}

export const useCreateOrder = () => useApiMutation('createOrder', FAILED.createOrder, AFFECTED);

export const useDeleteOrder = () => useApiMutation('deleteOrder', FAILED.deleteOrder, AFFECTED);

export const useRestoreOrder = () => useApiMutation('restoreLastDeletedOrder', FAILED.restoreOrder, AFFECTED);

const WITH_LINK: readonly Resource[] = ['orders', 'buyers', 'lead', 'audit'];

export const useRenewLink = () => useApiMutation('renewOrderToken', FAILED.regenerateToken, WITH_LINK);

export const useSwitchOffLink = () => useApiMutation('switchOffOrderToken', FAILED.switchOffLink, WITH_LINK);

export const useSaveComments = () =>
  useApiMutation('updateOrderComments', FAILED.updateComments, ['orders', 'audit']);

/** The account of a buyer, as its page shows it. */
export function useStatement(buyerId: string) {
  return useQuery({
    queryKey: ['orders', 'statement', buyerId],
    queryFn: ({ signal }) =>
      call('getStatement', { params: { buyerId } }, { fallbackText: FAILED.loadData, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useSendStatement = () => useApiMutation('sendStatement', FAILED.sendStatement, ['audit']);

export const useSaveRenewal = () => useApiMutation('updateOrderRenewal', FAILED.updateOrder, AFFECTED);

export const useDecideReorder = () => useApiMutation('decideReorder', FAILED.updateOrder, AFFECTED);
