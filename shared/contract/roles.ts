/** What the roles of admins allow, and what each call needs. Apart from the routes, so that pages of buyers do not load it. */

import type { EndpointId, SessionEndpointId } from '#shared/contract/routes';

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

/** All other calls with a session: one without an entry does not compile. */
const OPEN_TO_ALL: Readonly<Record<Exclude<SessionEndpointId, RestrictedId>, 'viewer'>> = {
  changePassword: 'viewer',
  reauthenticate: 'viewer',
  beginReauthentication: 'viewer',
  listPasskeys: 'viewer',
  beginPasskey: 'viewer',
  addPasskey: 'viewer',
  removePasskey: 'viewer',
  renewRecoveryCodes: 'viewer',
  listAdmins: 'viewer',
  getDashboardStats: 'viewer',
  getDashboardInitialData: 'viewer',
  listBuyers: 'viewer',
  listActiveBuyers: 'viewer',
  getBuyer: 'viewer',
  getBalance: 'viewer',
  getStatement: 'viewer',
  downloadStatement: 'viewer',
  listOrders: 'viewer',
  listBuyerOrders: 'viewer',
  previewOrder: 'viewer',
  listPendingLeads: 'viewer',
  listLeads: 'viewer',
  getLead: 'viewer',
  listSources: 'viewer',
  listConsentTexts: 'viewer',
  getEndpoints: 'viewer',
  listCallbacks: 'viewer',
  getLeadClaim: 'viewer',
  listPendingClaims: 'viewer',
  listClaims: 'viewer',
  listReplacements: 'viewer',
  getClaimEvidence: 'viewer',
  getBuyerStats: 'viewer',
  exportBuyerStats: 'viewer',
  getSourceStats: 'viewer',
  getLatencies: 'viewer',
  exportLatencies: 'viewer',
  listSilentSources: 'viewer',
  exportAccounting: 'viewer',
  getChecklist: 'viewer',
  simulate: 'viewer',
  listAudit: 'viewer',
  search: 'viewer',
  listDeliveries: 'viewer',
  listEmailTemplates: 'viewer',
  listPushoverCredentials: 'viewer',
  findPeople: 'viewer',
  listKnownPeople: 'viewer',
  getPerson: 'viewer',
  listErasures: 'viewer',
  getErasure: 'viewer',
};

/** @returns undefined if the call takes no session */
export const needsOf = (id: EndpointId): Needs | undefined =>
  isRestricted(id) ? RESTRICTED[id] : id in OPEN_TO_ALL ? 'viewer' : undefined;

const isRestricted = (id: EndpointId): id is RestrictedId => id in RESTRICTED;
