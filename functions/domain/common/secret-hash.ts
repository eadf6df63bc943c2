import { createHash } from 'node:crypto';

/** SHA-256 in base64url, for tokens, tickets, codes and keys that are too random to be guessed. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
