/** CloudFront serves the admin build only with signed cookies, which the login sets. */
import { getSignedCookies } from '@aws-sdk/cloudfront-signer';

export const ADMIN_ASSETS_PATH = '/admin-assets';

/** As long as a session. */
const ADMIN_COOKIES_SECONDS = 12 * 60 * 60;

const ADMIN_COOKIES = ['CloudFront-Policy', 'CloudFront-Signature', 'CloudFront-Key-Pair-Id'] as const;
export type AdminCookies = Readonly<Record<(typeof ADMIN_COOKIES)[number], string>>;

export interface SiteGateKey {
  readonly keyPairId: string;
  /** PEM. */
  readonly privateKey: string;
}

/**
 * A canned policy would cover a single file. @param baseUrl without a trailing slash @throws Error for an invalid key
 */
export function signAdminCookies(key: SiteGateKey, baseUrl: string, now: Date): AdminCookies {
  const expires = Math.floor(now.getTime() / 1000) + ADMIN_COOKIES_SECONDS;
  const policy = JSON.stringify({
    Statement: [
      {
        Resource: `${baseUrl}${ADMIN_ASSETS_PATH}/*`,
        Condition: { DateLessThan: { 'AWS:EpochTime': expires } },
      },
    ],
  });
  const signed = getSignedCookies({ keyPairId: key.keyPairId, privateKey: key.privateKey, policy });
  return {
    'CloudFront-Policy': signed['CloudFront-Policy'] ?? '',
    'CloudFront-Signature': signed['CloudFront-Signature'],
    'CloudFront-Key-Pair-Id': signed['CloudFront-Key-Pair-Id'],
  };
}

const attributes = (secure: boolean) =>
  `Path=${ADMIN_ASSETS_PATH}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** @param secure false only on http://localhost */
export function adminCookieHeaders(cookies: AdminCookies, secure: boolean): string[] {
  return ADMIN_COOKIES.map(
    (name) => `${name}=${cookies[name]}; Max-Age=${ADMIN_COOKIES_SECONDS}; ${attributes(secure)}`,
  );
}

export function clearedAdminCookieHeaders(secure: boolean): string[] {
  return ADMIN_COOKIES.map((name) => `${name}=; Max-Age=0; ${attributes(secure)}`);
}
