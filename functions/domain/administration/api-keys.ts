import type { ApiKey, Session } from '#functions/data/administration/admin';
import * as apiKeyStore from '#functions/data/administration/api-key-store';
import type { Context } from '#functions/data/context';
import { manageAccess, requireReauthentication } from '#functions/domain/administration/admin-access';
import { auditEntry } from '#functions/domain/common/audit';
import { randomDigits, withChecksum } from '#functions/domain/common/checked-key';
import { conflict, notFound } from '#functions/domain/common/errors';
import { secretHash } from '#functions/domain/common/secret-hash';
import { MAX_API_KEYS, type Scope } from '#shared/contract/scopes';

const SHOWN_CHARACTERS = 'lda_123456'.length;

/** By its name, because admins never see the ID. */
const aboutKey = ({ name }: ApiKey) => ({ entity: 'key', entityId: name }) as const;
const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** @returns the key in plain text, which is not shown again @throws DomainError 403 without reauthentication, 409 for a used name or too many keys */
export async function createApiKey(
  context: Context,
  actor: Session,
  { name, scopes }: { readonly name: string; readonly scopes: readonly Scope[] },
): Promise<{ readonly key: ApiKey; readonly text: string }> {
  requireReauthentication(context, actor);
  const { runtime } = context;
  return manageAccess(context, actor, async () => {
    const all = await apiKeyStore.all(context);
    if (all.some((one) => sameName(one.name, name)))
      throw conflict('key_exists', `There is already a key with the name ${name}`);
    if (all.length >= MAX_API_KEYS)
      throw conflict('too_many_keys', `There are ${MAX_API_KEYS} keys. Revoke one first.`);
    const text = withChecksum(`lda_${randomDigits(runtime)}`);
    const key: ApiKey = {
      hash: secretHash(text),
      id: runtime.newId(),
      name,
      scopes: [...scopes],
      prefix: text.slice(0, SHOWN_CHARACTERS),
      created_by: actor.username,
      created_at: runtime.now().toISOString(),
    };
    const after = { key: key.prefix, scopes: scopes.join(', ') };
    const entry = auditEntry(context, {
      who: actor.username,
      action: 'key_created',
      ...aboutKey(key),
      after,
    });
    return { writes: [apiKeyStore.created(key), entry], answer: { key, text } };
  });
}

/** @returns its name @throws DomainError 404 */
export async function revokeApiKey(context: Context, actor: Session, id: string): Promise<string> {
  return manageAccess(context, actor, async () => {
    const key = (await apiKeyStore.all(context)).find((one) => one.id === id);
    if (key === undefined) throw notFound('Key');
    const before = { key: key.prefix, scopes: key.scopes.join(', ') };
    const entry = auditEntry(context, {
      who: actor.username,
      action: 'key_revoked',
      ...aboutKey(key),
      before,
    });
    return { writes: [apiKeyStore.revoked(key), entry], answer: key.name };
  });
}
