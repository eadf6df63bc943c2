/** Texts of failures and questions. Those of fields are in `invalid-texts.ts`, those of successes with the writes in `data`. */
import type { EndpointId } from '#shared/contract/routes';

export const NOTES_PLACEHOLDER = 'Enter notes or reasons for your decision...';
export const whyNoLeads = (buyerId: string) => `Why no leads for ${buyerId}`;

const SEND_TEST = 'Failed to send the test';

/** By call; shown if the server sends no message. */
export const FAILED = {
  addPasskey: 'Failed to register the passkey',
  approveClaim: 'Failed to approve claim',
  assignPendingLead: 'Failed to assign lead',
  beginErasure: 'Failed to erase the person',
  beginPasskey: 'Failed to register the passkey',
  beginReauthentication: 'The check failed',
  changePassword: 'Failed to change the password',
  changeWeights: 'Failed to save the probabilities',
  confirmBuyerAddress: 'Failed to confirm the address',
  confirmErasureForBuyer: 'Failed to record the confirmation',
  createBuyer: 'Failed to add buyer',
  createEmailTemplate: 'Failed to create email template',
  createLead: 'Failed to submit lead',
  createOrder: 'Failed to create order',
  createPushoverCredential: 'Failed to add Pushover credentials',
  createSigningSecret: 'Failed to create a secret',
  createSource: 'Failed to add the source',
  createSourceKey: 'Failed to create a key',
  decideReorder: 'Failed to update order',
  deleteBuyer: 'Failed to delete buyer',
  deleteEmailTemplate: 'Failed to delete email template',
  deleteLead: 'Failed to delete lead',
  deleteOrder: 'Failed to delete order',
  deletePushoverCredential: 'Failed to delete Pushover credentials',
  requirePasskeys: 'Failed to change the passkey requirement',
  discardPendingLead: 'Failed to discard lead',
  distributePendingLead: 'Failed to distribute lead',
  endOtherSessions: 'Failed to end the session',
  endSession: 'Failed to end the session',
  findPeople: 'Failed to find people',
  getAlertSettings: 'Failed to load the alerts',
  getBalance: 'Failed to load data',
  getBuyer: 'Failed to load buyers',
  getBuyerStats: 'Failed to fetch buyer statistics',
  getChecklist: 'Failed to load the checklist',
  getClaimEvidence: 'Failed to load the evidence',
  getDashboardStats: 'Failed to load dashboard statistics',
  getEndpoints: 'Failed to load the callbacks',
  getLatencies: 'Delivery times could not be loaded',
  getLead: 'Failed to load data',
  getPerson: 'Failed to load the stored data',
  getPushoverTemplate: 'Failed to load Pushover template',
  getRetention: 'Failed to load the retention',
  getSourceStats: 'Failed to fetch the figures of the sources',
  getStatement: 'Failed to load data',
  getStatusPage: 'Failed to load API settings',
  getVerificationSettings: 'Failed to load API settings',
  importLeads: 'No answer was received.',
  inviteAdmin: 'Failed to invite the admin',
  listAdmins: 'Failed to load the admins',
  listAudit: 'Failed to load the audit trail',
  listBuyerOrders: 'Failed to fetch orders',
  listBuyers: 'Failed to load buyers',
  listCallbacks: 'Failed to load the callbacks',
  listClaims: 'Failed to fetch claims',
  listDeliveries: 'Failed to load deliveries',
  listEmailTemplates: 'Failed to load email templates',
  listErasures: 'Failed to load the erasures',
  listOrders: 'Failed to fetch orders',
  listPasskeys: 'Failed to load the passkeys',
  listPendingClaims: 'Failed to fetch pending claims',
  listPendingLeads: 'Failed to load ineligible leads',
  listPushoverCredentials: 'Failed to load Pushover credentials',
  listReplacements: 'Failed to load data',
  listSessions: 'Failed to load the sessions',
  listSilentSources: 'Failed to fetch the figures of the sources',
  listSources: 'Failed to load the sources',
  previewAlerts: 'Failed to load the alerts',
  previewOrder: 'Failed to load ineligible leads',
  previewRetention: 'Failed to count the leads',
  reauthenticate: 'The check failed',
  regenerateToken: 'Failed to regenerate token',
  rejectClaim: 'Failed to reject claim',
  remindOfErasure: 'Failed to send the reminder',
  removeAdmin: 'Failed to remove the admin',
  removePasskey: 'Failed to remove the passkey',
  renewOrderToken: 'Failed to regenerate token',
  renewRecoveryCodes: 'Failed to create recovery codes',
  renewSpecification: 'Failed to regenerate token',
  resendCallback: 'Failed to resend',
  resendDelivery: 'Failed to resend',
  resendFailedDeliveries: 'Failed to resend',
  resetAdmin: 'Failed to reset the access',
  restoreLastDeletedOrder: 'Failed to restore order',
  reverseClaim: 'Failed to reverse the decision',
  revokeSigningSecret: 'Failed to revoke the secret',
  revokeSourceKey: 'Failed to revoke the key',
  saveAlertSettings: 'Failed to save settings',
  savePushoverTemplate: 'Failed to save Pushover template',
  saveRetention: 'Failed to save settings',
  saveStatusPage: 'Failed to save settings',
  saveVerificationSettings: 'Failed to save settings',
  search: 'Failed to search',
  sendStatement: 'Failed to send the statement',
  sendTestAlert: SEND_TEST,
  sendTestCallback: SEND_TEST,
  sendTestEmail: SEND_TEST,
  sendTestLead: SEND_TEST,
  sendTestPush: SEND_TEST,
  simulate: 'The simulation failed',
  switchOffOrderToken: 'Failed to switch off the link',
  switchOffSpecification: 'Failed to switch off the link',
  tryChannel: SEND_TEST,
  tryEmailTemplate: SEND_TEST,
  updateBuyer: 'Failed to edit buyer',
  updateEmailTemplate: 'Failed to update email template',
  updateEndpoints: 'Failed to save the callbacks',
  updateLead: 'Failed to update lead',
  updateOrderComments: 'Failed to update comments',
  updateOrderLimit: 'Failed to update order limit',
  updateOrderRenewal: 'Failed to update order',
  updatePushoverCredential: 'Failed to update Pushover credentials',
  updateSource: 'Failed to save the source',
  withdrawInvitation: 'Failed to withdraw the link',
} as const satisfies Partial<Record<EndpointId, string>>;

/** Shown where no call failed, or none in particular. */
export const TROUBLE = {
  loadData: 'Failed to load data',
  fetchBuyers: 'Failed to fetch buyers',
  updateBuyer: (id: string) => `Failed to update buyer ${id}`,
  changedMeanwhile: 'Another admin has changed this',
  openOffline: 'This cannot be opened without a connection.',
  openOutdated: 'This could not be opened. Save what you have typed, then reload the page.',
} as const;

/** The outcome of Create Lead and of Edit & Assign, and of a decision in the inbox. */
export const OUTCOME = {
  assigned: (buyer: string, link: string) => `Lead assigned to ${buyer}. Share this link: ${link}`,
  assignedWithoutLink: (buyer: string) => `Lead assigned to ${buyer}. The link of its order is off.`,
  ineligible: 'Lead marked as ineligible',
  /** A decision that was held back could not be sent. */
  undecided: (id: number, why: string) => `Claim #${id}: ${why}`,
} as const;

export const CONFIRM = {
  deleteTemplate: 'Are you sure you want to delete this email template?',
  deleteCredentials: 'Are you sure you want to delete these Pushover credentials?',
  deleteBuyer: (id: string) => `Delete buyer ${id}? It stops getting leads. Its orders and leads stay.`,
  deleteOrder: (id: number) =>
    `Delete order ${id}? Replacements it still owes go back to the buyer's balance. The last deleted order can be restored.`,
  discardLeads: (count: string) =>
    `Discard ${count} permanently? Their personal data are removed. This cannot be undone.`,
  discardLead: (name: string) => `Discard the lead of ${name} permanently? This cannot be undone.`,
  deleteLead: (name: string, isCompensated: boolean) =>
    `Delete the lead of ${name}? It is removed from the buyer's list${
      isCompensated
        ? ' and the revenue. Its claim was approved, so the order gets no other lead for it.'
        : ', and the order can get another lead instead.'
    }`,
  regenerate: (id: string) => `Create a new link for buyer ${id}? The old link stops working.`,
  renewLink: (id: number) => `Create a new link for order ${id}? The old link stops working.`,
  switchOffLink: (id: number) =>
    `Turn off the link of order ${id}? It stops working permanently. Turning it on again creates a new link.`,
  exclusive: (id: string) =>
    `Setting buyer ${id} to 100% sets the probability of all other active buyers to 0%. Continue?`,
  revokeKey: (prefix: string, name: string) =>
    `Revoke key ${prefix}… of ${name}? Posts with it are refused at once. This cannot be undone.`,
  revokeSecret: (name: string) =>
    `Revoke this secret of ${name}? Receivers that check signatures only with it will refuse every webhook.`,
  renewSpecification: (name: string) =>
    `Create a new link for the specification page of ${name}? The old link stops working.`,
  switchOffSpecification: (name: string) =>
    `Turn off the specification page of ${name}? Its link stops working permanently. Turning it on again creates a new link.`,
  removeAdmin: (name: string) =>
    `Remove ${name}? Their sessions end at once, and the links they created stop working.`,
  removeOneself: 'Remove yourself? You are logged out at once. Only another admin can invite you again.',
  erasePerson: (leads: number, buyers: readonly string[]) =>
    `Erase the person of ${leads === 1 ? 'this lead' : `these ${leads} leads`}? Name, addresses, phone number, texts and sent data are removed permanently. A lead without a buyer is discarded, and open deliveries are cancelled. Numbers, amounts, prices, claims and decisions stay. ${
      buyers.length === 0
        ? 'No buyer has received anything.'
        : `These buyers are notified and asked to confirm: ${buyers.join(', ')}.`
    } Backups keep the data until they expire. This cannot be undone.`,
  confirmErasure: (buyer: string) =>
    `Record that ${buyer} has confirmed the erasure by other means? It gets no more reminders.`,
  removePasskey: (name: string, isLast: boolean) =>
    `Remove passkey ${name}? It can no longer be used to log in.${
      isLast
        ? ' It is your last one. Your recovery codes stop working, and you log in with your password alone.'
        : ''
    }`,
  requirePasskeys: (without: number) =>
    `Require a passkey for every admin?${
      without === 0
        ? ''
        : ` ${without} without one ${without === 1 ? 'is' : 'are'} logged out at once and must register one at the next log-in.`
    }`,
  leave: 'You have unsaved changes. Leave without saving?',
} as const;
