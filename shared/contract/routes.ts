/**
 * All calls of the API, from which gateway, routers, handlers, client and OpenAPI document derive. The schemas are in
 * `schemas.ts`, so that browsers load no validation library.
 */

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
  /** Of a successful answer; 200 by default. 204 has no body. */
  readonly status?: 202 | 204;
}

function route<Granted extends Access>(
  access: Granted,
): <const Fn extends string, M extends Method, Path extends Route['path']>(
  fn: Fn,
  call: `${M} ${Path}`,
) => { readonly method: M; readonly path: Path; readonly access: Granted; readonly fn: Fn };
function route(access: string): object {
  return (fn: string, call: string) => {
    const [method, path] = call.split(' ');
    return { method, path, access, fn };
  };
}

const anyone = route('public');
const admin = route('admin');
const link = route('link');
const adminOrLink = route('admin-or-link');
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
  changePassword: admin('auth', 'PUT /api/account/password'),
  reauthenticate: admin('auth', 'POST /api/account/reauthentication'),

  beginReauthentication: admin('auth', 'POST /api/account/reauthentication-options'),
  listPasskeys: admin('auth', 'GET /api/account/passkeys'),
  beginPasskey: admin('auth', 'POST /api/account/passkey-options'),
  addPasskey: admin('auth', 'POST /api/account/passkeys'),
  removePasskey: admin('auth', 'DELETE /api/account/passkeys/{passkeyId}'),
  renewRecoveryCodes: admin('auth', 'POST /api/account/recovery-codes'),
  requirePasskeys: admin('auth', 'PUT /api/passkey-requirement'),

  listAdmins: admin('auth', 'GET /api/admins'),
  inviteAdmin: admin('auth', 'POST /api/invitations'),
  withdrawInvitation: admin('auth', 'DELETE /api/invitations/{invitationId}'),
  resetAdmin: admin('auth', 'POST /api/admins/{username}/reset'),
  changeRole: admin('auth', 'PUT /api/admins/{username}/role'),
  removeAdmin: admin('auth', 'DELETE /api/admins/{username}'),
  listSessions: admin('auth', 'GET /api/admins/{username}/sessions'),
  endSession: admin('auth', 'DELETE /api/admins/{username}/sessions/{sessionId}'),
  endOtherSessions: admin('auth', 'DELETE /api/admins/{username}/sessions'),

  listApiKeys: admin('auth', 'GET /api/api-keys'),
  createApiKey: admin('auth', 'POST /api/api-keys'),
  revokeApiKey: admin('auth', 'DELETE /api/api-keys/{keyId}'),

  getDashboardStats: admin('insights', 'GET /api/admin/dashboard-stats'),
  getDashboardInitialData: admin('insights', 'GET /api/admin/dashboard-initial-data'),
  listBuyers: admin('buyers', 'GET /api/buyers'),
  listActiveBuyers: admin('buyers', 'GET /api/buyers/active'),
  createBuyer: admin('buyers', 'POST /api/buyers'),
  getBuyer: admin('buyers', 'GET /api/buyers/{buyerId}'),
  updateBuyer: admin('buyers', 'PUT /api/buyers/{buyerId}'),
  deleteBuyer: admin('buyers', 'PUT /api/buyers/{buyerId}/delete'),
  changeWeights: admin('buyers', 'PUT /api/buyer-weights'),
  regenerateToken: admin('buyers', 'PUT /api/buyers/{buyerId}/token'),
  confirmBuyerAddress: admin('buyers', 'POST /api/buyers/{buyerId}/address-confirmation'),
  getBalance: admin('buyers', 'GET /api/lead-claims/balance/{buyerId}'),
  getStatement: admin('insights', 'GET /api/buyers/{buyerId}/statement'),
  downloadStatement: admin('insights', 'GET /api/buyers/{buyerId}/statement/{format}'),
  sendStatement: admin('orders', 'POST /api/buyers/{buyerId}/statement-emails'),

  listOrders: admin('orders', 'GET /api/admin/orders'),
  listBuyerOrders: admin('orders', 'GET /api/admin/orders/{buyerId}'),
  createOrder: admin('orders', 'POST /api/admin'),
  previewOrder: admin('orders', 'GET /api/admin/order-preview'),
  updateOrderLimit: admin('orders', 'PUT /api/admin/{buyerId}'),
  deleteOrder: admin('orders', 'PUT /api/admin/{buyerId}/delete-order/{orderId}'),
  restoreLastDeletedOrder: admin('orders', 'PUT /api/admin/{buyerId}/restore-last-deleted-order'),
  regenerateOrderToken: admin('orders', 'PUT /api/admin/orders/{orderId}/token'),
  switchOffOrderToken: admin('orders', 'DELETE /api/admin/orders/{orderId}/token'),
  updateOrderRenewal: admin('orders', 'PUT /api/admin/orders/{orderId}/renewal'),
  decideReorder: admin('orders', 'POST /api/admin/orders/{orderId}/reorder'),
  updateOrderComments: admin('orders', 'PUT /api/admin/orders/{orderId}/comments'),

  listPendingLeads: admin('pending-leads', 'GET /api/ineligible-leads'),
  discardPendingLead: admin('pending-leads', 'DELETE /api/ineligible-leads/{leadId}'),
  assignPendingLead: admin('pending-leads', 'POST /api/ineligible-leads/assign/{leadId}'),
  distributePendingLead: admin('pending-leads', 'POST /api/ineligible-leads/distribute/{leadId}'),
  resendConfirmation: admin('pending-leads', 'POST /api/ineligible-leads/confirmation/{leadId}'),
  exportPendingLeads: admin('pending-leads', 'GET /api/ineligible-leads/export/{format}'),

  createLead: admin('leads', 'POST /api/leads'),
  listLeads: admin('insights', 'GET /api/admin/leads'),
  exportLeadRows: admin('insights', 'GET /api/admin/leads/export'),
  getLead: admin('leads', 'GET /api/admin/leads/{leadId}'),
  downloadConsentProof: admin('leads', 'GET /api/admin/leads/{leadId}/consent-proof/{format}'),
  updateLead: admin('leads', 'PUT /api/admin/leads/{leadId}'),
  deleteLead: admin('leads', 'DELETE /api/admin/leads/{leadId}'),

  listSources: admin('sources', 'GET /api/sources'),
  createSource: admin('sources', 'POST /api/sources'),
  updateSource: admin('sources', 'PUT /api/sources/{sourceId}'),
  createSourceKey: admin('sources', 'POST /api/sources/{sourceId}/keys'),
  revokeSourceKey: admin('sources', 'DELETE /api/sources/{sourceId}/keys/{slot}'),
  regenerateSpecification: admin('sources', 'PUT /api/sources/{sourceId}/specification'),
  switchOffSpecification: admin('sources', 'DELETE /api/sources/{sourceId}/specification'),
  viewSpecification: link('sources', 'GET /api/specifications/{token}'),
  getIntakeOpenApi: link('sources', 'GET /api/specifications/{token}/openapi.json'),
  listConsentTexts: admin('sources', 'GET /api/sources/{sourceId}/consent-texts'),
  addConsentText: admin('sources', 'POST /api/sources/{sourceId}/consent-texts'),
  retireConsentText: admin('sources', 'DELETE /api/sources/{sourceId}/consent-texts/{textId}'),
  getEndpoints: admin('sources', 'GET /api/sources/{sourceId}/endpoints'),
  updateEndpoints: admin('sources', 'PUT /api/sources/{sourceId}/endpoints'),
  createSigningSecret: admin('sources', 'POST /api/sources/{sourceId}/endpoints/secrets'),
  revokeSigningSecret: admin('sources', 'DELETE /api/sources/{sourceId}/endpoints/secrets/{slot}'),
  listCallbacks: admin('deliveries', 'GET /api/sources/{sourceId}/callbacks'),
  sendTestCallback: admin('deliveries', 'POST /api/sources/{sourceId}/test-callback/{endpoint}'),
  resendCallback: admin('deliveries', 'POST /api/admin/leads/{leadId}/callbacks/{callbackId}/resend'),
  postIntake: { ...source('intake', 'POST /api/intake'), status: 202 },
  importLeads: admin('intake', 'POST /api/sources/{sourceId}/leads'),
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

  fileClaim: adminOrLink('claims', 'POST /api/lead-claims'),
  getLeadClaim: adminOrLink('claims', 'GET /api/lead-claims/lead/{leadId}'),
  listPendingClaims: admin('claims', 'GET /api/lead-claims/admin/pending'),
  listClaims: admin('claims', 'GET /api/lead-claims/admin/filtered'),
  approveClaim: admin('claims', 'POST /api/lead-claims/admin/approve/{claimId}'),
  listReplacements: admin('claims', 'GET /api/lead-claims/replacements/{buyerId}'),
  rejectClaim: admin('claims', 'POST /api/lead-claims/admin/reject/{claimId}'),

  getClaimEvidence: admin('claims', 'GET /api/lead-claims/admin/evidence/{claimId}'),
  reverseClaim: admin('claims', 'POST /api/lead-claims/admin/reverse/{claimId}'),

  getBuyerStats: admin('insights', 'GET /api/admin/buyer-stats'),
  exportBuyerStats: admin('insights', 'GET /api/admin/buyer-stats/export/{format}'),
  getSourceStats: admin('insights', 'GET /api/admin/source-stats'),
  getLatencies: admin('insights', 'GET /api/admin/latencies'),
  exportLatencies: admin('insights', 'GET /api/admin/latencies/export/{format}'),
  getStatus: anyone('insights', 'GET /api/status'),
  listConsentCheckpoints: anyone('insights', 'GET /api/consent-checkpoints'),
  listSilentSources: admin('insights', 'GET /api/admin/silent-sources'),
  exportAccounting: admin('insights', 'GET /api/admin/accounting/export/{format}'),
  getChecklist: admin('insights', 'GET /api/admin/buyers/{buyerId}/checklist'),
  simulate: admin('insights', 'POST /api/admin/simulate'),
  listAudit: admin('insights', 'GET /api/admin/audit'),
  search: admin('insights', 'GET /api/admin/search'),

  listDeliveries: admin('deliveries', 'GET /api/admin/deliveries'),
  resendDelivery: admin('deliveries', 'POST /api/admin/deliveries/{leadId}/{channel}/resend'),
  resendFailedDeliveries: admin('deliveries', 'POST /api/admin/deliveries/resend-failed/{buyerId}'),
  sendTestLead: admin('deliveries', 'POST /api/admin/deliveries/test/{buyerId}/{channel}'),
  tryChannel: admin('deliveries', 'POST /api/admin/deliveries/try/{channel}'),

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
  listEmailTemplates: admin('settings', 'GET /api/settings/email-templates'),
  createEmailTemplate: admin('settings', 'POST /api/settings/email-templates'),
  updateEmailTemplate: admin('settings', 'PUT /api/settings/email-templates/{id}'),
  deleteEmailTemplate: admin('settings', 'DELETE /api/settings/email-templates/{id}'),
  tryEmailTemplate: admin('settings', 'POST /api/settings/email-templates/test'),
  sendTestEmail: admin('settings', 'POST /api/settings/email-templates/{id}/test'),
  getPushoverTemplate: admin('settings', 'GET /api/settings/pushover-template'),
  savePushoverTemplate: admin('settings', 'POST /api/settings/pushover-template'),
  listPushoverCredentials: admin('settings', 'GET /api/pushover-credentials'),
  createPushoverCredential: admin('settings', 'POST /api/pushover-credentials'),
  updatePushoverCredential: admin('settings', 'PUT /api/pushover-credentials/{id}'),
  deletePushoverCredential: admin('settings', 'DELETE /api/pushover-credentials/{id}'),
  listWebhooks: admin('settings', 'GET /api/settings/webhooks'),
  createWebhook: admin('settings', 'POST /api/settings/webhooks'),
  updateWebhook: admin('settings', 'PUT /api/settings/webhooks/{webhookId}'),
  deleteWebhook: admin('settings', 'DELETE /api/settings/webhooks/{webhookId}'),
  createWebhookSecret: admin('settings', 'POST /api/settings/webhooks/{webhookId}/secrets'),
  revokeWebhookSecret: admin('settings', 'DELETE /api/settings/webhooks/{webhookId}/secrets/{slot}'),
  listWebhookCalls: admin('deliveries', 'GET /api/settings/webhooks/{webhookId}/calls'),
  resendWebhookCall: admin('deliveries', 'POST /api/settings/webhooks/{webhookId}/calls/{eventId}/resend'),
  sendTestEvent: admin('deliveries', 'POST /api/settings/webhooks/{webhookId}/test'),
  sendTestPush: admin('settings', 'POST /api/pushover-credentials/{id}/test'),

  findPeople: admin('people', 'GET /api/people'),
  getPerson: admin('people', 'GET /api/people/stored'),
  exportPerson: admin('people', 'GET /api/people/stored/{format}'),
  beginErasure: admin('people', 'POST /api/people/erasures'),
  listErasures: admin('people', 'GET /api/people/erasures'),
  getErasure: admin('people', 'GET /api/people/erasures/{erasureId}'),
  exportErasure: admin('people', 'GET /api/people/erasures/{erasureId}/certificate'),
  remindOfErasure: admin('people', 'POST /api/people/erasures/{erasureId}/recipients/{buyer}/remind'),
  confirmErasureForBuyer: admin('people', 'POST /api/people/erasures/{erasureId}/recipients/{buyer}/confirm'),
  listKnownPeople: admin('people', 'GET /api/known-people'),
  beginKnownPeople: admin('people', 'POST /api/known-people'),
  addKnownPeople: admin('people', 'PUT /api/known-people/{listId}/parts/{number}'),
  deleteKnownPeople: admin('people', 'DELETE /api/known-people/{listId}'),
  openKeptConsent: admin('people', 'POST /api/admin/leads/{leadId}/kept-consent'),
  viewErasureConfirmation: link('people', 'GET /api/erasure-confirmations/{token}'),
  confirmErasure: link('people', 'POST /api/erasure-confirmations/{token}'),
  withdrawConsent: admin('people', 'POST /api/people/withdrawals'),
  viewConsentLink: link('people', 'GET /api/consent/{token}'),
  followConsentLink: link('people', 'POST /api/consent/{token}'),

  getOpenApi: anyone('meta', 'GET /api/openapi.json'),
  getReadiness: anyone('auth', 'GET /api/ready'),
  getHealth: anyone('meta', 'GET /api/health'),
} as const satisfies Record<string, Route>;

export type EndpointId = keyof typeof routes;
export type ApiFunction = (typeof routes)[EndpointId]['fn'];

/** Calls that take a session; `roles.ts` says which role each needs. */
export type SessionEndpointId = {
  [Id in EndpointId]: (typeof routes)[Id]['access'] extends 'admin' | 'admin-or-link' ? Id : never;
}[EndpointId];

export type EndpointOf<F extends ApiFunction> = {
  [Id in EndpointId]: (typeof routes)[Id]['fn'] extends F ? Id : never;
}[EndpointId];
