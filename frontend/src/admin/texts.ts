/** Texts of failures and questions. Those of calls are in `data/calls.ts`, those of fields in `invalid-texts.ts`. */

export const NOTES_PLACEHOLDER = 'Enter notes or reasons for your decision...';
export const whyNoLeads = (buyerId: string) => `Why no leads for ${buyerId}`;

/** Shown if no particular call failed. */
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
  deleteWebhook: (name: string) =>
    `Delete the webhook ${name}? Nothing more is sent to it, and its log is gone.`,
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
  regenerateLink: (id: number) => `Create a new link for order ${id}? The old link stops working.`,
  switchOffLink: (id: number) =>
    `Turn off the link of order ${id}? It stops working permanently. Turning it on again creates a new link.`,
  exclusive: (id: string) =>
    `Setting buyer ${id} to 100% sets the probability of all other active buyers to 0%. Continue?`,
  revokeKey: (prefix: string, name: string) =>
    `Revoke key ${prefix}… of ${name}? Posts with it are refused at once. This cannot be undone.`,
  revokeApiKey: (prefix: string, name: string) =>
    `Revoke API key ${name} (${prefix}…)? Calls with it are refused at once. This cannot be undone.`,
  revokeSecret: (name: string) =>
    `Revoke this secret of ${name}? Receivers that check signatures only with it will refuse every webhook.`,
  retireWording: (id: string) =>
    `Retire wording ${id}? Forms that still show it bring leads without consent, or none if this source requires a consent. Calls that name it are refused. Earlier leads keep it. This cannot be undone.`,
  regenerateSpecification: (name: string) =>
    `Create a new link for the specification page of ${name}? The old link stops working.`,
  switchOffSpecification: (name: string) =>
    `Turn off the specification page of ${name}? Its link stops working permanently. Turning it on again creates a new link.`,
  removeAdmin: (name: string) =>
    `Remove ${name}? Their sessions end at once, and the links they created stop working. API keys keep working: revoke those that ${name} knows.`,
  removeOneself: 'Remove yourself? You are logged out at once. Only another admin can invite you again.',
  eraseLeads: (count: string) =>
    `Erase the person of ${count}? Name, addresses, phone number, texts and sent data are removed permanently. Other leads of the same person stay. A lead without a buyer is discarded, and open deliveries are cancelled. Numbers, amounts, prices, claims and decisions stay. Buyers that received a lead are notified and asked to confirm. Backups keep the data until they expire. This cannot be undone.`,
  erasePerson: (leads: number, buyers: readonly string[]) =>
    `Erase the person of ${leads === 1 ? 'this lead' : `these ${leads} leads`}? Name, addresses, phone number, texts and sent data are removed permanently. A proof of consent stays sealed for the period set under Retention. A lead without a buyer is discarded, and open deliveries are cancelled. Numbers, amounts, prices, claims and decisions stay. ${
      buyers.length === 0
        ? 'No buyer has received anything.'
        : `These buyers are notified and asked to confirm: ${buyers.join(', ')}.`
    } Backups keep the data until they expire. This cannot be undone.`,
  withdrawConsent: (buyers: readonly string[]) =>
    `Withdraw the consent of this person? Pending leads with this phone number or email address are discarded, and open deliveries are cancelled. New leads are refused until the person consents again. ${
      buyers.length === 0
        ? 'No buyer has received anything.'
        : `Buyers that received a lead are notified and asked to confirm: ${buyers.join(', ')}.`
    } Delivered leads still count. This cannot be undone.`,
  deleteKnownPeople: (name: string) => `Delete the list ${name}? New leads of its people can be sold again.`,
  confirmErasure: (buyer: string, what: string) =>
    `Record that ${buyer} has confirmed the ${what} by other means? It gets no more reminders.`,
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
        : ` ${without} ${without === 1 ? 'admin without one is' : 'admins without one are'} logged out at once and must register one at the next log-in.`
    }`,
  leave: 'You have unsaved changes. Leave without saving?',
} as const;
