/** What the roles of admins allow, and what each call needs. Apart from the routes, so that pages of buyers do not load it. */

import { type EndpointId, routes, type SessionEndpointId } from '#shared/contract/routes';

export const ROLES = ['admin', 'operations', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** `personal-export` is a file with data of people; `own-account` is of the caller, or of anybody for an `admin`. */
export type Needs = 'viewer' | 'personal-export' | 'operations' | 'own-account' | 'admin';

export interface Rights {
  readonly role: Role;
  /** Viewers need it granted; the other roles have it. */
  readonly exports_personal_data: boolean;
}

/** @param isOwn whether the call is about the caller's own account */
export function isAllowed({ role, exports_personal_data }: Rights, needs: Needs, isOwn = false): boolean {
  switch (needs) {
    case 'viewer':
      return true;
    case 'personal-export':
      return exports_personal_data;
    case 'operations':
      return role !== 'viewer';
    case 'own-account':
      return isOwn || role === 'admin';
    case 'admin':
      return role === 'admin';
  }
}

/** Calls that not every role may make. */
export const RESTRICTED = {
  requirePasskeys: 'admin',
  inviteAdmin: 'admin',
  withdrawInvitation: 'admin',
  resetAdmin: 'admin',
  changeRole: 'admin',
  removeAdmin: 'admin',
  listSessions: 'own-account',
  endSession: 'own-account',
  endOtherSessions: 'own-account',
  listApiKeys: 'admin',
  createApiKey: 'admin',
  revokeApiKey: 'admin',
  createBuyer: 'operations',
  updateBuyer: 'operations',
  deleteBuyer: 'operations',
  changeWeights: 'operations',
  regenerateToken: 'operations',
  confirmBuyerAddress: 'operations',
  sendStatement: 'operations',
  createOrder: 'operations',
  updateOrderLimit: 'operations',
  deleteOrder: 'operations',
  restoreLastDeletedOrder: 'operations',
  regenerateOrderToken: 'operations',
  switchOffOrderToken: 'operations',
  updateOrderRenewal: 'operations',
  decideReorder: 'operations',
  updateOrderComments: 'operations',
  discardPendingLead: 'operations',
  assignPendingLead: 'operations',
  distributePendingLead: 'operations',
  resendConfirmation: 'operations',
  exportPendingLeads: 'personal-export',
  exportLeadRows: 'personal-export',
  createLead: 'operations',
  downloadConsentProof: 'personal-export',
  updateLead: 'operations',
  deleteLead: 'operations',
  createSource: 'operations',
  updateSource: 'operations',
  createSourceKey: 'admin',
  revokeSourceKey: 'admin',
  regenerateSpecification: 'operations',
  switchOffSpecification: 'operations',
  addConsentText: 'operations',
  retireConsentText: 'operations',
  // Saving an address creates a signing secret.
  updateEndpoints: 'admin',
  createSigningSecret: 'admin',
  revokeSigningSecret: 'admin',
  sendTestCallback: 'operations',
  resendCallback: 'operations',
  importLeads: 'operations',
  fileClaim: 'operations',
  approveClaim: 'operations',
  rejectClaim: 'operations',
  reverseClaim: 'operations',
  resendDelivery: 'operations',
  resendFailedDeliveries: 'operations',
  sendTestLead: 'operations',
  tryChannel: 'operations',
  getVerificationSettings: 'admin',
  saveVerificationSettings: 'admin',
  getRetention: 'admin',
  saveRetention: 'admin',
  previewRetention: 'admin',
  getAlertSettings: 'admin',
  saveAlertSettings: 'admin',
  previewAlerts: 'admin',
  sendTestAlert: 'admin',
  getStatusPage: 'admin',
  saveStatusPage: 'admin',
  saveCompany: 'admin',
  createEmailTemplate: 'admin',
  updateEmailTemplate: 'admin',
  deleteEmailTemplate: 'admin',
  tryEmailTemplate: 'admin',
  sendTestEmail: 'admin',
  getPushoverTemplate: 'admin',
  savePushoverTemplate: 'admin',
  createPushoverCredential: 'admin',
  updatePushoverCredential: 'admin',
  deletePushoverCredential: 'admin',
  sendTestPush: 'admin',
  listWebhooks: 'admin',
  createWebhook: 'admin',
  updateWebhook: 'admin',
  deleteWebhook: 'admin',
  createWebhookSecret: 'admin',
  revokeWebhookSecret: 'admin',
  listWebhookCalls: 'admin',
  resendWebhookCall: 'admin',
  sendTestEvent: 'admin',
  exportPerson: 'personal-export',
  beginErasure: 'admin',
  exportErasure: 'personal-export',
  remindOfErasure: 'admin',
  confirmErasureForBuyer: 'admin',
  openKeptConsent: 'admin',
  withdrawConsent: 'operations',
  beginKnownPeople: 'operations',
  addKnownPeople: 'operations',
  deleteKnownPeople: 'operations',
} as const satisfies Readonly<Partial<Record<SessionEndpointId, Needs>>>;
export type RestrictedId = keyof typeof RESTRICTED;

/** All other calls with a session: one that is missing here does not compile. A type, because every function loads this file. */
type OpenToAll =
  | 'changePassword'
  | 'reauthenticate'
  | 'beginReauthentication'
  | 'listPasskeys'
  | 'beginPasskey'
  | 'addPasskey'
  | 'removePasskey'
  | 'renewRecoveryCodes'
  | 'listAdmins'
  | 'getDashboardStats'
  | 'getDashboardInitialData'
  | 'listBuyers'
  | 'listActiveBuyers'
  | 'getBuyer'
  | 'getBalance'
  | 'getStatement'
  | 'downloadStatement'
  | 'listOrders'
  | 'listBuyerOrders'
  | 'previewOrder'
  | 'listPendingLeads'
  | 'listLeads'
  | 'getLead'
  | 'listSources'
  | 'listConsentTexts'
  | 'getEndpoints'
  | 'listCallbacks'
  | 'getLeadClaim'
  | 'listPendingClaims'
  | 'listClaims'
  | 'listReplacements'
  | 'getClaimEvidence'
  | 'getBuyerStats'
  | 'exportBuyerStats'
  | 'getSourceStats'
  | 'getLatencies'
  | 'exportLatencies'
  | 'listSilentSources'
  | 'exportAccounting'
  | 'getChecklist'
  | 'simulate'
  | 'listAudit'
  | 'search'
  | 'listDeliveries'
  | 'listEmailTemplates'
  | 'listPushoverCredentials'
  | 'findPeople'
  | 'listKnownPeople'
  | 'getPerson'
  | 'listErasures'
  | 'getErasure';

/** @returns undefined if the call takes no session */
export function needsOf(id: EndpointId): Needs | undefined {
  if (isRestricted(id)) return RESTRICTED[id];
  const open: OpenToAll | undefined = takesSession(id) ? id : undefined;
  return open && 'viewer';
}

const takesSession = (id: EndpointId): id is SessionEndpointId =>
  routes[id].access === 'admin' || routes[id].access === 'admin-or-link';

const isRestricted = (id: EndpointId): id is RestrictedId => id in RESTRICTED;
