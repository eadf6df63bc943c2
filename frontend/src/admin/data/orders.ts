import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { DONE, FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';
import { apiQuery } from './query';

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

const ordersOf = (buyerId: string) =>
  apiQuery(['orders', 'of', buyerId], 'listBuyerOrders', { params: { buyerId } }, FAILED.fetchOrders);

/** An order as it is stored at this moment. */
export async function loadOrder(buyerId: string, orderId: number): Promise<Order> {
  const { orders } = await ordersOf(buyerId).queryFn();
  const order = orders.find(({ order_id }) => order_id === orderId);
  if (order === undefined) throw new Error(FAILED.fetchOrders);
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
      order === undefined
        ? null
        : call('previewOrder', { query: order }, { fallbackText: FAILED.loadPendingLeads, signal }),
    enabled: order !== undefined,
    placeholderData: keepPreviousData,
  });
}

export const useCreateOrder = () =>
  useApiMutation('createOrder', FAILED.createOrder, AFFECTED, ({ order }) =>
    DONE.orderCreated(order.order_id),
  );

export const useDeleteOrder = () =>
  useApiMutation('deleteOrder', FAILED.deleteOrder, AFFECTED, (_, { params }) =>
    DONE.orderDeleted(params.orderId),
  );

export const useRestoreOrder = () =>
  useApiMutation('restoreLastDeletedOrder', FAILED.restoreOrder, AFFECTED, ({ order }) =>
    DONE.orderRestored(order.order_id),
  );

const WITH_LINK: readonly Resource[] = ['orders', 'buyers', 'lead', 'audit'];

export const useRenewLink = () => useApiMutation('renewOrderToken', FAILED.regenerateToken, WITH_LINK);

export const useSwitchOffLink = () =>
  useApiMutation('switchOffOrderToken', FAILED.switchOffLink, WITH_LINK, (_, { params }) =>
    DONE.linkSwitchedOff(params.orderId),
  );

export const useSaveComments = () =>
  useApiMutation('updateOrderComments', FAILED.updateComments, ['orders', 'audit'], DONE.commentsSaved);

/** The account of a buyer, as its page shows it. */
export function useStatement(buyerId: string) {
  return useQuery({
    ...apiQuery(['orders', 'statement', buyerId], 'getStatement', { params: { buyerId } }, FAILED.loadData),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export const useSendStatement = () =>
  useApiMutation('sendStatement', FAILED.sendStatement, ['audit'], ({ email }) => DONE.statementSent(email));

export const useSaveRenewal = () =>
  useApiMutation('updateOrderRenewal', FAILED.updateOrder, AFFECTED, DONE.renewalSaved);

export const useDecideReorder = () =>
  useApiMutation('decideReorder', FAILED.updateOrder, AFFECTED, ({ next }, { params, body }) => {
    if (next !== null) return DONE.orderCreated(next.order_id);
    return body.decision === 'confirmed' ? DONE.reorderConfirmed(params.orderId) : DONE.reorderDeclined;
  });
