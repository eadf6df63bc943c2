/** Addresses of the web app that the functions hand out. */

/** The address of an order's list; `excel_link` in the API. */
export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}
