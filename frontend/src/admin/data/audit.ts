import { useInfiniteQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';

export type AuditEntry = Answer<'listAudit'>['entries'][number];
type AuditEntity = NonNullable<Sent<'listAudit', 'query'>['entity']>;

type AuditKind = NonNullable<Sent<'listAudit', 'query'>['kind']>;

/** The audit trail, the newest first, page by page. */
export function useAudit(kind: AuditKind, entity: AuditEntity | undefined, entityId: string) {
  return useInfiniteQuery({
    queryKey: ['audit', kind, entity, entityId],
    queryFn: ({ signal, pageParam }) =>
      call(
        'listAudit',
        {
          query: {
            kind,
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
