/** Addresses of the web app that the functions hand out. */

/** The address of an order's list; `excel_link` in the API. */
export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}

/** Where a buyer confirms that it has erased a person. */
export function confirmationLinkOf(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/erasure/${token}`;
}

/** The address of an order's list; null while its link is switched off, or without an order. */
export function linkOf(publicBaseUrl: string, order: { readonly token: string } | undefined): string | null {
  return order === undefined || order.token === '' ? null : leadsLink(publicBaseUrl, order.token);
}
