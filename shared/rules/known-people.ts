/** How browser and server hash a contact, so that the server recognises it without the plain value. */
import { hashOf } from '#shared/rules/consent-proof';

/** Of one call; the server marks them within a fraction of a second. */
export const MAX_KNOWN_HASHES = 2000;
export const MAX_KNOWN_PEOPLE = 500_000;

/** @param contact `phone` with the number in E.164, or `email` with the address in lower case */
export const saltedHash = (salt: string, contact: `phone ${string}` | `email ${string}`): Promise<string> =>
  hashOf(`${salt} ${contact}`);
