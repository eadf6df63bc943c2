import type { SigningSecrets } from '#functions/data/sources/endpoints';
import { KEY_SLOTS } from '#shared/rules/constants';

export const secretRows = (secrets: SigningSecrets) =>
  KEY_SLOTS.flatMap((slot) => {
    const secret = secrets[slot];
    return secret === undefined ? [] : [{ slot, created_at: secret.created_at }];
  });
