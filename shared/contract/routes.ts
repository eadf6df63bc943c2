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

/** The function that answers calls which are none of the routes: with 404, or 405 where the path takes other methods. */
export const UNROUTED_FUNCTION = 'meta' satisfies ApiFunction;
/** API Gateway's name for the route of such calls. */
export const UNROUTED_KEY = '$default';

export interface Route {
  readonly method: Method;
  /** With `{name}` for parameters, as in API Gateway. Static segments take precedence over parameters. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  /** The name of a function in `functions/api`. */
  readonly fn: string;
  /** Of a successful answer; 200 where it says nothing. 204 has no body. */
  readonly status?: 202 | 204;
}

export const routes = {
  // Sessions
  checkAuth: { method: 'GET', path: '/api/check-auth', access: 'public', fn: 'auth' },
  login: { method: 'POST', path: '/api/login', access: 'public', fn: 'auth' },
  beginPasskeyLogin: { method: 'POST', path: '/api/login/passkey-options', access: 'public', fn: 'auth' },
  passkeyLogin: { method: 'POST', path: '/api/login/passkey', access: 'public', fn: 'auth' },
  finishLogin: { method: 'POST', path: '/api/login/second-factor', access: 'public', fn: 'auth' },
  logout: { method: 'GET', path: '/api/logout', access: 'public', fn: 'auth' },
  viewInvitation: { method: 'POST', path: '/api/join/view', access: 'public', fn: 'auth' },
  acceptInvitation: { method: 'POST', path: '/api/join', access: 'public', fn: 'auth' },
  changePassword: { method: 'PUT', path: '/api/account/password', access: 'admin', fn: 'auth' },
  proveAdmin: { method: 'POST', path: '/api/account/proof', access: 'admin', fn: 'auth' },

  beginProof: { method: 'POST', path: '/api/account/proof-options', access: 'admin', fn: 'auth' },
  listPasskeys: { method: 'GET', path: '/api/account/passkeys', access: 'admin', fn: 'auth' },
  beginPasskey: { method: 'POST', path: '/api/account/passkey-options', access: 'admin', fn: 'auth' },
  addPasskey: { method: 'POST', path: '/api/account/passkeys', access: 'admin', fn: 'auth' },
  removePasskey: { method: 'DELETE', path: '/api/account/passkeys/{passkeyId}', access: 'admin', fn: 'auth' },
  renewRecoveryCodes: { method: 'POST', path: '/api/account/recovery-codes', access: 'admin', fn: 'auth' },
  demandPasskeys: { method: 'PUT', path: '/api/passkey-demand', access: 'admin', fn: 'auth' },

  // Admins
  listAdmins: { method: 'GET', path: '/api/admins', access: 'admin', fn: 'auth' },
  inviteAdmin: { method: 'POST', path: '/api/invitations', access: 'admin', fn: 'auth' },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/invitations/{invitationId}',
    access: 'admin',
    fn: 'auth',
  },
  resetAdmin: { method: 'POST', path: '/api/admins/{username}/reset', access: 'admin', fn: 'auth' },
  removeAdmin: { method: 'DELETE', path: '/api/admins/{username}', access: 'admin', fn: 'auth' },
  listSessions: { method: 'GET', path: '/api/admins/{username}/sessions', access: 'admin', fn: 'auth' },
  endSession: {
    method: 'DELETE',
    path: '/api/admins/{username}/sessions/{sessionId}',
    access: 'admin',
    fn: 'auth',
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/admins/{username}/sessions',
    access: 'admin',
    fn: 'auth',
  },

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
  changeWeights: { method: 'PUT', path: '/api/buyer-weights', access: 'admin', fn: 'buyers' },
  regenerateToken: { method: 'PUT', path: '/api/buyers/{buyerId}/token', access: 'admin', fn: 'buyers' },
  confirmBuyerAddress: {
    method: 'POST',
    path: '/api/buyers/{buyerId}/address-confirmation',
    access: 'admin',
    fn: 'buyers',
  },
  getBalance: { method: 'GET', path: '/api/lead-claims/balance/{buyerId}', access: 'admin', fn: 'buyers' },
  getStatement: { method: 'GET', path: '/api/buyers/{buyerId}/statement', access: 'admin', fn: 'insights' },
  downloadStatement: {
    method: 'GET',
    path: '/api/buyers/{buyerId}/statement/{format}',
    access: 'admin',
    fn: 'insights',
  },
  sendStatement: {
    method: 'POST',
    path: '/api/buyers/{buyerId}/statement-letters',
    access: 'admin',
    fn: 'orders',
  },

  // Orders
  listOrders: { method: 'GET', path: '/api/admin/orders', access: 'admin', fn: 'orders' },
  listBuyerOrders: { method: 'GET', path: '/api/admin/orders/{buyerId}', access: 'admin', fn: 'orders' },
  createOrder: { method: 'POST', path: '/api/admin', access: 'admin', fn: 'orders' },
  previewOrder: { method: 'GET', path: '/api/admin/order-preview', access: 'admin', fn: 'orders' },
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
  renewOrderToken: {
    method: 'PUT',
    path: '/api/admin/orders/{orderId}/token',
    access: 'admin',
    fn: 'orders',
  },
  switchOffOrderToken: {
    method: 'DELETE',
    path: '/api/admin/orders/{orderId}/token',
    access: 'admin',
    fn: 'orders',
  },
  updateOrderRenewal: {
    method: 'PUT',
    path: '/api/admin/orders/{orderId}/renewal',
    access: 'admin',
    fn: 'orders',
  },
  decideReorder: {
    method: 'POST',
    path: '/api/admin/orders/{orderId}/reorder',
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
  distributePendingLead: {
    method: 'POST',
    path: '/api/ineligible-leads/distribute/{leadId}',
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

  // Sources and their intake
  listSources: { method: 'GET', path: '/api/sources', access: 'admin', fn: 'sources' },
  createSource: { method: 'POST', path: '/api/sources', access: 'admin', fn: 'sources' },
  updateSource: { method: 'PUT', path: '/api/sources/{sourceId}', access: 'admin', fn: 'sources' },
  createSourceKey: { method: 'POST', path: '/api/sources/{sourceId}/keys', access: 'admin', fn: 'sources' },
  revokeSourceKey: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/keys/{slot}',
    access: 'admin',
    fn: 'sources',
  },
  renewSpecification: {
    method: 'PUT',
    path: '/api/sources/{sourceId}/specification',
    access: 'admin',
    fn: 'sources',
  },
  switchOffSpecification: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/specification',
    access: 'admin',
    fn: 'sources',
  },
  viewSpecification: { method: 'GET', path: '/api/specifications/{token}', access: 'link', fn: 'sources' },
  getIntakeOpenApi: {
    method: 'GET',
    path: '/api/specifications/{token}/openapi.json',
    access: 'link',
    fn: 'sources',
  },
  getEndpoints: { method: 'GET', path: '/api/sources/{sourceId}/endpoints', access: 'admin', fn: 'sources' },
  updateEndpoints: {
    method: 'PUT',
    path: '/api/sources/{sourceId}/endpoints',
    access: 'admin',
    fn: 'sources',
  },
  createSigningSecret: {
    method: 'POST',
    path: '/api/sources/{sourceId}/endpoints/secrets',
    access: 'admin',
    fn: 'sources',
  },
  revokeSigningSecret: {
    method: 'DELETE',
    path: '/api/sources/{sourceId}/endpoints/secrets/{slot}',
    access: 'admin',
    fn: 'sources',
  },
  listCallbacks: {
    method: 'GET',
    path: '/api/sources/{sourceId}/callbacks',
    access: 'admin',
    fn: 'deliveries',
  },
  sendTestCallback: {
    method: 'POST',
    path: '/api/sources/{sourceId}/test-callback/{endpoint}',
    access: 'admin',
    fn: 'deliveries',
  },
  resendCallback: {
    method: 'POST',
    path: '/api/admin/leads/{leadId}/callbacks/{callbackId}/resend',
    access: 'admin',
    fn: 'deliveries',
  },
  postIntake: { method: 'POST', path: '/api/intake', access: 'source', fn: 'intake', status: 202 },
  importLeads: { method: 'POST', path: '/api/sources/{sourceId}/leads', access: 'admin', fn: 'intake' },
  preflightIntake: { method: 'OPTIONS', path: '/api/intake', access: 'public', fn: 'intake', status: 204 },
  getIntake: { method: 'GET', path: '/api/intake/{externalId}', access: 'source', fn: 'intake' },

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
  viewShare: { method: 'GET', path: '/api/leads-view/{token}/share', access: 'link', fn: 'leads-view' },
  viewStatement: {
    method: 'GET',
    path: '/api/leads-view/{token}/statement',
    access: 'link',
    fn: 'leads-view',
  },
  exportStatement: {
    method: 'GET',
    path: '/api/leads-view/{token}/statement/{format}',
    access: 'link',
    fn: 'leads-view',
  },
  saveFeedback: {
    method: 'PUT',
    path: '/api/leads-view/{token}/leads/{leadId}/feedback',
    access: 'link',
    fn: 'claims',
  },

  sendLinkCode: { method: 'POST', path: '/api/leads-view/{token}/code', access: 'link', fn: 'orders' },
  confirmLinkCode: {
    method: 'POST',
    path: '/api/leads-view/{token}/code/confirmation',
    access: 'link',
    fn: 'orders',
  },
  requestReorder: { method: 'POST', path: '/api/leads-view/{token}/reorder', access: 'link', fn: 'orders' },
  viewNews: { method: 'GET', path: '/api/leads-view/{token}/news', access: 'link', fn: 'orders' },
  changeNews: { method: 'PUT', path: '/api/leads-view/{token}/news', access: 'link', fn: 'orders' },
  openUnsubscription: { method: 'GET', path: '/api/unsubscriptions/{letter}', access: 'link', fn: 'orders' },
  unsubscribe: { method: 'POST', path: '/api/unsubscriptions/{letter}', access: 'link', fn: 'orders' },
  viewSubscription: {
    method: 'GET',
    path: '/api/unsubscriptions/{letter}/state',
    access: 'link',
    fn: 'orders',
  },
  subscribeAgain: { method: 'DELETE', path: '/api/unsubscriptions/{letter}', access: 'link', fn: 'orders' },
  requestNewLink: { method: 'POST', path: '/api/link-renewals', access: 'public', fn: 'orders' },

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

  getClaimEvidence: {
    method: 'GET',
    path: '/api/lead-claims/admin/evidence/{claimId}',
    access: 'admin',
    fn: 'claims',
  },
  reverseClaim: {
    method: 'POST',
    path: '/api/lead-claims/admin/reverse/{claimId}',
    access: 'admin',
    fn: 'claims',
  },

  // Statistics, simulation, audit, search
  getBuyerStats: { method: 'GET', path: '/api/admin/buyer-stats', access: 'admin', fn: 'insights' },
  exportBuyerStats: {
    method: 'GET',
    path: '/api/admin/buyer-stats/export/{format}',
    access: 'admin',
    fn: 'insights',
  },
  getSourceStats: { method: 'GET', path: '/api/admin/source-stats', access: 'admin', fn: 'insights' },
  getLatencies: { method: 'GET', path: '/api/admin/latencies', access: 'admin', fn: 'insights' },
  getStatus: { method: 'GET', path: '/api/status', access: 'public', fn: 'insights' },
  listSilentSources: { method: 'GET', path: '/api/admin/silent-sources', access: 'admin', fn: 'insights' },
  exportAccounting: {
    method: 'GET',
    path: '/api/admin/accounting/export/{format}',
    access: 'admin',
    fn: 'insights',
  },
  getChecklist: {
    method: 'GET',
    path: '/api/admin/buyers/{buyerId}/checklist',
    access: 'admin',
    fn: 'insights',
  },
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
  tryChannel: {
    method: 'POST',
    path: '/api/admin/deliveries/try/{channel}',
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
  getRetention: { method: 'GET', path: '/api/settings/retention', access: 'admin', fn: 'settings' },
  saveRetention: { method: 'POST', path: '/api/settings/retention', access: 'admin', fn: 'settings' },
  previewRetention: {
    method: 'GET',
    path: '/api/settings/retention/preview',
    access: 'admin',
    fn: 'settings',
  },
  getAlertSettings: { method: 'GET', path: '/api/settings/alerts', access: 'admin', fn: 'settings' },
  saveAlertSettings: { method: 'POST', path: '/api/settings/alerts', access: 'admin', fn: 'settings' },
  previewAlerts: { method: 'GET', path: '/api/settings/alerts/preview', access: 'admin', fn: 'settings' },
  sendTestAlert: { method: 'POST', path: '/api/settings/alerts/test', access: 'admin', fn: 'settings' },
  getStatusPage: { method: 'GET', path: '/api/settings/status-page', access: 'admin', fn: 'settings' },
  saveStatusPage: { method: 'POST', path: '/api/settings/status-page', access: 'admin', fn: 'settings' },
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
  tryEmailTemplate: {
    method: 'POST',
    path: '/api/settings/email-templates/test',
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

  // People
  findPeople: { method: 'GET', path: '/api/people', access: 'admin', fn: 'people' },
  getPerson: { method: 'GET', path: '/api/people/stored', access: 'admin', fn: 'people' },
  exportPerson: { method: 'GET', path: '/api/people/stored/{format}', access: 'admin', fn: 'people' },
  beginErasure: { method: 'POST', path: '/api/people/erasures', access: 'admin', fn: 'people' },
  listErasures: { method: 'GET', path: '/api/people/erasures', access: 'admin', fn: 'people' },
  getErasure: { method: 'GET', path: '/api/people/erasures/{erasureId}', access: 'admin', fn: 'people' },
  exportErasure: {
    method: 'GET',
    path: '/api/people/erasures/{erasureId}/certificate',
    access: 'admin',
    fn: 'people',
  },
  remindOfErasure: {
    method: 'POST',
    path: '/api/people/erasures/{erasureId}/recipients/{buyer}/remind',
    access: 'admin',
    fn: 'people',
  },
  confirmErasureForBuyer: {
    method: 'POST',
    path: '/api/people/erasures/{erasureId}/recipients/{buyer}/confirm',
    access: 'admin',
    fn: 'people',
  },
  viewErasureConfirmation: {
    method: 'GET',
    path: '/api/erasure-confirmations/{token}',
    access: 'link',
    fn: 'people',
  },
  confirmErasure: {
    method: 'POST',
    path: '/api/erasure-confirmations/{token}',
    access: 'link',
    fn: 'people',
  },

  // The API about itself
  getOpenApi: { method: 'GET', path: '/api/openapi.json', access: 'public', fn: 'meta' },
  getReadiness: { method: 'GET', path: '/api/ready', access: 'public', fn: 'auth' },
  getHealth: { method: 'GET', path: '/api/health', access: 'public', fn: 'meta' },
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof routes;
/** The API functions; one Lambda each, in `functions/api/<name>`. */
export type ApiFunction = (typeof routes)[EndpointId]['fn'];

/** The endpoints that one API function owns. */
export type EndpointOf<F extends ApiFunction> = {
  [Id in EndpointId]: (typeof routes)[Id]['fn'] extends F ? Id : never;
}[EndpointId];
