/** Addresses of the web app that the functions hand out. */

/** Where an order's leads are shown; what the API calls `excel_link`. */
export function leadsLink(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/leads/${token}`;
}
