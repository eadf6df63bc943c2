/** The public page about posting leads to a source. Anybody with its link can read it. */
import type { Context, DataContext } from '#functions/data/context';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { aboutSource, auditEntry } from '#functions/domain/common/audit';
import { notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { requireSource } from '#functions/domain/sources/sources';

export function regenerateSpecification(context: Context, who: string, id: number): Promise<Source> {
  return replaceToken(context, who, id, context.runtime.newToken());
}

export function switchOffSpecification(context: Context, who: string, id: number): Promise<Source> {
  return replaceToken(context, who, id, undefined);
}

export async function sourceOfSpecification(context: DataContext, token: string): Promise<Source> {
  const source = await sourceStore.byToken(context, token);
  if (source === undefined) throw notFound('Specification');
  return source;
}

async function replaceToken(
  context: Context,
  who: string,
  id: number,
  token: string | undefined,
): Promise<Source> {
  return retryOnConflict(context.runtime, async () => {
    const { specification_token: expected, ...source } = await requireSource(context, id);
    if (expected === undefined && token === undefined) return source;
    return committed(context, { ...source, specification_token: token }, [
      ...sourceStore.tokenReplaced({ ...source, specification_token: expected }, token),
      auditEntry(context, {
        who,
        action: token === undefined ? 'specification_switched_off' : 'specification_renewed',
        ...aboutSource(source),
        before: { link_active: expected !== undefined },
        after: { link_active: token !== undefined },
      }),
    ]);
  });
}
