import type { PushoverCredential } from '#functions/data/administration/settings';
import type { Cipher } from '#functions/keys/cipher';
import type { Answer } from '#shared/contract/schemas';
import { SECRET_MASK } from '#shared/rules/constants';

/** Keys are masked except for their last four characters. */
export function credentialRow(
  credential: PushoverCredential,
  cipher: Pick<Cipher, 'decrypt'>,
): Answer<'listPushoverCredentials'>[number] {
  const masked = (key: PushoverCredential['user_key']) => {
    try {
      return `${SECRET_MASK}${cipher.decrypt(key).slice(-4)}`;
    } catch {
      return SECRET_MASK;
    }
  };
  return { ...credential, user_key: masked(credential.user_key), app_key: masked(credential.app_key) };
}
