/**
 * All calls of the API, as plain data.
 *
 * The API Gateway routes and their functions, the router of the local server, the handler maps (a missing handler does
 * not compile), the typed client of the frontend and the OpenAPI document are derived from this table. It contains no
 * schemas, so that the browser can import it without the validation library; they are in `schemas.ts` by the same ids,
 * and the compiler checks that none is missing.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

/**
 * Who may call: `public` everybody; `admin` callers with a valid session; `link` callers with the token in the path or
 * query; `admin-or-link` both (the handler decides what each may see); `source` callers with a key of a source.
 */
export type Access = 'public' | 'admin' | 'link' | 'admin-or-link' | 'source';

/** The API functions; one Lambda each, in `functions/api/<name>`. */
export const API_FUNCTIONS = [
  'auth',
  'buyers',
  'claims',
  'deliveries',
  'insights',
  'intake',
  'leads',
  'leads-view',
  'meta',
  'orders',
  'people',
  'pending-leads',
  'settings',
  'sources',
] as const;
export type ApiFunction = (typeof API_FUNCTIONS)[number];

/** The function that answers calls which are none of the routes: with 404, or 405 where the path takes other methods. */
export const UNROUTED_FUNCTION = 'meta' satisfies ApiFunction;
/** API Gateway's name for the route of such calls. */
export const UNROUTED_KEY = '$default';

export interface Route {
  readonly method: Method;
  /** With `{name}` for parameters, as in API Gateway. Static segments take precedence over parameters. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly fn: ApiFunction;
  /** What the call does, in one line for the API document. The build of the web app leaves it out. */
  readonly summary: string;
  /** Of a successful answer; 200 where it says nothing. 204 has no body. */
  readonly status?: 202 | 204;
}

export const routes = {
  // Sessions
  checkAuth: {
    method: 'GET',
    path: '/api/check-auth',
    access: 'public',
    fn: 'auth',
    summary: 'Tell whether there is a session, and whose',
  },
  login: {
    method: 'POST',
    path: '/api/login',
    access: 'public',
    fn: 'auth',
    summary: 'Open a session',
  },
  beginPasskeyLogin: {
    method: 'POST',
    path: '/api/login/passkey-options',
    access: 'public',
    fn: 'auth',
    summary: 'Ask for what a passkey must sign to log in',
  },
  passkeyLogin: {
    method: 'POST',
    path: '/api/login/passkey',
    access: 'public',
    fn: 'auth',
    summary: 'Open a session by a passkey alone',
  },
  finishLogin: {
    method: 'POST',
    path: '/api/login/second-factor',
    access: 'public',
    fn: 'auth',
    summary: 'Open a session by a passkey or a recovery code after the password',
  },
  logout: {
    method: 'GET',
    path: '/api/logout',
    access: 'public',
    fn: 'auth',
    summary: 'End the session',
  },
  viewInvitation: {
    method: 'POST',
    path: '/api/join/view',
    access: 'public',
    fn: 'auth',
    summary: 'Tell whom the link of a new or reset admin is for',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/join',
    access: 'public',
    fn: 'auth',
    summary: 'Choose a password by a link, which works once, and open a session',
  },
  changePassword: {
    method: 'PUT',
    path: '/api/account/password',
    access: 'admin',
    fn: 'auth',
    summary: 'Change the own password and end all other own sessions',
  },
  proveAdmin: {
    method: 'POST',
    path: '/api/account/proof',
    access: 'admin',
    fn: 'auth',
    summary: 'Confirm who uses the session, before what asks for it',
  },

  beginProof: {
    method: 'POST',
    path: '/api/account/proof-options',
    access: 'admin',
    fn: 'auth',
    summary: 'Ask for what a passkey must sign to confirm who uses the session',
  },
  listPasskeys: {
    method: 'GET',
    path: '/api/account/passkeys',
    access: 'admin',
    fn: 'auth',
    summary: 'List the own passkeys, and how many recovery codes are left',
  },
  beginPasskey: {
    method: 'POST',
    path: '/api/account/passkey-options',
    access: 'admin',
    fn: 'auth',
    summary: 'Ask for what a new passkey must sign',
  },
  addPasskey: {
    method: 'POST',
    path: '/api/account/passkeys',
    access: 'admin',
    fn: 'auth',
    summary: 'Register a passkey; recovery codes come with the first one',
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/account/passkeys/{passkeyId}',
    access: 'admin',
    fn: 'auth',
    summary: 'Remove an own passkey',
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/api/account/recovery-codes',
    access: 'admin',
    fn: 'auth',
    summary: 'Make new recovery codes, which are shown this once; the old ones end',
  },
  demandPasskeys: {
    method: 'PUT',
    path: '/api/passkey-demand',
    access: 'admin',
    fn: 'auth',
    summary: 'Demand a passkey of every admin, or not any more',
  },

  // Admins
  listAdmins: {
    method: 'GET',
    path: '/api/admins',
    access: 'admin',
    fn: 'auth',
    summary: 'List the admins and the links by which others may become one',
  },
  inviteAdmin: {
    method: 'POST',
    path: '/api/invitations',
    access: 'admin',
    fn: 'auth',
    summary: 'Make a link by which somebody becomes an admin',
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/invitations/{invitationId}',
    access: 'admin',
    fn: 'auth',
    summary: 'End a link before it is used',
  },
  resetAdmin: {
    method: 'POST',
    path: '/api/admins/{username}/reset',
    access: 'admin',
    fn: 'auth',
    summary: 'End all access of another admin and make a link for a new password',
  },
  removeAdmin: {
    method: 'DELETE',
    path: '/api/admins/{username}',
    access: 'admin',
    fn: 'auth',
    summary: 'Remove an admin; its sessions end at once',
  },
  listSessions: {
    method: 'GET',
    path: '/api/admins/{username}/sessions',
    access: 'admin',
    fn: 'auth',
    summary: 'List the open sessions of an admin',
  },
  endSession: {
    method: 'DELETE',
    path: '/api/admins/{username}/sessions/{sessionId}',
    access: 'admin',
    fn: 'auth',
    summary: 'End a session of an admin',
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/admins/{username}/sessions',
    access: 'admin',
    fn: 'auth',
    summary: 'End all sessions of an admin but the one that calls',
  },

  // Dashboard and buyers
  getDashboardStats: {
    method: 'GET',
    path: '/api/admin/dashboard-stats',
    access: 'admin',
    fn: 'insights',
    summary: 'Read the figures of the dashboard',
  },
  getDashboardInitialData: {
    method: 'GET',
    path: '/api/admin/dashboard-initial-data',
    access: 'admin',
    fn: 'insights',
    summary: 'Read all that the dashboard shows first',
  },
  listBuyers: {
    method: 'GET',
    path: '/api/buyers',
    access: 'admin',
    fn: 'buyers',
    summary: 'List all buyers, each with its open or latest order',
  },
  listActiveBuyers: {
    method: 'GET',
    path: '/api/buyers/active',
    access: 'admin',
    fn: 'buyers',
    summary: 'List the buyers that are switched on',
  },
  createBuyer: {
    method: 'POST',
    path: '/api/buyers',
    access: 'admin',
    fn: 'buyers',
    summary: 'Add a buyer',
  },
  getBuyer: {
    method: 'GET',
    path: '/api/buyers/{buyerId}',
    access: 'admin',
    fn: 'buyers',
    summary: 'Read a buyer',
  },
  updateBuyer: {
    method: 'PUT',
    path: '/api/buyers/{buyerId}',
    access: 'admin',
    fn: 'buyers',
    summary: 'Change, rename, pause or resume a buyer',
  },
  deleteBuyer: {
    method: 'PUT',
    path: '/api/buyers/{buyerId}/delete',
    access: 'admin',
    fn: 'buyers',
    summary: 'Delete a buyer and, if asked, its links; its orders and leads stay',
  },
  changeWeights: {
    method: 'PUT',
    path: '/api/buyer-weights',
    access: 'admin',
    fn: 'buyers',
    summary: 'Change the probabilities of several buyers at once',
  },
  regenerateToken: {
    method: 'PUT',
    path: '/api/buyers/{buyerId}/token',
    access: 'admin',
    fn: 'buyers',
    summary: 'Give the buyer’s order a new link and end the old one',
  },
  getBalance: {
    method: 'GET',
    path: '/api/lead-claims/balance/{buyerId}',
    access: 'admin',
    fn: 'buyers',
    summary: 'Read how many replacements a buyer has in its balance',
  },

  // Orders
  listOrders: {
    method: 'GET',
    path: '/api/admin/orders',
    access: 'admin',
    fn: 'orders',
    summary: 'List all orders',
  },
  listBuyerOrders: {
    method: 'GET',
    path: '/api/admin/orders/{buyerId}',
    access: 'admin',
    fn: 'orders',
    summary: 'List the orders of a buyer',
  },
  createOrder: {
    method: 'POST',
    path: '/api/admin',
    access: 'admin',
    fn: 'orders',
    summary: 'Open an order for a buyer',
  },
  previewOrder: {
    method: 'GET',
    path: '/api/admin/order-preview',
    access: 'admin',
    fn: 'orders',
    summary: 'Tell how many pending leads an order would take at once; nothing is changed',
  },
  updateOrderLimit: {
    method: 'PUT',
    path: '/api/admin/{buyerId}',
    access: 'admin',
    fn: 'orders',
    summary: 'Change the lead limit of a buyer’s order',
  },
  deleteOrder: {
    method: 'PUT',
    path: '/api/admin/{buyerId}/delete-order/{orderId}',
    access: 'admin',
    fn: 'orders',
    summary: 'Delete an order; its leads stay',
  },
  restoreLastDeletedOrder: {
    method: 'PUT',
    path: '/api/admin/{buyerId}/restore-last-deleted-order',
    access: 'admin',
    fn: 'orders',
    summary: 'Bring back the order of a buyer that was deleted last',
  },
  renewOrderToken: {
    method: 'PUT',
    path: '/api/admin/orders/{orderId}/token',
    access: 'admin',
    fn: 'orders',
    summary: 'Give an order a new link and end the old one',
  },
  switchOffOrderToken: {
    method: 'DELETE',
    path: '/api/admin/orders/{orderId}/token',
    access: 'admin',
    fn: 'orders',
    summary: 'Switch the link of an order off',
  },
  updateOrderComments: {
    method: 'PUT',
    path: '/api/admin/orders/{orderId}/comments',
    access: 'admin',
    fn: 'orders',
    summary: 'Replace the comments on an order',
  },

  // Pending leads
  listPendingLeads: {
    method: 'GET',
    path: '/api/ineligible-leads',
    access: 'admin',
    fn: 'pending-leads',
    summary: 'List the leads that wait for a buyer',
  },
  discardPendingLead: {
    method: 'DELETE',
    path: '/api/ineligible-leads/{leadId}',
    access: 'admin',
    fn: 'pending-leads',
    summary: 'Discard a pending lead',
  },
  assignPendingLead: {
    method: 'POST',
    path: '/api/ineligible-leads/assign/{leadId}',
    access: 'admin',
    fn: 'pending-leads',
    summary: 'Assign a pending lead to a buyer, edited if wanted',
  },
  distributePendingLead: {
    method: 'POST',
    path: '/api/ineligible-leads/distribute/{leadId}',
    access: 'admin',
    fn: 'pending-leads',
    summary: 'Distribute a pending lead again by the share rule',
  },
  exportPendingLeads: {
    method: 'GET',
    path: '/api/ineligible-leads/export/{format}',
    access: 'admin',
    fn: 'pending-leads',
    summary: 'Download the pending leads',
  },

  // Leads
  createLead: {
    method: 'POST',
    path: '/api/leads',
    access: 'admin',
    fn: 'leads',
    summary: 'Take in a lead and assign it to a buyer',
  },
  getLead: {
    method: 'GET',
    path: '/api/admin/leads/{leadId}',
    access: 'admin',
    fn: 'leads',
    summary: 'Read a lead with its decision and its deliveries',
  },
  updateLead: {
    method: 'PUT',
    path: '/api/admin/leads/{leadId}',
    access: 'admin',
    fn: 'leads',
    summary: 'Change the data of a lead',
  },
  deleteLead: {
    method: 'DELETE',
    path: '/api/admin/leads/{leadId}',
    access: 'admin',
    fn: 'leads',
    summary: 'Delete an assigned lead; its place is free again unless its claim was approved',
  },

  // Sources and their intake
  listSources: {
    method: 'GET',
    path: '/api/sources',
    access: 'admin',
    fn: 'sources',
    summary: 'List the sources that leads come from',
  },
  createSource: {
    method: 'POST',
    path: '/api/sources',
    access: 'admin',
    fn: 'sources',
    summary: 'Add a source, in test mode',
  },
  updateSource: {
    method: 'PUT',
    path: '/api/sources/{sourceId}',
    access: 'admin',
    fn: 'sources',
    summary: 'Change, pause or open a source',
  },
  createSourceKey: {
    method: 'POST',
    path: '/api/sources/{sourceId}/keys',
    access: 'admin',
    fn: 'sources',
    summary: 'Give a source a key, which is shown this once; it has two at most',
  },
  revokeSourceKey: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/keys/{slot}',
    access: 'admin',
    fn: 'sources',
    summary: 'Revoke a key of a source',
  },
  renewSpecification: {
    method: 'PUT',
    path: '/api/sources/{sourceId}/specification',
    access: 'admin',
    fn: 'sources',
    summary: 'Give the specification page of a source a new address and end the old one',
  },
  switchOffSpecification: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/specification',
    access: 'admin',
    fn: 'sources',
    summary: 'Switch the specification page of a source off',
  },
  viewSpecification: {
    method: 'GET',
    path: '/api/specifications/{token}',
    access: 'link',
    fn: 'sources',
    summary: 'Read how leads of a source are posted, for whoever has its link',
  },
  getIntakeOpenApi: {
    method: 'GET',
    path: '/api/specifications/{token}/openapi.json',
    access: 'link',
    fn: 'sources',
    summary: 'Read the calls of a source as an OpenAPI document',
  },
  getEndpoints: {
    method: 'GET',
    path: '/api/sources/{sourceId}/endpoints',
    access: 'admin',
    fn: 'sources',
    summary: 'Read where a source is called back',
  },
  updateEndpoints: {
    method: 'PUT',
    path: '/api/sources/{sourceId}/endpoints',
    access: 'admin',
    fn: 'sources',
    summary: 'Set where a source is called back; the first webhook gets a secret',
  },
  createSigningSecret: {
    method: 'POST',
    path: '/api/sources/{sourceId}/endpoints/secrets',
    access: 'admin',
    fn: 'sources',
    summary: 'Make another secret that signs webhooks, which is shown this once',
  },
  revokeSigningSecret: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/endpoints/secrets/{slot}',
    access: 'admin',
    fn: 'sources',
    summary: 'Revoke a secret that signs webhooks',
  },
  listCallbacks: {
    method: 'GET',
    path: '/api/sources/{sourceId}/callbacks',
    access: 'admin',
    fn: 'deliveries',
    summary: 'List what a source was told of its leads, the newest first',
  },
  sendTestCallback: {
    method: 'POST',
    path: '/api/sources/{sourceId}/test-callback/{endpoint}',
    access: 'admin',
    fn: 'deliveries',
    summary: 'Send a made-up event to an endpoint of a source',
  },
  resendCallback: {
    method: 'POST',
    path: '/api/admin/leads/{leadId}/callbacks/{callbackId}/resend',
    access: 'admin',
    fn: 'deliveries',
    summary: 'Send a callback again, under the same id',
  },
  postIntake: {
    method: 'POST',
    path: '/api/intake',
    access: 'source',
    fn: 'intake',
    summary: 'Take in one lead or up to 500 of a source',
    status: 202,
  },
  importLeads: {
    method: 'POST',
    path: '/api/sources/{sourceId}/leads',
    access: 'admin',
    fn: 'intake',
    summary: 'Take in leads of a source from a file, or tell what would happen to them',
  },
  preflightIntake: {
    method: 'OPTIONS',
    path: '/api/intake',
    access: 'public',
    fn: 'intake',
    summary: 'Tell a browser whether a page of this origin may post leads',
    status: 204,
  },
  getIntake: {
    method: 'GET',
    path: '/api/intake/{externalId}',
    access: 'source',
    fn: 'intake',
    summary: 'Tell what became of a lead of the source',
  },

  // The buyer's link
  viewLeads: {
    method: 'GET',
    path: '/api/leads-view/{token}',
    access: 'link',
    fn: 'leads-view',
    summary: 'Read an order and its leads by the buyer’s link',
  },
  exportLeads: {
    method: 'GET',
    path: '/api/leads-view/{token}/export/{format}',
    access: 'link',
    fn: 'leads-view',
    summary: 'Download all leads of an order',
  },
  exportLeadsPart: {
    method: 'GET',
    path: '/api/leads-view/{token}/export/{format}/{part}',
    access: 'link',
    fn: 'leads-view',
    summary: 'Download the original or the replacement leads of an order',
  },

  sendLinkCode: {
    method: 'POST',
    path: '/api/leads-view/{token}/code',
    access: 'link',
    fn: 'orders',
    summary: 'Send the buyer a code that opens its links on a device',
  },
  confirmLinkCode: {
    method: 'POST',
    path: '/api/leads-view/{token}/code/confirmation',
    access: 'link',
    fn: 'orders',
    summary: 'Open the links of a buyer on this device by the code',
  },
  requestNewLink: {
    method: 'POST',
    path: '/api/link-renewals',
    access: 'public',
    fn: 'orders',
    summary: 'Send the buyer of an old link a new one, if there is such a link',
  },

  // Claims
  fileClaim: {
    method: 'POST',
    path: '/api/lead-claims',
    access: 'admin-or-link',
    fn: 'claims',
    summary: 'Claim a lead',
  },
  getLeadClaim: {
    method: 'GET',
    path: '/api/lead-claims/lead/{leadId}',
    access: 'admin-or-link',
    fn: 'claims',
    summary: 'Read the claim of a lead',
  },
  listPendingClaims: {
    method: 'GET',
    path: '/api/lead-claims/admin/pending',
    access: 'admin',
    fn: 'claims',
    summary: 'List the claims that wait for a decision',
  },
  listClaims: {
    method: 'GET',
    path: '/api/lead-claims/admin/filtered',
    access: 'admin',
    fn: 'claims',
    summary: 'List claims by page, filtered and sorted',
  },
  approveClaim: {
    method: 'POST',
    path: '/api/lead-claims/admin/approve/{claimId}',
    access: 'admin',
    fn: 'claims',
    summary: 'Approve a claim',
  },
  listReplacements: {
    method: 'GET',
    path: '/api/lead-claims/replacements/{buyerId}',
    access: 'admin',
    fn: 'claims',
    summary: 'List every movement of a buyer’s replacements',
  },
  rejectClaim: {
    method: 'POST',
    path: '/api/lead-claims/admin/reject/{claimId}',
    access: 'admin',
    fn: 'claims',
    summary: 'Reject a claim',
  },

  // Statistics, simulation, audit, search
  getBuyerStats: {
    method: 'GET',
    path: '/api/admin/buyer-stats',
    access: 'admin',
    fn: 'insights',
    summary: 'Read the statistics of the buyers over some days',
  },
  exportBuyerStats: {
    method: 'GET',
    path: '/api/admin/buyer-stats/export/{format}',
    access: 'admin',
    fn: 'insights',
    summary: 'Download the table of buyer statistics',
  },
  getSourceStats: {
    method: 'GET',
    path: '/api/admin/source-stats',
    access: 'admin',
    fn: 'insights',
    summary: 'Read what came in from each source over some days, and what became of it',
  },
  getLatencies: {
    method: 'GET',
    path: '/api/admin/latencies',
    access: 'admin',
    fn: 'insights',
    summary: 'Read how long leads take from intake to assignment and delivery',
  },
  getStatus: {
    method: 'GET',
    path: '/api/status',
    access: 'public',
    fn: 'insights',
    summary: 'Read how long leads take, if admins show it to everybody',
  },
  listSilentSources: {
    method: 'GET',
    path: '/api/admin/silent-sources',
    access: 'admin',
    fn: 'insights',
    summary: 'List the live sources that usually send leads and fell silent',
  },
  exportAccounting: {
    method: 'GET',
    path: '/api/admin/accounting/export/{format}',
    access: 'admin',
    fn: 'insights',
    summary: 'Download orders, deliveries, revenue and claims by month and buyer',
  },
  simulate: {
    method: 'POST',
    path: '/api/admin/simulate',
    access: 'admin',
    fn: 'insights',
    summary: 'Distribute the leads of past days again under other terms',
  },
  listAudit: {
    method: 'GET',
    path: '/api/admin/audit',
    access: 'admin',
    fn: 'insights',
    summary: 'List what admins changed, the newest first',
  },
  search: {
    method: 'GET',
    path: '/api/admin/search',
    access: 'admin',
    fn: 'insights',
    summary: 'Search buyers, orders and leads',
  },

  // Deliveries
  listDeliveries: {
    method: 'GET',
    path: '/api/admin/deliveries',
    access: 'admin',
    fn: 'deliveries',
    summary: 'List deliveries, the newest first',
  },
  resendDelivery: {
    method: 'POST',
    path: '/api/admin/deliveries/{leadId}/{channel}/resend',
    access: 'admin',
    fn: 'deliveries',
    summary: 'Send a delivery again',
  },
  resendFailedDeliveries: {
    method: 'POST',
    path: '/api/admin/deliveries/resend-failed/{buyerId}',
    access: 'admin',
    fn: 'deliveries',
    summary: 'Send all failed deliveries of a buyer again',
  },
  sendTestLead: {
    method: 'POST',
    path: '/api/admin/deliveries/test/{buyerId}/{channel}',
    access: 'admin',
    fn: 'deliveries',
    summary: 'Send a test lead to a buyer over one channel',
  },

  // Settings
  getVerificationSettings: {
    method: 'GET',
    path: '/api/settings/verification',
    access: 'admin',
    fn: 'settings',
    summary: 'Read which verifications are switched on',
  },
  saveVerificationSettings: {
    method: 'POST',
    path: '/api/settings/verification',
    access: 'admin',
    fn: 'settings',
    summary: 'Switch verifications on or off',
  },
  getRetention: {
    method: 'GET',
    path: '/api/settings/retention',
    access: 'admin',
    fn: 'settings',
    summary: 'Read for how many days leads are kept, and how far their erasure is today',
  },
  saveRetention: {
    method: 'POST',
    path: '/api/settings/retention',
    access: 'admin',
    fn: 'settings',
    summary: 'Set for how many days leads are kept',
  },
  previewRetention: {
    method: 'GET',
    path: '/api/settings/retention/preview',
    access: 'admin',
    fn: 'settings',
    summary: 'Count the leads that would be erased with other days',
  },
  getStatusPage: {
    method: 'GET',
    path: '/api/settings/status-page',
    access: 'admin',
    fn: 'settings',
    summary: 'Read whether the status page is public',
  },
  saveStatusPage: {
    method: 'POST',
    path: '/api/settings/status-page',
    access: 'admin',
    fn: 'settings',
    summary: 'Open the status page to everybody, or close it',
  },
  listEmailTemplates: {
    method: 'GET',
    path: '/api/settings/email-templates',
    access: 'admin',
    fn: 'settings',
    summary: 'List the e-mail templates',
  },
  createEmailTemplate: {
    method: 'POST',
    path: '/api/settings/email-templates',
    access: 'admin',
    fn: 'settings',
    summary: 'Add an e-mail template',
  },
  updateEmailTemplate: {
    method: 'PUT',
    path: '/api/settings/email-templates/{id}',
    access: 'admin',
    fn: 'settings',
    summary: 'Change an e-mail template',
  },
  deleteEmailTemplate: {
    method: 'DELETE',
    path: '/api/settings/email-templates/{id}',
    access: 'admin',
    fn: 'settings',
    summary: 'Delete an e-mail template that no buyer uses',
  },
  sendTestEmail: {
    method: 'POST',
    path: '/api/settings/email-templates/{id}/test',
    access: 'admin',
    fn: 'settings',
    summary: 'Send a test e-mail with a template',
  },
  getPushoverTemplate: {
    method: 'GET',
    path: '/api/settings/pushover-template',
    access: 'admin',
    fn: 'settings',
    summary: 'Read the text of push notifications',
  },
  savePushoverTemplate: {
    method: 'POST',
    path: '/api/settings/pushover-template',
    access: 'admin',
    fn: 'settings',
    summary: 'Replace the text of push notifications',
  },
  listPushoverCredentials: {
    method: 'GET',
    path: '/api/pushover-credentials',
    access: 'admin',
    fn: 'settings',
    summary: 'List the push credentials',
  },
  createPushoverCredential: {
    method: 'POST',
    path: '/api/pushover-credentials',
    access: 'admin',
    fn: 'settings',
    summary: 'Add push credentials',
  },
  updatePushoverCredential: {
    method: 'PUT',
    path: '/api/pushover-credentials/{id}',
    access: 'admin',
    fn: 'settings',
    summary: 'Choose what push credentials are notified of',
  },
  deletePushoverCredential: {
    method: 'DELETE',
    path: '/api/pushover-credentials/{id}',
    access: 'admin',
    fn: 'settings',
    summary: 'Delete push credentials',
  },
  sendTestPush: {
    method: 'POST',
    path: '/api/pushover-credentials/{id}/test',
    access: 'admin',
    fn: 'settings',
    summary: 'Send a test push notification',
  },

  // People
  findPeople: {
    method: 'GET',
    path: '/api/people',
    access: 'admin',
    fn: 'people',
    summary: 'Find the leads of a person by e-mail address, phone number or name',
  },
  getPerson: {
    method: 'GET',
    path: '/api/people/stored',
    access: 'admin',
    fn: 'people',
    summary: 'Read everything that is stored about a person',
  },
  exportPerson: {
    method: 'GET',
    path: '/api/people/stored/{format}',
    access: 'admin',
    fn: 'people',
    summary: 'Download what the person may know of it, as JSON or a page',
  },
  beginErasure: {
    method: 'POST',
    path: '/api/people/erasures',
    access: 'admin',
    fn: 'people',
    summary: 'Erase a person and tell the buyers that received its leads',
  },
  listErasures: {
    method: 'GET',
    path: '/api/people/erasures',
    access: 'admin',
    fn: 'people',
    summary: 'List the erasures, the newest first',
  },
  getErasure: {
    method: 'GET',
    path: '/api/people/erasures/{erasureId}',
    access: 'admin',
    fn: 'people',
    summary: 'Read how far an erasure is and who has confirmed',
  },
  exportErasure: {
    method: 'GET',
    path: '/api/people/erasures/{erasureId}/certificate',
    access: 'admin',
    fn: 'people',
    summary: 'Download the certificate of an erasure, which says nothing of the person',
  },
  remindOfErasure: {
    method: 'POST',
    path: '/api/people/erasures/{erasureId}/recipients/{buyer}/remind',
    access: 'admin',
    fn: 'people',
    summary: 'Write to a buyer that has not confirmed once more',
  },
  confirmErasureForBuyer: {
    method: 'POST',
    path: '/api/people/erasures/{erasureId}/recipients/{buyer}/confirm',
    access: 'admin',
    fn: 'people',
    summary: 'Record that a buyer has confirmed',
  },
  viewErasureConfirmation: {
    method: 'GET',
    path: '/api/erasure-confirmations/{token}',
    access: 'link',
    fn: 'people',
    summary: 'Read what the link of a letter asks a buyer to erase',
  },
  confirmErasure: {
    method: 'POST',
    path: '/api/erasure-confirmations/{token}',
    access: 'link',
    fn: 'people',
    summary: 'Confirm as a buyer that the leads are erased',
  },

  // The API about itself
  getOpenApi: {
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    fn: 'meta',
    summary: 'Read this document',
  },
  getReadiness: {
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    fn: 'auth',
    summary: 'Tell that the API reaches its table and its keys',
  },
  getHealth: {
    method: 'GET',
    path: '/api/health',
    access: 'public',
    fn: 'meta',
    summary: 'Tell that the API is up',
  },
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof routes;

/** The endpoints that one API function owns. */
export type EndpointOf<F extends ApiFunction> = {
  [Id in EndpointId]: (typeof routes)[Id]['fn'] extends F ? Id : never;
}[EndpointId];
