/** The HTTP headers and paths of pages, the same in CloudFront and the local gateway. */
import type { ConsentLink } from '#shared/rules/consent';

/** Inline styles are allowed because Mantine sets its variables with them, and styles cannot run code. */
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

/** CloudFront has no separate setting for these. */
export const CUSTOM_HEADERS = {
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** The token follows. */
export const LINK_PATH = '/leads/';
export const STATEMENT_QUERY = 'kontoauszug';

export const SPECIFICATION_PATH = '/specification/';

export const UNSUBSCRIBE_PATH = '/unsubscribe/';
export const CONSENT_LINK_PATHS: Readonly<Record<ConsentLink, string>> = {
  withdraw: '/widerruf/',
  confirm: '/bestaetigung/',
};

/** The token follows after `#`. */
export const INVITATION_PATH = '/invitation';
export const STATUS_PATH = '/status';
/** Where anyone checks the proof of a consent. */
export const PROOF_PATH = '/nachweis';

/** A page of the web app, although its path begins like the API's. */
export const API_DOCS_PATH = '/api/docs';

/** For pages that search engines must not store. */
export const LINK_HEADERS = { 'x-robots-tag': 'noindex, nofollow, noarchive' } as const;

export const WEB_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY.join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...CUSTOM_HEADERS,
} as const;

export const pageHeaders = (path: string): Readonly<Record<string, string>> =>
  [LINK_PATH, SPECIFICATION_PATH, UNSUBSCRIBE_PATH, ...Object.values(CONSENT_LINK_PATHS)].some((secret) =>
    path.startsWith(secret),
  ) || path === STATUS_PATH
    ? { ...WEB_HEADERS, ...LINK_HEADERS }
    : WEB_HEADERS;

/** CloudFront passes `Accept-Encoding` to the API in this header, and passes two more headers the same way. */
export const ACCEPTED_ENCODING_HEADER = 'x-accepted-encoding';

export const KNOWN_TAG_HEADER = 'x-known-tag';

export const AUTHORIZATION_HEADER = 'x-authorization';

/** With 304, which has no body: an ISO 8601 instant. */
export const SERVER_TIME_HEADER = 'server-time';
