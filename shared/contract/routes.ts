/**
 * Every call of the product, written down once as plain data.
 *
 * From this table are derived the API Gateway routes and their functions, the router of the local server, the
 * handler maps (a missing handler does not compile), the typed client of the frontend and the OpenAPI document.
 * It holds no schemas so that the browser can import it without the validation library; the schemas stand in
 * `schemas.ts`, keyed by the same ids, and the compiler keeps the two in step.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call: `public` anyone; `admin` a valid session; `link` whoever holds the token in the path or query;
 * `admin-or-link` either of the two (the handler decides what each may see).
 */
export type Access = 'public' | 'admin' | 'link' | 'admin-or-link';

/** The API functions; one Lambda each, in `functions/api/<name>`. */
export const API_FUNCTIONS = [
  'auth',
  'buyers',
  'claims',
  'deliveries',
  'insights',
  'leads',
  'leads-view',
  'meta',
  'orders',
  'pending-leads',
  'settings',
] as const;
export type ApiFunction = (typeof API_FUNCTIONS)[number];

export interface Route {
  readonly method: Method;
  /** With `{name}` for parameters, as API Gateway writes them. Static segments win over parameters. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly fn: ApiFunction;
}

export const routes = {
  // Sessions
  checkAuth: { method: 'GET', path: '/api/check-auth', access: 'public', fn: 'auth' },
  login: { method: 'POST', path: '/api/login', access: 'public', fn: 'auth' },
  logout: { method: 'GET', path: '/api/logout', access: 'public', fn: 'auth' },

  // Dashboard and buyers
  getDashboardStats: { method: 'GET', path: '/api/admin/dashboard-stats', access: 'admin', fn: 'insights' },
  getDashboardInitialData: {
    method: 'GET',
    path: '/api/admin/dashboard-initial-data',
    access: 'admin',
    fn: 'insights',
  },
  listBuyers: { method: 'GET', path: '/api/buyers', access: 'admin', fn: 'buyers' },
  listActiveBuyers: { method: 'GET', path: '/api/buyers/active', access: 'admin', fn: 'buyers' },
  createBuyer: { method: 'POST', path: '/api/buyers', access: 'admin', fn: 'buyers' },
  getBuyer: { method: 'GET', path: '/api/buyers/{buyerId}', access: 'admin', fn: 'buyers' },
  updateBuyer: { method: 'PUT', path: '/api/buyers/{buyerId}', access: 'admin', fn: 'buyers' },
  deleteBuyer: { method: 'PUT', path: '/api/buyers/{buyerId}/delete', access: 'admin', fn: 'buyers' },
  regenerateToken: { method: 'PUT', path: '/api/buyers/{buyerId}/token', access: 'admin', fn: 'buyers' },
  getBalance: { method: 'GET', path: '/api/lead-claims/balance/{buyerId}', access: 'admin', fn: 'buyers' },

  // Orders
  listOrders: { method: 'GET', path: '/api/admin/orders', access: 'admin', fn: 'orders' },
  listBuyerOrders: { method: 'GET', path: '/api/admin/orders/{buyerId}', access: 'admin', fn: 'orders' },
  createOrder: { method: 'POST', path: '/api/admin', access: 'admin', fn: 'orders' },
  updateOrderLimit: { method: 'PUT', path: '/api/admin/{buyerId}', access: 'admin', fn: 'orders' },
  deleteOrder: {
    method: 'PUT',
    path: '/api/admin/{buyerId}/delete-order/{orderId}',
    access: 'admin',
    fn: 'orders',
  },
  restoreLastDeletedOrder: {
    method: 'PUT',
    path: '/api/admin/{buyerId}/restore-last-deleted-order',
    access: 'admin',
    fn: 'orders',
  },
  updateOrderComments: {
    method: 'PUT',
    path: '/api/admin/orders/{orderId}/comments',
    access: 'admin',
    fn: 'orders',
  },

  // Pending leads
  listPendingLeads: { method: 'GET', path: '/api/ineligible-leads', access: 'admin', fn: 'pending-leads' },
  discardPendingLead: {
    method: 'DELETE',
    path: '/api/ineligible-leads/{leadId}',
    access: 'admin',
    fn: 'pending-leads',
  },
  assignPendingLead: {
    method: 'POST',
    path: '/api/ineligible-leads/assign/{leadId}',
    access: 'admin',
    fn: 'pending-leads',
  },
  exportPendingLeads: {
    method: 'GET',
    path: '/api/ineligible-leads/export/{format}',
    access: 'admin',
    fn: 'pending-leads',
  },

  // Leads
  createLead: { method: 'POST', path: '/api/leads', access: 'admin', fn: 'leads' },
  getLead: { method: 'GET', path: '/api/admin/leads/{leadId}', access: 'admin', fn: 'leads' },
  updateLead: { method: 'PUT', path: '/api/admin/leads/{leadId}', access: 'admin', fn: 'leads' },
  deleteLead: { method: 'DELETE', path: '/api/admin/leads/{leadId}', access: 'admin', fn: 'leads' },

  // The buyer's link
  viewLeads: { method: 'GET', path: '/api/leads-view/{token}', access: 'link', fn: 'leads-view' },
  exportLeads: {
    method: 'GET',
    path: '/api/leads-view/{token}/export/{format}',
    access: 'link',
    fn: 'leads-view',
  },
  exportLeadsPart: {
    method: 'GET',
    path: '/api/leads-view/{token}/export/{format}/{part}',
    access: 'link',
    fn: 'leads-view',
  },

  // Claims
  fileClaim: { method: 'POST', path: '/api/lead-claims', access: 'admin-or-link', fn: 'claims' },
  getLeadClaim: {
    method: 'GET',
    path: '/api/lead-claims/lead/{leadId}',
    access: 'admin-or-link',
    fn: 'claims',
  },
  listPendingClaims: { method: 'GET', path: '/api/lead-claims/admin/pending', access: 'admin', fn: 'claims' },
  listClaims: { method: 'GET', path: '/api/lead-claims/admin/filtered', access: 'admin', fn: 'claims' },
  approveClaim: {
    method: 'POST',
    path: '/api/lead-claims/admin/approve/{claimId}',
    access: 'admin',
    fn: 'claims',
  },
  /** Every replacement of a buyer: how it came to be owed, where it moved, when it was delivered. */
  listReplacements: {
    method: 'GET',
    path: '/api/lead-claims/replacements/{buyerId}',
    access: 'admin',
    fn: 'claims',
  },
  rejectClaim: {
    method: 'POST',
    path: '/api/lead-claims/admin/reject/{claimId}',
    access: 'admin',
    fn: 'claims',
  },

  // Statistics, simulation, audit, search
  getBuyerStats: { method: 'GET', path: '/api/admin/buyer-stats', access: 'admin', fn: 'insights' },
  simulate: { method: 'POST', path: '/api/admin/simulate', access: 'admin', fn: 'insights' },
  listAudit: { method: 'GET', path: '/api/admin/audit', access: 'admin', fn: 'insights' },
  search: { method: 'GET', path: '/api/admin/search', access: 'admin', fn: 'insights' },

  // Deliveries
  listDeliveries: { method: 'GET', path: '/api/admin/deliveries', access: 'admin', fn: 'deliveries' },
  resendDelivery: {
    method: 'POST',
    path: '/api/admin/deliveries/{leadId}/{channel}/resend',
    access: 'admin',
    fn: 'deliveries',
  },
  resendFailedDeliveries: {
    method: 'POST',
    path: '/api/admin/deliveries/resend-failed/{buyerId}',
    access: 'admin',
    fn: 'deliveries',
  },
  sendTestLead: {
    method: 'POST',
    path: '/api/admin/deliveries/test/{buyerId}/{channel}',
    access: 'admin',
    fn: 'deliveries',
  },

  // Settings
  getVerificationSettings: {
    method: 'GET',
    path: '/api/settings/verification',
    access: 'admin',
    fn: 'settings',
  },
  saveVerificationSettings: {
    method: 'POST',
    path: '/api/settings/verification',
    access: 'admin',
    fn: 'settings',
  },
  listEmailTemplates: {
    method: 'GET',
    path: '/api/settings/email-templates',
    access: 'admin',
    fn: 'settings',
  },
  createEmailTemplate: {
    method: 'POST',
    path: '/api/settings/email-templates',
    access: 'admin',
    fn: 'settings',
  },
  updateEmailTemplate: {
    method: 'PUT',
    path: '/api/settings/email-templates/{id}',
    access: 'admin',
    fn: 'settings',
  },
  deleteEmailTemplate: {
    method: 'DELETE',
    path: '/api/settings/email-templates/{id}',
    access: 'admin',
    fn: 'settings',
  },
  sendTestEmail: {
    method: 'POST',
    path: '/api/settings/email-templates/{id}/test',
    access: 'admin',
    fn: 'settings',
  },
  getPushoverTemplate: {
    method: 'GET',
    path: '/api/settings/pushover-template',
    access: 'admin',
    fn: 'settings',
  },
  savePushoverTemplate: {
    method: 'POST',
    path: '/api/settings/pushover-template',
    access: 'admin',
    fn: 'settings',
  },
  listPushoverCredentials: {
    method: 'GET',
    path: '/api/pushover-credentials',
    access: 'admin',
    fn: 'settings',
  },
  createPushoverCredential: {
    method: 'POST',
    path: '/api/pushover-credentials',
    access: 'admin',
    fn: 'settings',
  },
  updatePushoverCredential: {
    method: 'PUT',
    path: '/api/pushover-credentials/{id}',
    access: 'admin',
    fn: 'settings',
  },
  deletePushoverCredential: {
    method: 'DELETE',
    path: '/api/pushover-credentials/{id}',
    access: 'admin',
    fn: 'settings',
  },
  sendTestPush: {
    method: 'POST',
    path: '/api/pushover-credentials/{id}/test',
    access: 'admin',
    fn: 'settings',
  },

  // The API about itself
  getOpenApi: { method: 'GET', path: '/api/openapi.json', access: 'public', fn: 'meta' },
  getHealth: { method: 'GET', path: '/api/health', access: 'public', fn: 'meta' },
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof routes;

/** The endpoints that one API function owns. */
export type EndpointOf<F extends ApiFunction> = {
  [Id in EndpointId]: (typeof routes)[Id]['fn'] extends F ? Id : never;
}[EndpointId];
