import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { polled } from '../../app/query-client';
import { apiQuery, call, pagesOf } from './query';

export type Webhook = Answer<'listWebhooks'>[number];
export type WebhookCall = Answer<'listWebhookCalls'>['calls'][number];

export const webhooksQuery = apiQuery(['webhooks'], 'listWebhooks', {});
/** Polled, because a receiver that is gone turns its webhook off. */
export const useWebhooks = () => useQuery({ ...webhooksQuery, refetchInterval: polled() });
export const loadWebhooks = () => webhooksQuery.queryFn();

/** The calls of a webhook, newest first, page by page. */
export function useWebhookCalls(webhookId: number) {
  return useInfiniteQuery({
    ...pagesOf(['webhooks', 'log', webhookId], (cursor, options) =>
      call('listWebhookCalls', { params: { webhookId }, query: { cursor } }, options),
    ),
    refetchInterval: polled(),
  });
}
