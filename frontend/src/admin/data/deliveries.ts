import { skipToken, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import type { DeliveryStatus } from '#shared/rules/constants';
import { type Input } from '../../app/api';
import { polled } from '../../app/query-client';

import { useWrite } from './mutation';
import { call, pagesOf } from './query';

export type Delivery = Answer<'listDeliveries'>['deliveries'][number];
export type TestOutcome = Answer<'sendTestLead'>;

/** Deliveries, newest first, page by page. Without buyer and status: the failed and retrying ones. */
export function useDeliveries(buyerId: string, status: DeliveryStatus | undefined) {
  return useInfiniteQuery({
    ...pagesOf(['deliveries', buyerId, status], (cursor, options) =>
      call('listDeliveries', { query: { buyer_id: buyerId, status, cursor } }, options),
    ),
    refetchInterval: polled(),
  });
}

export type ChannelTrial = Answer<'tryChannel'>;

/** Test leads are not stored, so only the sending page knows the result. */
const REACHED_BUYER = ['reached-buyer'] as const;

export function useSendTestLead() {
  const queries = useQueryClient();
  return useWrite(
    'sendTestLead',
    (input: Input<'sendTestLead'>) => call('sendTestLead', input),
    ({ outcome }, { params }) => {
      if (outcome === 'delivered') queries.setQueryData<string>(REACHED_BUYER, params.buyerId);
    },
  );
}

/** The buyer that a test lead reached last. */
export function useReachedBuyer(): string | undefined {
  return useQuery<string>({ queryKey: REACHED_BUYER, queryFn: skipToken }).data;
}
