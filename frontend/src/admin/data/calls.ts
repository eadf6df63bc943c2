import type { EndpointId } from '#shared/contract/routes';

/** The first part of every query key: what a write may have changed. */
export type Resource =
  | 'admins'
  | 'alerts'
  | 'audit'
  | 'buyers'
  | 'callbacks'
  | 'claims'
  | 'company'
  | 'deliveries'
  | 'lead'
  | 'leads'
  | 'orders'
  | 'people'
  | 'pending-leads'
  | 'push-credentials'
  | 'push-template'
  | 'status-page'
  | 'sources'
  | 'dashboard'
  | 'statistics'
  | 'templates'
  | 'retention'
  | 'verification'
  | 'webhooks';

/** What is shown if the server sends no message, and what the call may have changed. */
export type Call = readonly [failed: string, affected?: readonly Resource[]];

const ADMINS = ['admins', 'audit'] as const;
const CALLBACKS = ['callbacks', 'audit'] as const;
const CREDENTIALS = ['push-credentials', 'audit'] as const;
const DELIVERIES = ['deliveries', 'lead', 'leads', 'buyers', 'dashboard', 'audit'] as const;
const LINKS = ['orders', 'buyers', 'lead', 'audit'] as const;
const SOURCES = ['sources', 'audit'] as const;
const WEBHOOKS = ['webhooks', 'audit'] as const;
const TEMPLATES = ['templates', 'buyers', 'audit'] as const;

/** Affected by every change of orders and leads. */
const FIGURES = ['buyers', 'orders', 'dashboard', 'statistics', 'leads', 'audit'] as const;
const AFFECTED_BY_BUYERS = [...FIGURES, 'claims'] as const;
const AFFECTED_BY_ORDERS = [...FIGURES, 'pending-leads'] as const;
export const AFFECTED_BY_DECISION = [...FIGURES, 'claims', 'lead', 'pending-leads'] as const;
export const AFFECTED_BY_LEADS = [...AFFECTED_BY_DECISION, 'deliveries'] as const;

const SEND_TEST = 'Failed to send the test';

/** Every call of the admin app. */
export const CALLS = {
  addPasskey: ['Failed to register the passkey', ADMINS],
  approveClaim: ['Failed to approve claim', AFFECTED_BY_DECISION],
  assignPendingLead: ['Failed to assign lead', AFFECTED_BY_LEADS],
  beginErasure: [
    'Failed to erase the person',
    ['people', 'lead', 'leads', 'pending-leads', 'claims', 'deliveries', 'dashboard', 'audit'],
  ],
  addConsentText: ['Failed to add the wording', SOURCES],
  exportLeadRows: ['Failed to export the leads'],
  beginPasskey: ['Failed to register the passkey'],
  beginReauthentication: ['The check failed'],
  changePassword: ['Failed to change the password', ADMINS],
  addKnownPeople: ['Failed to upload the people'],
  beginKnownPeople: ['Failed to begin the list', ['people', 'audit']],
  changeWeights: ['Failed to save the probabilities', AFFECTED_BY_BUYERS],
  confirmBuyerAddress: ['Failed to confirm the address', ['buyers', 'dashboard', 'audit']],
  confirmErasureForBuyer: ['Failed to record the confirmation', ['people', 'audit']],
  createBuyer: ['Failed to add buyer', ['buyers', 'dashboard', 'statistics', 'audit']],
  createEmailTemplate: ['Failed to create email template', ['templates', 'audit']],
  createLead: ['Failed to submit lead', AFFECTED_BY_LEADS],
  createOrder: ['Failed to create order', AFFECTED_BY_ORDERS],
  createPushoverCredential: ['Failed to add Pushover credentials', CREDENTIALS],
  createSigningSecret: ['Failed to create a secret', CALLBACKS],
  createSource: ['Failed to add the source', SOURCES],
  createSourceKey: ['Failed to create a key', SOURCES],
  decideReorder: ['Failed to update order', AFFECTED_BY_ORDERS],
  deleteBuyer: ['Failed to delete buyer'],
  deleteEmailTemplate: ['Failed to delete email template', TEMPLATES],
  deleteKnownPeople: ['Failed to delete the list'],
  deleteLead: ['Failed to delete lead', AFFECTED_BY_LEADS],
  deleteOrder: ['Failed to delete order', AFFECTED_BY_ORDERS],
  deletePushoverCredential: ['Failed to delete Pushover credentials', CREDENTIALS],
  requirePasskeys: ['Failed to change the passkey requirement', ADMINS],
  discardPendingLead: ['Failed to discard lead', AFFECTED_BY_LEADS],
  distributePendingLead: ['Failed to distribute lead'],
  endOtherSessions: ['Failed to end the session', ADMINS],
  endSession: ['Failed to end the session', ADMINS],
  findPeople: ['Failed to find people'],
  getAlertSettings: ['Failed to load the alerts'],
  getBalance: ['Failed to load data'],
  getBuyer: ['Failed to load buyers'],
  getBuyerStats: ['Failed to fetch buyer statistics'],
  getChecklist: ['Failed to load the checklist'],
  getClaimEvidence: ['Failed to load the evidence'],
  getCompany: ['Failed to load the company details'],
  getDashboardStats: ['Failed to load dashboard statistics'],
  getEndpoints: ['Failed to load the callbacks'],
  getLatencies: ['Delivery times could not be loaded'],
  getLead: ['Failed to load data'],
  getPerson: ['Failed to load the stored data'],
  getPushoverTemplate: ['Failed to load Pushover template'],
  getRetention: ['Failed to load the retention'],
  getSourceStats: ['Failed to fetch the figures of the sources'],
  getStatement: ['Failed to load data'],
  getStatusPage: ['Failed to load API settings'],
  getVerificationSettings: ['Failed to load API settings'],
  importLeads: ['No answer was received.'],
  changeRole: ['Failed to change the role', ADMINS],
  checkAuth: ['Failed to read your role'],
  createApiKey: ['Failed to create the key', ADMINS],
  revokeApiKey: ['Failed to revoke the key', ADMINS],
  createWebhook: ['Failed to add the webhook', WEBHOOKS],
  createWebhookSecret: ['Failed to create a secret', WEBHOOKS],
  deleteWebhook: ['Failed to delete the webhook', WEBHOOKS],
  inviteAdmin: ['Failed to invite the admin', ADMINS],
  listApiKeys: ['Failed to load the API keys'],
  listAdmins: ['Failed to load the admins'],
  listAudit: ['Failed to load the audit trail'],
  listBuyerOrders: ['Failed to fetch orders'],
  listBuyers: ['Failed to load buyers'],
  listCallbacks: ['Failed to load the callbacks'],
  listClaims: ['Failed to fetch claims'],
  listDeliveries: ['Failed to load deliveries'],
  listEmailTemplates: ['Failed to load email templates'],
  listErasures: ['Failed to load the erasures'],
  listKnownPeople: ['Failed to load the lists of known people'],
  listLeads: ['Failed to load the leads'],
  listOrders: ['Failed to fetch orders'],
  listPasskeys: ['Failed to load the passkeys'],
  listPendingClaims: ['Failed to fetch pending claims'],
  listPendingLeads: ['Failed to load ineligible leads'],
  listPushoverCredentials: ['Failed to load Pushover credentials'],
  listReplacements: ['Failed to load data'],
  listSessions: ['Failed to load the sessions'],
  listSilentSources: ['Failed to fetch the figures of the sources'],
  listConsentTexts: ['Failed to load the wordings'],
  listSources: ['Failed to load the sources'],
  listWebhookCalls: ['Failed to load the calls'],
  listWebhooks: ['Failed to load the webhooks'],
  openKeptConsent: ['Failed to open the proof', ['audit']],
  previewAlerts: ['Failed to load the alerts'],
  previewOrder: ['Failed to load ineligible leads'],
  previewRetention: ['Failed to count the leads'],
  reauthenticate: ['The check failed'],
  regenerateToken: ['Failed to regenerate token', ['buyers', 'orders', 'audit']],
  rejectClaim: ['Failed to reject claim', AFFECTED_BY_DECISION],
  remindOfErasure: ['Failed to send the reminder', ['people']],
  removeAdmin: ['Failed to remove the admin', ADMINS],
  removePasskey: ['Failed to remove the passkey', ADMINS],
  regenerateOrderToken: ['Failed to regenerate token', LINKS],
  renewRecoveryCodes: ['Failed to create recovery codes', ADMINS],
  regenerateSpecification: ['Failed to regenerate token', SOURCES],
  resendCallback: ['Failed to resend', ['callbacks', 'lead', 'audit']],
  resendConfirmation: ['Failed to resend', ['lead', 'audit']],
  resendDelivery: ['Failed to resend', DELIVERIES],
  resendFailedDeliveries: ['Failed to resend', DELIVERIES],
  resendWebhookCall: ['Failed to resend', WEBHOOKS],
  resetAdmin: ['Failed to reset the access', ADMINS],
  restoreLastDeletedOrder: ['Failed to restore order', AFFECTED_BY_ORDERS],
  retireConsentText: ['Failed to retire the wording', SOURCES],
  reverseClaim: ['Failed to reverse the decision', AFFECTED_BY_DECISION],
  revokeSigningSecret: ['Failed to revoke the secret', CALLBACKS],
  revokeSourceKey: ['Failed to revoke the key', SOURCES],
  revokeWebhookSecret: ['Failed to revoke the secret', WEBHOOKS],
  saveAlertSettings: ['Failed to save settings', ['alerts', 'audit']],
  saveCompany: ['Failed to save settings', ['company', 'audit']],
  savePushoverTemplate: ['Failed to save Pushover template', ['push-template', 'audit']],
  saveRetention: ['Failed to save settings', ['retention', 'audit']],
  saveStatusPage: ['Failed to save settings', ['status-page', 'audit']],
  saveVerificationSettings: ['Failed to save settings', ['verification', 'audit']],
  search: ['Failed to search'],
  sendStatement: ['Failed to send the statement', ['audit']],
  sendTestAlert: [SEND_TEST],
  sendTestCallback: [SEND_TEST],
  sendTestEmail: [SEND_TEST],
  sendTestEvent: [SEND_TEST],
  sendTestLead: [SEND_TEST],
  sendTestPush: [SEND_TEST],
  simulate: ['The simulation failed'],
  switchOffOrderToken: ['Failed to switch off the link', LINKS],
  switchOffSpecification: ['Failed to switch off the link', SOURCES],
  tryChannel: [SEND_TEST],
  tryEmailTemplate: [SEND_TEST],
  updateBuyer: ['Failed to edit buyer', AFFECTED_BY_BUYERS],
  updateEmailTemplate: ['Failed to update email template', TEMPLATES],
  updateEndpoints: ['Failed to save the callbacks', CALLBACKS],
  updateLead: ['Failed to update lead', AFFECTED_BY_LEADS],
  updateOrderComments: ['Failed to update comments', ['orders', 'audit']],
  updateOrderLimit: ['Failed to update order limit'],
  updateOrderRenewal: ['Failed to update order', AFFECTED_BY_ORDERS],
  updatePushoverCredential: ['Failed to update Pushover credentials', CREDENTIALS],
  updateSource: ['Failed to save the source', SOURCES],
  updateWebhook: ['Failed to save the webhook', WEBHOOKS],
  withdrawConsent: [
    'Failed to withdraw the consent',
    ['people', 'lead', 'leads', 'pending-leads', 'deliveries', 'dashboard', 'audit'],
  ],
  withdrawInvitation: ['Failed to withdraw the link', ADMINS],
} as const satisfies { readonly [Id in EndpointId]?: Call };
