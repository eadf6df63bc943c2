/** The headers of every answer that a browser shows: one policy for the distribution and for the local gateway. */

/** Styles inline, because the component library sets some on its elements; nothing else from anywhere else. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const WEB_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Paths that no search engine may keep: whoever has such a link sees people's data. */
export const UNLISTED_PREFIX = '/leads/';
export const UNLISTED_HEADERS = { 'x-robots-tag': 'noindex, nofollow' } as const;
