import { useInfiniteQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';

export type AuditEntry = Answer<'listAudit'>['entries'][number];
type AuditEntity = NonNullable<Sent<'listAudit', 'query'>['entity']>;

/** The audit trail, the newest first, page by page. */
export function useAudit(entity: AuditEntity | undefined, entityId: string) {
  return useInfiniteQuery({
    queryKey: ['audit', entity, entityId],
    queryFn: ({ signal, pageParam }) =>
      call(
        'listAudit',
        {
          query: {
            ...(entity && { entity }),
            ...(entityId && { entity_id: entityId }),
            ...(pageParam && { cursor: pageParam }),
          },
        },
        { fallbackText: FAILED.loadAudit, signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}
