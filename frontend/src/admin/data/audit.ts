import { useInfiniteQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call, pagesOf } from './query';

export type AuditEntry = Answer<'listAudit'>['entries'][number];
type AuditEntity = NonNullable<Sent<'listAudit', 'query'>['entity']>;

type AuditKind = NonNullable<Sent<'listAudit', 'query'>['kind']>;

/** The audit trail, newest first, page by page. */
export function useAudit(kind: AuditKind, entity: AuditEntity | undefined, entityId: string) {
  const query = { kind, entity, entity_id: entityId };
  return useInfiniteQuery(
    pagesOf(['audit', query], (cursor, options) =>
      call('listAudit', { query: { ...query, cursor } }, options),
    ),
  );
}
