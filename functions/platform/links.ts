/** Addresses of the web app that the functions hand out. */
import { UNSUBSCRIBE_PATH } from '#shared/contract/web-headers';

/** The address of an order's list; `excel_link` in the API. */
export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}

/** Where a buyer confirms that it has erased a person. */
export function confirmationLinkOf(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/erasure/${token}`;
}

/** The page on which a buyer unsubscribes from one kind of news, and the address that mail programs call for it (RFC 8058). */
export const unsubscribeLinks = (publicBaseUrl: string, token: string) => ({
  page: `${publicBaseUrl}${UNSUBSCRIBE_PATH}${token}`,
  oneClick: `${publicBaseUrl}/api/unsubscriptions/${token}`,
});

/** The address of an order's list; null while its link is switched off, or without an order. */
export function linkOf(publicBaseUrl: string, order: { readonly token: string } | undefined): string | null {
  return order === undefined || order.token === '' ? null : leadsLink(publicBaseUrl, order.token);
}
