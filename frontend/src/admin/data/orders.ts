import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { CALLS } from './calls';
import { call, polledQuery } from './query';

export type Order = Answer<'listOrders'>['orders'][number];

/** All orders of all buyers, for the filters. */
export const ordersQuery = queryOptions({
  queryKey: ['orders', 'all'],
  queryFn: async ({ signal }) => {
    const { orders } = await call('listOrders', {}, { signal });
    return orders;
  },
  staleTime: 30_000,
});

export const useOrders = () => useQuery(ordersQuery);

const ordersOf = (buyerId: string) =>
  polledQuery(['orders', 'of', buyerId], 'listBuyerOrders', { params: { buyerId } });

/** An order as it is stored now. */
export async function loadOrder(buyerId: string, orderId: number): Promise<Order> {
  const { orders } = await ordersOf(buyerId).queryFn();
  const order = orders.find(({ order_id }) => order_id === orderId);
  if (order === undefined) throw new Error(CALLS.listOrders[0]);
  return order;
}

/** The orders of one buyer, newest first, deleted ones included. */
export const useBuyerOrders = (buyerId: string) =>
  useQuery({ ...ordersOf(buyerId), select: ({ orders }) => orders });

export type OrderPreview = Answer<'previewOrder'>;

/**
 * How many pending leads an order would take at once.
 * @param order undefined until the form is complete
 */
export function useOrderPreview(order: Sent<'previewOrder', 'query'> | undefined) {
  return useQuery({
    queryKey: ['pending-leads', 'order-preview', order],
    queryFn: ({ signal }) =>
      order === undefined ? null : call('previewOrder', { query: order }, { signal }),
    enabled: order !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** The statement of a buyer, as its page shows it. */
export const useStatement = (buyerId: string) =>
  useQuery(polledQuery(['orders', 'statement', buyerId], 'getStatement', { params: { buyerId } }));
