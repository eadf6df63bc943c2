/** Calls with an API key, `lda_{256 random bits}{CRC-32}`. */
import type { ApiKey } from '#functions/data/administration/admin';
import * as apiKeyStore from '#functions/data/administration/api-key-store';
import type { Context } from '#functions/data/context';
import { limitAttempts } from '#functions/domain/common/attempts';
import { hasChecksum } from '#functions/domain/common/checked-key';
import { DomainError, forbidden } from '#functions/domain/common/errors';
import { secretHash } from '#functions/domain/common/secret-hash';
import type { EndpointId } from '#shared/contract/routes';
import { scopeOf } from '#shared/contract/scopes';

const KEY = /^lda_[0-9a-f]{72}$/;
const WRONG_KEYS = {
  most: 5,
  seconds: 15 * 60,
  message: 'Too many calls with a wrong API key. Please try again later.',
};
const USE_NOTED_EVERY_MS = 3_600_000;

/**
 * One read for a right key, even from an address that has sent wrong ones: many customers share the addresses of an automation service.
 * @throws DomainError 401 for a wrong key; 429 after five wrong ones within 15 minutes from the address
 */
export async function requireApiKey(context: Context, text: string, address: string): Promise<ApiKey> {
  const isComplete = KEY.test(text) && hasChecksum(text);
  const found = isComplete ? await apiKeyStore.byHash(context, secretHash(text)) : undefined;
  if (found !== undefined) return found;
  await limitAttempts(context, `key:${address}`, WRONG_KEYS);
  throw new DomainError('unauthenticated', 'invalid_key', 'This API key is unknown or was revoked');
}

/** @throws DomainError 403 `scope_required` */
export function requireScope(key: ApiKey, id: EndpointId): void {
  const scope = scopeOf(id);
  if (scope === undefined)
    throw forbidden('scope_required', 'This call is not open to API keys. It needs an admin who logs in.');
  if (!key.scopes.includes(scope)) throw forbidden('scope_required', `This API key lacks the scope ${scope}`);
}

export async function noteKeyUse(context: Context, key: ApiKey): Promise<void> {
  const now = context.runtime.now();
  const before = new Date(now.getTime() - USE_NOTED_EVERY_MS);
  if (key.used_at === undefined || new Date(key.used_at) <= before)
    await apiKeyStore.used(context, key, now, before);
}
