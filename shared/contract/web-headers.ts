/** The HTTP headers of all pages and files, the same for CloudFront and for the local gateway. */

/**
 * Scripts are loaded only from our own files. Inline styles are allowed because Mantine sets its variables with them,
 * and because styles cannot run code.
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

/** The headers that CloudFront has no own setting for. */
export const CUSTOM_HEADERS = {
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** The path of the buyer's page; it is followed by the token. */
export const LINK_PATH = '/leads/';
/** Behind the address of the page: it opens with the statement. */
export const STATEMENT_QUERY = 'kontoauszug';

/** The path of the page about posting leads to a source; it is followed by the token. */
export const SPECIFICATION_PATH = '/specification/';

/** The path of the page on which a buyer unsubscribes from news; it is followed by the token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/';

/** The page on which an invited or reset admin chooses a password; the token follows behind a `#`. */
export const INVITATION_PATH = '/invitation';
/** The path of the page that shows everybody how long leads take. */
export const STATUS_PATH = '/status';

/** The API document as a page of the web app, although its path is among those of the API. */
export const API_DOCS_PATH = '/api/docs';

/** Additional headers of pages that no search engine may store: those behind a link, whose address is secret, and the status. */
export const LINK_HEADERS = { 'x-robots-tag': 'noindex, nofollow, noarchive' } as const;

/** The headers of every page and file, except those that require TLS. */
export const WEB_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY.join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...CUSTOM_HEADERS,
} as const;

/** The headers of the page or file at a path. */
export const pageHeaders = (path: string): Readonly<Record<string, string>> =>
  [LINK_PATH, SPECIFICATION_PATH, UNSUBSCRIBE_PATH].some((secret) => path.startsWith(secret)) ||
  path === STATUS_PATH
    ? { ...WEB_HEADERS, ...LINK_HEADERS }
    : WEB_HEADERS;

/** The header in which CloudFront passes the browser's `Accept-Encoding` to the API. */
export const ACCEPTED_ENCODING_HEADER = 'x-accepted-encoding';

/** The header in which CloudFront passes the browser's `If-None-Match` to the API. */
export const KNOWN_TAG_HEADER = 'x-known-tag';

/** The header in which CloudFront passes the `Authorization` of a source to the API. */
export const AUTHORIZATION_HEADER = 'x-authorization';

/** With 304, which has no body: the server's time as an ISO 8601 instant. */
export const SERVER_TIME_HEADER = 'server-time';
