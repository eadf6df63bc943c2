import { CONSENT_LINK_PATHS, UNSUBSCRIBE_PATH } from '#shared/contract/web-headers';
import type { ConsentLink } from '#shared/rules/consent';

export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}

export function confirmationLinkOf(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/erasure/${token}`;
}

/** A person's own, to act on the consent. */
export const consentLinkOf = (publicBaseUrl: string, token: string, purpose: ConsentLink): string =>
  `${publicBaseUrl}${CONSENT_LINK_PATHS[purpose]}${token}`;

/** `oneClick` is called by mail programs (RFC 8058). */
export const unsubscribeLinks = (publicBaseUrl: string, token: string) => ({
  page: `${publicBaseUrl}${UNSUBSCRIBE_PATH}${token}`,
  oneClick: `${publicBaseUrl}/api/unsubscriptions/${token}`,
});

/** Null while the link is off, or without an order. */
export function linkOf(publicBaseUrl: string, order: { readonly token: string } | undefined): string | null {
  return order === undefined || order.token === '' ? null : leadsLink(publicBaseUrl, order.token);
}
