import { createHash } from 'node:crypto';

/** SHA-256 of a token, ticket, code or key, in base64url: all that is stored of what is random enough not to be guessed. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
