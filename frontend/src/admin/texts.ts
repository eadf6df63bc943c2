/** Every text of the admin app that tells of an error or a success, in one catalogue; those of fields are in `invalid-texts.ts`. */
/** Shown when the server gives no text of its own. */
export const FAILED = {
  loadPeople: 'Failed to find people',
  loadPerson: 'Failed to load what is stored',
  loadErasures: 'Failed to load the erasures',
  erase: 'Failed to erase',
  remind: 'Failed to remind',
  confirmErasure: 'Failed to record the confirmation',
  loadData: 'Failed to load data',
  loadDashboardStatistics: 'Failed to load dashboard statistics',
  loadBuyers: 'Failed to load buyers',
  loadPendingLeads: 'Failed to load ineligible leads',
  updateBuyer: (id: string) => `Failed to update buyer ${id}`,
  editBuyer: 'Failed to edit buyer',
  saveWeights: 'Failed to save the probabilities',
  updateOrderLimit: 'Failed to update order limit',
  deleteBuyer: 'Failed to delete buyer',
  addBuyer: 'Failed to add buyer',
  createOrder: 'Failed to create order',
  updateOrder: 'Failed to update order',
  confirmAddress: 'Failed to confirm the address',
  regenerateToken: 'Failed to regenerate token',
  switchOffLink: 'Failed to switch off the link',
  deleteOrder: 'Failed to delete order',
  restoreOrder: 'Failed to restore order',
  updateComments: 'Failed to update comments',
  sendStatement: 'Failed to send the statement',
  discardLead: 'Failed to discard lead',
  assignLead: 'Failed to assign lead',
  distributeLead: 'Failed to distribute lead',
  deleteLead: 'Failed to delete lead',
  updateLead: 'Failed to update lead',
  fetchBuyers: 'Failed to fetch buyers',
  fetchOrders: 'Failed to fetch orders',
  submitLead: 'Failed to submit lead',
  fetchBuyerStatistics: 'Failed to fetch buyer statistics',
  loadSettings: 'Failed to load API settings',
  saveSettings: 'Failed to save settings',
  loadChecklist: 'Failed to load the checklist',
  loadAlerts: 'Failed to load the alerts',
  loadRetention: 'Failed to load the retention',
  previewRetention: 'Failed to count the leads',
  loadTemplates: 'Failed to load email templates',
  createTemplate: 'Failed to create email template',
  updateTemplate: 'Failed to update email template',
  deleteTemplate: 'Failed to delete email template',
  loadPushTemplate: 'Failed to load Pushover template',
  savePushTemplate: 'Failed to save Pushover template',
  loadPushCredentials: 'Failed to load Pushover credentials',
  addPushCredentials: 'Failed to add Pushover credentials',
  updatePushCredentials: 'Failed to update Pushover credentials',
  deletePushCredentials: 'Failed to delete Pushover credentials',
  loadDeliveries: 'Failed to load deliveries',
  resendDelivery: 'Failed to send again',
  sendTest: 'Failed to send the test',
  loadAudit: 'Failed to load the audit trail',
  fetchLatencies: 'Failed to fetch how long leads take',
  fetchSourceStatistics: 'Failed to fetch the figures of the sources',
  loadSources: 'Failed to load the sources',
  addSource: 'Failed to add the source',
  saveSource: 'Failed to save the source',
  createKey: 'Failed to create a key',
  importLeads: 'No answer came.',
  revokeKey: 'Failed to revoke the key',
  loadCallbacks: 'Failed to load the callbacks',
  saveCallbacks: 'Failed to save the callbacks',
  createSecret: 'Failed to create a secret',
  revokeSecret: 'Failed to revoke the secret',
  loadAdmins: 'Failed to load the admins',
  inviteAdmin: 'Failed to invite the admin',
  resetAdmin: 'Failed to reset the access',
  removeAdmin: 'Failed to remove the admin',
  withdrawInvitation: 'Failed to withdraw the link',
  loadSessions: 'Failed to load the sessions',
  endSession: 'Failed to end the session',
  changePassword: 'Failed to change the password',
  loadPasskeys: 'Failed to load the passkeys',
  addPasskey: 'Failed to register the passkey',
  removePasskey: 'Failed to remove the passkey',
  renewCodes: 'Failed to make recovery codes',
  demandPasskeys: 'Failed to change what is demanded',
  prove: 'This could not be checked',
  simulate: 'Failed to simulate',
  search: 'Failed to search',
  openOffline: 'This cannot be opened without a connection.',
  openOutdated: 'This could not be opened. Save what you have typed, then reload the page.',
} as const;

export const DONE = {
  personErased: 'The person was erased',
  statementSent: (email: string) => `The statement is on its way to ${email}`,
  reminded: (buyer: string) => `${buyer} gets another letter`,
  erasureConfirmed: (buyer: string) => `Recorded the confirmation of ${buyer}`,
  settingsSaved: 'Settings saved successfully',
  templateCreated: 'Email template created successfully',
  templateUpdated: 'Email template updated successfully',
  templateDeleted: 'Email template deleted successfully',
  pushTemplateSaved: 'Template saved successfully',
  buyerAdded: (id: string) => `Buyer ${id} added`,
  buyerSaved: (id: string) => `Buyer ${id} saved`,
  buyerDeleted: (id: string) => `Buyer ${id} deleted`,
  buyerPaused: (id: string) => `Buyer ${id} paused: it gets no leads`,
  buyerResumed: (id: string) => `Buyer ${id} resumed`,
  weightsSaved: 'Probabilities saved',
  orderCreated: (id: number) => `Order ${id} created`,
  orderDeleted: (id: number | string) => `Order ${id} deleted`,
  linkSwitchedOff: (id: number | string) => `Link of order ${id} switched off`,
  orderRestored: (id: number) => `Order ${id} restored`,
  limitSaved: 'Lead limit saved',
  renewalSaved: 'Order updated',
  reorderConfirmed: (id: number | string) => `Confirmed: the next order opens when order ${id} is full`,
  reorderDeclined: 'Declined',
  commentsSaved: 'Comments saved',
  leadSaved: 'Lead saved',
  leadDeleted: 'Lead deleted',
  leadDiscarded: 'Lead discarded',
  credentialsAdded: 'Pushover credentials added',
  credentialsDeleted: 'Pushover credentials deleted',
  sourceAdded: (name: string) => `Source ${name} added, in test`,
  sourceSaved: (name: string) => `Source ${name} saved`,
  sourceState: (name: string, state: string) => `Source ${name}: ${state}`,
  specificationRenewed: (name: string) => `Specification page of ${name} has a new link`,
  specificationSwitchedOff: (name: string) => `Specification page of ${name} switched off`,
  keyRevoked: (prefix: string) => `Key ${prefix}… revoked`,
  callbacksSaved: (name: string) => `Callbacks of ${name} saved`,
  secretRevoked: 'Secret revoked',
  adminRemoved: (name: string) => `Admin ${name} removed`,
  invitationWithdrawn: (name: string) => `The link for ${name} works no more`,
  sessionsEnded: (count: number) => (count === 1 ? 'Session ended' : `${count} sessions ended`),
  passwordChanged: 'Password changed',
  passkeyAdded: (name: string) => `Passkey ${name} registered`,
  passkeyRemoved: (name: string) => `Passkey ${name} removed`,
  passkeysDemanded: 'From now on every admin needs a passkey',
  passkeysOptional: 'Passkeys are not demanded any more',
} as const;

/** The outcome of Create Lead and of Edit & Assign, and of a decision in the inbox. */
export const OUTCOME = {
  assigned: (buyer: string, link: string) => `Lead assigned to ${buyer}. Share this link: ${link}`,
  assignedWithoutLink: (buyer: string) => `Lead assigned to ${buyer}. The link of its order is switched off.`,
  ineligible: 'Lead marked as ineligible',
  /** A decision that was held back could not be sent. */
  undecided: (id: number, why: string) => `Claim #${id}: ${why}`,
} as const;

export const CONFIRM = {
  deleteTemplate: 'Are you sure you want to delete this email template?',
  deleteCredentials: 'Are you sure you want to delete these Pushover credentials?',
  deleteBuyer: (id: string) => `Delete buyer ${id}? It will get no more leads. Its orders and leads stay.`,
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
  regenerate: (id: string) =>
    `Make a new link for buyer ${id}? Whoever has only the old link will see nothing any more.`,
  renewLink: (id: number) =>
    `Make a new link for order ${id}? Whoever has only the old link will see nothing any more.`,
  switchOffLink: (id: number) =>
    `Switch off the link of order ${id}? Nobody sees the list any more. Switched on again, it gets a new link; this one never works again.`,
  exclusive: (id: string) =>
    `Setting buyer ${id} to 100% sets the probability of all other active buyers to 0%. Continue?`,
  revokeKey: (prefix: string, name: string) =>
    `Revoke key ${prefix}… of ${name}? Whoever posts with it is refused at once. This cannot be undone.`,
  revokeSecret: (name: string) =>
    `Revoke this secret of ${name}? Whoever checks signatures with it alone refuses every webhook from now on.`,
  renewSpecification: (name: string) =>
    `Make a new link for the specification page of ${name}? The old one shows nothing any more.`,
  switchOffSpecification: (name: string) =>
    `Switch off the specification page of ${name}? Switched on again, it gets a new link; this one never works again.`,
  removeAdmin: (name: string) =>
    `Remove ${name}? The sessions of ${name} end at once, and so do the links that ${name} has made.`,
  removeOneself: 'Remove yourself? You are logged out at once, and only another admin can invite you again.',
  erasePerson: (leads: number, buyers: readonly string[]) =>
    `Erase the person of ${leads === 1 ? 'this lead' : `these ${leads} leads`}? Name, addresses, phone number, texts and what was sent are removed for good; a lead without a buyer is discarded, an open delivery is not made any more. Numbers, amounts, prices, claims and decisions stay. ${
      buyers.length === 0
        ? 'No buyer has received anything.'
        : `These buyers are told and asked to confirm: ${buyers.join(', ')}.`
    } Backups keep it until they expire. This cannot be undone.`,
  confirmErasure: (buyer: string) =>
    `Record that ${buyer} has confirmed its own erasure by other means? It gets no more reminders.`,
  removePasskey: (name: string, isLast: boolean) =>
    `Remove passkey ${name}? It lets nobody in any more.${
      isLast
        ? ' It is your last one: your recovery codes end, and your password alone lets you in again.'
        : ''
    }`,
  demandPasskeys: (without: number) =>
    `Demand a passkey of every admin?${
      without === 0
        ? ''
        : ` ${without} without one ${without === 1 ? 'is' : 'are'} logged out at once, and must register one at the next log-in.`
    }`,
  leave: 'You have unsaved changes. Leave without saving?',
} as const;
