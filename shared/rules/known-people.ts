/** How browser and server hash a contact, so that the server recognises it without the plain value. */

/** Of one call; the server marks them within a fraction of a second. */
export const MAX_KNOWN_HASHES = 2000;
export const MAX_KNOWN_PEOPLE = 500_000;

/**
 * SHA-256 of this is the salted hash.
 * @param contact the phone number in E.164, the e-mail address in lower case, or the hash of a file
 */
export const saltedText = (salt: string, kind: 'phone' | 'email' | 'file', contact: string) =>
  `${salt} ${kind} ${contact}`;
