/** The secrets that sign webhooks: two at most, so that one can be replaced without a pause. */
import type { Context } from '#functions/data/context';
import type { SigningSecrets } from '#functions/data/sources/endpoints';
import { conflict, notFound } from '#functions/domain/common/errors';
import type { Cipher } from '#functions/keys/cipher';
import { KEY_SLOTS, type KeySlot } from '#shared/rules/constants';

export interface EndpointContext extends Context {
  readonly cipher: Pick<Cipher, 'encrypt'>;
}

/** @returns the new one in plain text @throws DomainError 409 if there are two */
export function withSecret({ cipher, runtime }: EndpointContext, secrets: SigningSecrets) {
  const slot = KEY_SLOTS.find((one) => secrets[one] === undefined);
  if (slot === undefined) throw conflict('two_secrets', 'There are already two secrets. Revoke one first.');
  // 32 random bytes in base64.
  const secret = `whsec_${Buffer.from(runtime.newToken(), 'base64url').toString('base64')}`;
  const sealed = { secret: cipher.encrypt(secret), created_at: runtime.now().toISOString() };
  return { slot, secret, secrets: { ...secrets, [slot]: sealed } };
}

/** @throws DomainError 404; 409 for the only one of a webhook */
export function withoutSecret(secrets: SigningSecrets, slot: KeySlot, isNeeded: boolean): SigningSecrets {
  const { [slot]: revoked, ...left } = secrets;
  if (revoked === undefined) throw notFound('Secret');
  if (isNeeded && Object.keys(left).length === 0)
    throw conflict('only_secret', 'Webhooks are signed with this secret. Create another one first.');
  return left;
}
