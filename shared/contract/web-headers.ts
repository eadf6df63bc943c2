/** What every page and file tells the browser: one policy for the distribution and for the local gateway. */

/**
 * Scripts come from our own files only. Styles may stand in the document because the component library sets its
 * variables there; a style cannot run.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
] as const;

/** Those that CloudFront has no setting of its own for. */
export const CUSTOM_HEADERS = {
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Where link pages are; the rest of the path is the secret. */
export const LINK_PATH = '/leads/';

/** The API's document as a page of the app, which stands among the calls. */
export const API_DOCS_PATH = '/api/docs';

/** What a link page tells besides: no search engine may keep its address, which is its key. */
export const LINK_HEADERS = { 'x-robots-tag': 'noindex, nofollow, noarchive' } as const;

/** All of them, except those that only make sense with TLS. */
export const WEB_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY.join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...CUSTOM_HEADERS,
} as const;

/** Those of the page or file at a path. */
export const pageHeaders = (path: string): Readonly<Record<string, string>> =>
  path.startsWith(LINK_PATH) ? { ...WEB_HEADERS, ...LINK_HEADERS } : WEB_HEADERS;

/** By which CloudFront tells the API what the browser said in `Accept-Encoding`. */
export const ACCEPTED_ENCODING_HEADER = 'x-accepted-encoding';
