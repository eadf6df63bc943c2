/**
 * All calls of the API, from which gateway, routers, handlers, client and OpenAPI document derive. The schemas are in
 * `schemas.ts`, so that browsers load no validation library.
 */

import type { Needs } from '#shared/contract/roles';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

/** `link` requires the token in the path or query, `source` a key. With `admin-or-link` the handler decides what each may see. */
export type Access = 'public' | 'admin' | 'link' | 'admin-or-link' | 'source';

/** Answers calls that match no route: 404, or 405 if the path has other methods. */
export const UNROUTED_FUNCTION = 'meta' satisfies ApiFunction;
export const UNROUTED_KEY = '$default';

export interface Route {
  readonly method: Method;
  /** With `{name}` for parameters, as in API Gateway. Static segments take precedence over parameters. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly fn: string;
  /** What a session must have; undefined if no session is needed. */
  readonly needs?: Needs | undefined;
  /** Of a successful answer; 200 by default. 204 has no body. */
  readonly status?: 202 | 204;
}

function route<Granted extends Access>(
  access: Granted,
  needs?: Needs,
): <const Fn extends string, M extends Method, Path extends Route['path']>(
  fn: Fn,
  call: `${M} ${Path}`,
) => {
  readonly method: M;
  readonly path: Path;
  readonly access: Granted;
  readonly fn: Fn;
  readonly needs?: Needs | undefined;
};
function route(access: string, needs?: Needs): object {
  return (fn: string, call: string) => {
    const [method, path] = call.split(' ');
    return { method, path, access, fn, needs };
  };
}

const anyone = route('public');
const link = route('link');
// For logged-in admins, by the role that they need.
const viewer = route('admin', 'viewer');
const exporter = route('admin', 'personal-export');
const operations = route('admin', 'operations');
const own = route('admin', 'own-account');
const admin = route('admin', 'admin');
const source = route('source');

export const routes = {
  checkAuth: anyone('auth', 'GET /api/check-auth'),
  login: anyone('auth', 'POST /api/login'),
  beginPasskeyLogin: anyone('auth', 'POST /api/login/passkey-options'),
  passkeyLogin: anyone('auth', 'POST /api/login/passkey'),
  finishLogin: anyone('auth', 'POST /api/login/second-factor'),
  logout: anyone('auth', 'GET /api/logout'),
  viewInvitation: anyone('auth', 'POST /api/join/view'),
  acceptInvitation: anyone('auth', 'POST /api/join'),
  changePassword: viewer('auth', 'PUT /api/account/password'),
  reauthenticate: viewer('auth', 'POST /api/account/reauthentication'),

  beginReauthentication: viewer('auth', 'POST /api/account/reauthentication-options'),
  listPasskeys: viewer('auth', 'GET /api/account/passkeys'),
  beginPasskey: viewer('auth', 'POST /api/account/passkey-options'),
  addPasskey: viewer('auth', 'POST /api/account/passkeys'),
  removePasskey: viewer('auth', 'DELETE /api/account/passkeys/{passkeyId}'),
  renewRecoveryCodes: viewer('auth', 'POST /api/account/recovery-codes'),
  requirePasskeys: admin('auth', 'PUT /api/passkey-requirement'),

  listAdmins: viewer('auth', 'GET /api/admins'),
  inviteAdmin: admin('auth', 'POST /api/invitations'),
  withdrawInvitation: admin('auth', 'DELETE /api/invitations/{invitationId}'),
  resetAdmin: admin('auth', 'POST /api/admins/{username}/reset'),
  changeRole: admin('auth', 'PUT /api/admins/{username}/role'),
  removeAdmin: admin('auth', 'DELETE /api/admins/{username}'),
  listSessions: own('auth', 'GET /api/admins/{username}/sessions'),
  endSession: own('auth', 'DELETE /api/admins/{username}/sessions/{sessionId}'),
  endOtherSessions: own('auth', 'DELETE /api/admins/{username}/sessions'),

  getDashboardStats: viewer('insights', 'GET /api/admin/dashboard-stats'),
  getDashboardInitialData: viewer('insights', 'GET /api/admin/dashboard-initial-data'),
  listBuyers: viewer('buyers', 'GET /api/buyers'),
  listActiveBuyers: viewer('buyers', 'GET /api/buyers/active'),
  createBuyer: operations('buyers', 'POST /api/buyers'),
  getBuyer: viewer('buyers', 'GET /api/buyers/{buyerId}'),
  updateBuyer: operations('buyers', 'PUT /api/buyers/{buyerId}'),
  deleteBuyer: operations('buyers', 'PUT /api/buyers/{buyerId}/delete'),
  changeWeights: operations('buyers', 'PUT /api/buyer-weights'),
  regenerateToken: operations('buyers', 'PUT /api/buyers/{buyerId}/token'),
  confirmBuyerAddress: operations('buyers', 'POST /api/buyers/{buyerId}/address-confirmation'),
  getBalance: viewer('buyers', 'GET /api/lead-claims/balance/{buyerId}'),
  getStatement: viewer('insights', 'GET /api/buyers/{buyerId}/statement'),
  downloadStatement: viewer('insights', 'GET /api/buyers/{buyerId}/statement/{format}'),
  sendStatement: operations('orders', 'POST /api/buyers/{buyerId}/statement-emails'),

  listOrders: viewer('orders', 'GET /api/admin/orders'),
  listBuyerOrders: viewer('orders', 'GET /api/admin/orders/{buyerId}'),
  createOrder: operations('orders', 'POST /api/admin'),
  previewOrder: viewer('orders', 'GET /api/admin/order-preview'),
  updateOrderLimit: operations('orders', 'PUT /api/admin/{buyerId}'),
  deleteOrder: operations('orders', 'PUT /api/admin/{buyerId}/delete-order/{orderId}'),
  restoreLastDeletedOrder: operations('orders', 'PUT /api/admin/{buyerId}/restore-last-deleted-order'),
  regenerateOrderToken: operations('orders', 'PUT /api/admin/orders/{orderId}/token'),
  switchOffOrderToken: operations('orders', 'DELETE /api/admin/orders/{orderId}/token'),
  updateOrderRenewal: operations('orders', 'PUT /api/admin/orders/{orderId}/renewal'),
  decideReorder: operations('orders', 'POST /api/admin/orders/{orderId}/reorder'),
  updateOrderComments: operations('orders', 'PUT /api/admin/orders/{orderId}/comments'),

  listPendingLeads: viewer('pending-leads', 'GET /api/ineligible-leads'),
  discardPendingLead: operations('pending-leads', 'DELETE /api/ineligible-leads/{leadId}'),
  assignPendingLead: operations('pending-leads', 'POST /api/ineligible-leads/assign/{leadId}'),
  distributePendingLead: operations('pending-leads', 'POST /api/ineligible-leads/distribute/{leadId}'),
  resendConfirmation: operations('pending-leads', 'POST /api/ineligible-leads/confirmation/{leadId}'),
  exportPendingLeads: exporter('pending-leads', 'GET /api/ineligible-leads/export/{format}'),

  createLead: operations('leads', 'POST /api/leads'),
  getLead: viewer('leads', 'GET /api/admin/leads/{leadId}'),
  downloadConsentProof: exporter('leads', 'GET /api/admin/leads/{leadId}/consent-proof/{format}'),
  updateLead: operations('leads', 'PUT /api/admin/leads/{leadId}'),
  deleteLead: operations('leads', 'DELETE /api/admin/leads/{leadId}'),

  listSources: viewer('sources', 'GET /api/sources'),
  createSource: operations('sources', 'POST /api/sources'),
  updateSource: operations('sources', 'PUT /api/sources/{sourceId}'),
  createSourceKey: admin('sources', 'POST /api/sources/{sourceId}/keys'),
  revokeSourceKey: admin('sources', 'DELETE /api/sources/{sourceId}/keys/{slot}'),
  regenerateSpecification: operations('sources', 'PUT /api/sources/{sourceId}/specification'),
  switchOffSpecification: operations('sources', 'DELETE /api/sources/{sourceId}/specification'),
  viewSpecification: link('sources', 'GET /api/specifications/{token}'),
  getIntakeOpenApi: link('sources', 'GET /api/specifications/{token}/openapi.json'),
  listConsentTexts: viewer('sources', 'GET /api/sources/{sourceId}/consent-texts'),
  addConsentText: operations('sources', 'POST /api/sources/{sourceId}/consent-texts'),
  retireConsentText: operations('sources', 'DELETE /api/sources/{sourceId}/consent-texts/{textId}'),
  getEndpoints: viewer('sources', 'GET /api/sources/{sourceId}/endpoints'),
  updateEndpoints: operations('sources', 'PUT /api/sources/{sourceId}/endpoints'),
  createSigningSecret: admin('sources', 'POST /api/sources/{sourceId}/endpoints/secrets'),
  revokeSigningSecret: admin('sources', 'DELETE /api/sources/{sourceId}/endpoints/secrets/{slot}'),
  listCallbacks: viewer('deliveries', 'GET /api/sources/{sourceId}/callbacks'),
  sendTestCallback: operations('deliveries', 'POST /api/sources/{sourceId}/test-callback/{endpoint}'),
  resendCallback: operations('deliveries', 'POST /api/admin/leads/{leadId}/callbacks/{callbackId}/resend'),
  postIntake: { ...source('intake', 'POST /api/intake'), status: 202 },
  importLeads: operations('intake', 'POST /api/sources/{sourceId}/leads'),
  preflightIntake: { ...anyone('intake', 'OPTIONS /api/intake'), status: 204 },
  getIntake: source('intake', 'GET /api/intake/{externalId}'),
  withdrawPosted: source('intake', 'POST /api/intake/{externalId}/withdrawal'),

  getCompany: anyone('leads-view', 'GET /api/company'),
  viewLeads: link('leads-view', 'GET /api/leads-view/{token}'),
  exportLeads: link('leads-view', 'GET /api/leads-view/{token}/export/{format}'),
  exportLeadsPart: link('leads-view', 'GET /api/leads-view/{token}/export/{format}/{part}'),
  viewLeadConsent: link('leads-view', 'GET /api/leads-view/{token}/leads/{leadId}/consent'),
  exportConsentProof: link('leads-view', 'GET /api/leads-view/{token}/leads/{leadId}/consent/{format}'),
  exportConsentProofs: link('leads-view', 'GET /api/leads-view/{token}/consent-proofs/{part}'),
  viewShare: link('leads-view', 'GET /api/leads-view/{token}/share'),
  viewStatement: link('leads-view', 'GET /api/leads-view/{token}/statement'),
  exportStatement: link('leads-view', 'GET /api/leads-view/{token}/statement/{format}'),
  viewFeedback: link('claims', 'GET /api/leads-view/{token}/leads/{leadId}/feedback'),
  saveFeedback: link('claims', 'PUT /api/leads-view/{token}/leads/{leadId}/feedback'),
  takeBackFeedback: link('claims', 'DELETE /api/leads-view/{token}/leads/{leadId}/feedback/{entry}'),

  sendLinkCode: link('orders', 'POST /api/leads-view/{token}/code'),
  confirmLinkCode: link('orders', 'POST /api/leads-view/{token}/code/confirmation'),
  requestReorder: link('orders', 'POST /api/leads-view/{token}/reorder'),
  viewNotificationPreferences: link('orders', 'GET /api/leads-view/{token}/notification-preferences'),
  changeNotificationPreferences: link('orders', 'PUT /api/leads-view/{token}/notification-preferences'),
  openUnsubscription: link('orders', 'GET /api/unsubscriptions/{subscription}'),
  unsubscribe: link('orders', 'POST /api/unsubscriptions/{subscription}'),
  viewSubscription: link('orders', 'GET /api/unsubscriptions/{subscription}/state'),
  subscribeAgain: link('orders', 'DELETE /api/unsubscriptions/{subscription}'),
  requestNewLink: anyone('orders', 'POST /api/link-renewals'),

  fileClaim: route('admin-or-link', 'operations')('claims', 'POST /api/lead-claims'),
  getLeadClaim: route('admin-or-link', 'viewer')('claims', 'GET /api/lead-claims/lead/{leadId}'),
  listPendingClaims: viewer('claims', 'GET /api/lead-claims/admin/pending'),
  listClaims: viewer('claims', 'GET /api/lead-claims/admin/filtered'),
  approveClaim: operations('claims', 'POST /api/lead-claims/admin/approve/{claimId}'),
  listReplacements: viewer('claims', 'GET /api/lead-claims/replacements/{buyerId}'),
  rejectClaim: operations('claims', 'POST /api/lead-claims/admin/reject/{claimId}'),

  getClaimEvidence: viewer('claims', 'GET /api/lead-claims/admin/evidence/{claimId}'),
  reverseClaim: operations('claims', 'POST /api/lead-claims/admin/reverse/{claimId}'),

  getBuyerStats: viewer('insights', 'GET /api/admin/buyer-stats'),
  exportBuyerStats: viewer('insights', 'GET /api/admin/buyer-stats/export/{format}'),
  getSourceStats: viewer('insights', 'GET /api/admin/source-stats'),
  getLatencies: viewer('insights', 'GET /api/admin/latencies'),
  exportLatencies: viewer('insights', 'GET /api/admin/latencies/export/{format}'),
  getStatus: anyone('insights', 'GET /api/status'),
  listConsentCheckpoints: anyone('insights', 'GET /api/consent-checkpoints'),
  listSilentSources: viewer('insights', 'GET /api/admin/silent-sources'),
  exportAccounting: viewer('insights', 'GET /api/admin/accounting/export/{format}'),
  getChecklist: viewer('insights', 'GET /api/admin/buyers/{buyerId}/checklist'),
  simulate: viewer('insights', 'POST /api/admin/simulate'),
  listAudit: viewer('insights', 'GET /api/admin/audit'),
  search: viewer('insights', 'GET /api/admin/search'),

  listDeliveries: viewer('deliveries', 'GET /api/admin/deliveries'),
  resendDelivery: operations('deliveries', 'POST /api/admin/deliveries/{leadId}/{channel}/resend'),
  resendFailedDeliveries: operations('deliveries', 'POST /api/admin/deliveries/resend-failed/{buyerId}'),
  sendTestLead: operations('deliveries', 'POST /api/admin/deliveries/test/{buyerId}/{channel}'),
  tryChannel: operations('deliveries', 'POST /api/admin/deliveries/try/{channel}'),

  getVerificationSettings: admin('settings', 'GET /api/settings/verification'),
  saveVerificationSettings: admin('settings', 'POST /api/settings/verification'),
  getRetention: admin('settings', 'GET /api/settings/retention'),
  saveRetention: admin('settings', 'POST /api/settings/retention'),
  previewRetention: admin('settings', 'GET /api/settings/retention/preview'),
  getAlertSettings: admin('settings', 'GET /api/settings/alerts'),
  saveAlertSettings: admin('settings', 'POST /api/settings/alerts'),
  previewAlerts: admin('settings', 'GET /api/settings/alerts/preview'),
  sendTestAlert: admin('settings', 'POST /api/settings/alerts/test'),
  getStatusPage: admin('settings', 'GET /api/settings/status-page'),
  saveStatusPage: admin('settings', 'POST /api/settings/status-page'),
  saveCompany: admin('settings', 'POST /api/settings/company'),
  listEmailTemplates: viewer('settings', 'GET /api/settings/email-templates'),
  createEmailTemplate: admin('settings', 'POST /api/settings/email-templates'),
  updateEmailTemplate: admin('settings', 'PUT /api/settings/email-templates/{id}'),
  deleteEmailTemplate: admin('settings', 'DELETE /api/settings/email-templates/{id}'),
  tryEmailTemplate: admin('settings', 'POST /api/settings/email-templates/test'),
  sendTestEmail: admin('settings', 'POST /api/settings/email-templates/{id}/test'),
  getPushoverTemplate: admin('settings', 'GET /api/settings/pushover-template'),
  savePushoverTemplate: admin('settings', 'POST /api/settings/pushover-template'),
  listPushoverCredentials: viewer('settings', 'GET /api/pushover-credentials'),
  createPushoverCredential: admin('settings', 'POST /api/pushover-credentials'),
  updatePushoverCredential: admin('settings', 'PUT /api/pushover-credentials/{id}'),
  deletePushoverCredential: admin('settings', 'DELETE /api/pushover-credentials/{id}'),
  sendTestPush: admin('settings', 'POST /api/pushover-credentials/{id}/test'),

  findPeople: viewer('people', 'GET /api/people'),
  getPerson: viewer('people', 'GET /api/people/stored'),
  exportPerson: exporter('people', 'GET /api/people/stored/{format}'),
  beginErasure: admin('people', 'POST /api/people/erasures'),
  listErasures: viewer('people', 'GET /api/people/erasures'),
  getErasure: viewer('people', 'GET /api/people/erasures/{erasureId}'),
  exportErasure: exporter('people', 'GET /api/people/erasures/{erasureId}/certificate'),
  remindOfErasure: admin('people', 'POST /api/people/erasures/{erasureId}/recipients/{buyer}/remind'),
  confirmErasureForBuyer: admin('people', 'POST /api/people/erasures/{erasureId}/recipients/{buyer}/confirm'),
  listKnownPeople: admin('people', 'GET /api/known-people'),
  beginKnownPeople: admin('people', 'POST /api/known-people'),
  addKnownPeople: admin('people', 'PUT /api/known-people/{listId}/parts/{number}'),
  deleteKnownPeople: admin('people', 'DELETE /api/known-people/{listId}'),
  openKeptConsent: admin('people', 'POST /api/admin/leads/{leadId}/kept-consent'),
  viewErasureConfirmation: link('people', 'GET /api/erasure-confirmations/{token}'),
  confirmErasure: link('people', 'POST /api/erasure-confirmations/{token}'),
  withdrawConsent: operations('people', 'POST /api/people/withdrawals'),
  viewConsentLink: link('people', 'GET /api/consent/{token}'),
  followConsentLink: link('people', 'POST /api/consent/{token}'),

  getOpenApi: anyone('meta', 'GET /api/openapi.json'),
  getReadiness: anyone('auth', 'GET /api/ready'),
  getHealth: anyone('meta', 'GET /api/health'),
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof routes;
export type ApiFunction = (typeof routes)[EndpointId]['fn'];

export type EndpointOf<F extends ApiFunction> = {
  [Id in EndpointId]: (typeof routes)[Id]['fn'] extends F ? Id : never;
}[EndpointId];
