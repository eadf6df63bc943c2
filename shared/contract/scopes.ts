/** What API keys allow. A call that is not listed here needs a session. */
import type { EndpointId } from '#shared/contract/routes';

export const SCOPES = ['read', 'leads', 'orders'] as const;
export type Scope = (typeof SCOPES)[number];

export const MAX_API_KEYS = 20;

/**
 * Never open to keys: settings, keys, admins and the audit trail; buyers' and sources' settings; links and test sends; single people,
 * erasure and withdrawal; files with personal data.
 */
export const SCOPE_OF = {
  getDashboardStats: 'read',
  listBuyers: 'read',
  listActiveBuyers: 'read',
  getBuyer: 'read',
  getBalance: 'read',
  getStatement: 'read',
  downloadStatement: 'read',
  getChecklist: 'read',
  listOrders: 'read',
  listBuyerOrders: 'read',
  previewOrder: 'read',
  listPendingLeads: 'read',
  listLeads: 'read',
  getLead: 'read',
  search: 'read',
  listSources: 'read',
  listConsentTexts: 'read',
  listDeliveries: 'read',
  listCallbacks: 'read',
  getLeadClaim: 'read',
  listPendingClaims: 'read',
  listClaims: 'read',
  listReplacements: 'read',
  getClaimEvidence: 'read',
  getBuyerStats: 'read',
  exportBuyerStats: 'read',
  getSourceStats: 'read',
  listSilentSources: 'read',
  getLatencies: 'read',
  exportLatencies: 'read',
  exportAccounting: 'read',
  // Changes nothing, although it is sent.
  simulate: 'read',

  createLead: 'leads',
  updateLead: 'leads',
  importLeads: 'leads',
  assignPendingLead: 'leads',
  distributePendingLead: 'leads',
  discardPendingLead: 'leads',
  resendConfirmation: 'leads',
  resendDelivery: 'leads',
  resendFailedDeliveries: 'leads',
  resendCallback: 'leads',
  fileClaim: 'leads',
  approveClaim: 'leads',
  rejectClaim: 'leads',
  reverseClaim: 'leads',

  createOrder: 'orders',
  updateOrderLimit: 'orders',
  updateOrderRenewal: 'orders',
  updateOrderComments: 'orders',
  decideReorder: 'orders',
  deleteOrder: 'orders',
  restoreLastDeletedOrder: 'orders',
} as const satisfies Readonly<Partial<Record<EndpointId, Scope>>>;
type ScopedId = keyof typeof SCOPE_OF;

export type NeedsSession<Id extends EndpointId> = Id extends ScopedId ? false : true;

/** @returns undefined if no key may make the call */
export const scopeOf = (id: EndpointId): Scope | undefined => (isScoped(id) ? SCOPE_OF[id] : undefined);

const isScoped = (id: EndpointId): id is ScopedId => Object.hasOwn(SCOPE_OF, id);
