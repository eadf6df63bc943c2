/** Editing, discarding and deleting leads, and the whole story of one. */

import type { AuditStore } from '#functions/data/administration/audit-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { type Decision, displayId, type Lead, type Person } from '#functions/data/leads/lead';
import type { Assignment, LeadStore } from '#functions/data/leads/lead-store';
import type { ListViewStore } from '#functions/data/orders/list-view-store';
import type { Order } from '#functions/data/orders/order';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { ReplacementStore } from '#functions/data/orders/replacement-store';
import type { Table, TransactionItem } from '#functions/data/table/table';
import { type ClaimDeps, claimFollowsLead, claimForgetsWords } from '#functions/domain/claims/claims';
import { auditEntry, personForgotten } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { leadsLink, personRow } from '#functions/domain/common/rows';
import { deliveryRow } from '#functions/domain/deliveries/deliveries';
import { credits, LEAD } from '#functions/domain/distribution/share-rule';
import {
  type Credited,
  creditedClaims,
  deliveryUndoneEntry,
  deliveryUndoneToBalance,
} from '#functions/domain/orders/replacement-ledger';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';
import type { LeadDetails } from '#shared/contract/schemas/leads';

export interface LeadDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly buyers: BuyerStore;
  readonly pool: PoolStore;
  readonly runtime: Runtime;
}

/** Entries of the audit trail in one transaction, which holds a hundred writes. */
const MOST_FORGOTTEN = 90;

const notPending = () => conflict('lead_not_pending', 'This lead is no longer pending');

/** A claim about it follows. @throws DomainError 404, 409 for a lead that is being distributed or is gone */
export async function editLead(
  deps: LeadDeps & Pick<ClaimDeps, 'claims'>,
  who: string,
  leadId: string,
  person: Partial<Person>,
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    if (lead.status !== 'assigned' && lead.status !== 'pending')
      throw conflict('lead_not_editable', 'This lead cannot be edited');
    if (Object.keys(person).length === 0) return;
    const result = await deps.table.transact([
      deps.leads.edited(lead, person),
      ...(await claimFollowsLead(deps, lead, { ...lead, ...person })),
      auditEntry(deps, {
        who,
        action: 'updated',
        entity: 'lead',
        entityId: leadId,
        before: lead,
        after: { ...lead, ...person },
      }),
    ]);
    return result.ok ? claimForgetsWords(deps, lead, { ...lead, ...person }) : CONFLICT;
  });
}

/**
 * For good: the personal data are gone, in the audit trail too; a count remains.
 * @throws DomainError 404, 409 when it is not pending
 */
export async function discardLead(
  deps: LeadDeps & { readonly audit: Pick<AuditStore, 'struckOut'> },
  who: string,
  leadId: string,
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    if (lead.status !== 'pending') throw notPending();
    const forgotten = await personForgotten(deps, leadId);
    // The oldest first, should there be more than one transaction holds.
    while (forgotten.length > MOST_FORGOTTEN) await deps.table.transact(forgotten.splice(0, MOST_FORGOTTEN));
    const result = await deps.table.transact([
      deps.leads.discarded(lead, deps.runtime.now().toISOString()),
      ...forgotten,
      auditEntry(deps, {
        who,
        action: 'discarded',
        entity: 'lead',
        entityId: leadId,
        before: { status: 'pending', reason: lead.reason },
        after: { status: 'discarded' },
      }),
    ]);
    return result.ok ? undefined : CONFLICT;
  });
}

/**
 * Takes a delivered lead out of its order and frees its place, which opens a completed order again unless the buyer has
 * gone on to another one. A replacement is owed again: by its order, or where that is not the buyer's current one, by the
 * balance.
 * @throws DomainError 404, 409 while a claim is pending
 */
export async function deleteLead(deps: LeadDeps, who: string, leadId: string): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    const assignment = assignmentOf(lead);
    if (lead.status !== 'assigned' || assignment === undefined) throw notFound('Lead');
    if (lead.claim_status === 'pending')
      throw conflict('claim_pending', 'A lead with a pending claim cannot be deleted');
    const [poolEntry, order] = await Promise.all([
      deps.pool.entry(assignment.buyer),
      deps.orders.get(assignment.order_id),
    ]);
    const isCurrent = poolEntry?.order_id === assignment.order_id && order?.deleted_at === null;
    const at = deps.runtime.now().toISOString();
    const result = await deps.table.transact([
      deps.leads.deleted(lead, at),
      ...(isCurrent && poolEntry ? [deps.pool.capacityNoted(poolEntry, true)] : []),
      ...(await assignmentRemoved(deps, lead, assignment, order, isCurrent, at)),
      auditEntry(deps, {
        who,
        action: 'deleted',
        entity: 'lead',
        entityId: leadId,
        before: { status: 'assigned', order_id: assignment.order_id },
        after: { status: 'deleted', order_id: assignment.order_id },
      }),
    ]);
    return result.ok ? undefined : CONFLICT;
  });
}

/** The place in the order, or for a replacement that the order will not deliver again, one more in the balance. */
async function assignmentRemoved(
  deps: LeadDeps,
  lead: Lead,
  assignment: Assignment,
  order: Order | undefined,
  isCurrent: boolean,
  at: string,
): Promise<TransactionItem[]> {
  if (assignment.lead_type === 'original' || order === undefined)
    return deps.orders.assignmentRemoved(assignment);
  const leadId = lead.lead_id;
  if (isCurrent) {
    const owing = { ...order, reimbursement_pending: order.reimbursement_pending + 1 };
    return [...deps.orders.assignmentRemoved(assignment), deliveryUndoneEntry({ order: owing, leadId, at })];
  }
  const buyer = await deps.buyers.get(assignment.buyer);
  if (buyer === undefined) throw notFound('Buyer');
  const balance = buyer.balance_count + 1;
  return [
    ...deps.orders.replacementRemoved(order.order_id),
    deps.buyers.changed(buyer, { balance_count: balance }),
    ...deliveryUndoneToBalance({ order, leadId, balanceAfter: balance, at }),
  ];
}

/** Where an assigned lead belongs. */
export function assignmentOf(lead: Lead): (Assignment & { readonly assigned_at: string }) | undefined {
  const { buyer, order_id, sequence, lead_type, assigned_at } = lead;
  return buyer === undefined ||
    order_id === undefined ||
    sequence === undefined ||
    lead_type === undefined ||
    assigned_at === undefined
    ? undefined
    : { buyer, order_id, sequence, lead_type, assigned_at };
}

interface LeadDetailsDeps extends Pick<LeadDeps, 'leads' | 'orders' | 'buyers'>, Pick<ClaimDeps, 'claims'> {
  readonly listViews: ListViewStore;
  readonly replacements: ReplacementStore;
}

/** Everything known of a lead. @throws DomainError 404 */
export async function leadDetails(
  deps: LeadDetailsDeps,
  publicBaseUrl: string,
  leadId: string,
): Promise<LeadDetails> {
  const details = await deps.leads.details(leadId);
  if (details === undefined) throw notFound('Lead');
  const { lead, decision, deliveries } = details;
  const assignment = assignmentOf(lead);
  const [order, buyers, openedAt, madeGood] = await Promise.all([
    lead.order_id === undefined ? undefined : deps.orders.get(lead.order_id),
    namesOf(deps, lead, decision),
    assignment === undefined
      ? undefined
      : deps.listViews.firstAfter(assignment.order_id, assignment.assigned_at),
    madeGoodOf(deps, lead, assignment),
  ]);
  const nameOf = (buyer: number | undefined | null) =>
    buyer === undefined || buyer === null ? null : (buyers.get(buyer)?.buyer_id ?? String(buyer));
  return {
    lead_id: lead.lead_id,
    display_id: assignment === undefined ? null : displayId(assignment),
    status: lead.status,
    ...personRow(lead),
    clickId: lead.clickId ?? null,
    src: lead.src ?? null,
    created_at: lead.received_at,
    delivery_timestamp: lead.assigned_at ?? null,
    lead_type: lead.lead_type ?? null,
    reason: lead.status === 'pending' ? (lead.reason ?? null) : null,
    buyer_id: nameOf(lead.buyer ?? lead.intended_buyer),
    order_id: lead.order_id ?? null,
    excel_link: linkOf(order, publicBaseUrl),
    claim_id: lead.claim_id ?? null,
    claim_status: lead.claim_status ?? null,
    opened_at: openedAt ?? null,
    ...madeGood,
    verification_notes: lead.verification_notes ?? [],
    decision: decision === undefined ? null : decisionRow(decision, nameOf),
    deliveries: deliveries.map((delivery) => deliveryRow(delivery, nameOf(delivery.buyer) ?? '')),
  };
}

/**
 * How a claim was made good, or which claim the lead makes good. The ledger says it only as a whole, so all of the
 * buyer's entries are read, but of no lead that has nothing to do with replacements.
 */
async function madeGoodOf(
  deps: LeadDetailsDeps,
  lead: Lead,
  assignment: Assignment | undefined,
): Promise<Pick<LeadDetails, 'replacement' | 'replaces'>> {
  const nothing = { replacement: null, replaces: null };
  const isReplacement = lead.lead_type === 'reimbursement';
  if (assignment === undefined || (lead.claim_status !== 'approved' && !isReplacement)) return nothing;
  const credited = creditedClaims(await deps.replacements.ofBuyer(assignment.buyer));
  if (isReplacement) {
    const made = credited.find(({ delivery }) => delivery?.lead_id === lead.lead_id);
    const claim = made && (await deps.claims.get(made.claim_id));
    if (claim === undefined) return nothing;
    const { lead_id, claim_id } = claim;
    return { ...nothing, replaces: { lead_id, claim_id, display_id: displayId(claim) } };
  }
  const made = credited.find(({ claim_id }) => claim_id === lead.claim_id);
  return made === undefined ? nothing : { ...nothing, replacement: await replacementRow(deps, made) };
}

async function replacementRow(
  deps: Pick<LeadDetailsDeps, 'leads'>,
  { at, order_id, delivery }: Credited,
): Promise<NonNullable<LeadDetails['replacement']>> {
  const lead = delivery === null ? undefined : await deps.leads.get(delivery.lead_id);
  const assignment = lead && assignmentOf(lead);
  return {
    owed_since: at,
    order_id,
    delivered_at: delivery?.at ?? null,
    lead: lead && assignment ? { lead_id: lead.lead_id, display_id: displayId(assignment) } : null,
  };
}

function linkOf(order: Order | undefined, publicBaseUrl: string): string | null {
  return order === undefined ? null : leadsLink(publicBaseUrl, order.token);
}

async function namesOf(
  deps: Pick<LeadDeps, 'buyers'>,
  lead: Lead,
  decision: Decision | undefined,
): Promise<ReadonlyMap<number, Buyer>> {
  const wanted = new Set<number>();
  for (const buyer of [lead.buyer, lead.intended_buyer, decision?.winner])
    if (buyer !== undefined && buyer !== null) wanted.add(buyer);
  for (const [buyer] of decision?.eligible ?? []) wanted.add(buyer);
  for (const buyers of Object.values(decision?.not_eligible ?? {}))
    for (const buyer of buyers) wanted.add(buyer);
  const ids = [...wanted];
  const found = await deps.buyers.getMany(ids);
  return new Map(found.flatMap((buyer) => (buyer ? [[buyer.buyer, buyer] as const] : [])));
}

function decisionRow(
  decision: Decision,
  nameOf: (buyer: number | null) => string | null,
): NonNullable<LeadDetails['decision']> {
  const shares = credits(decision.eligible.map(([buyer, weight]) => ({ buyer, weight })));
  return {
    rule: decision.rule,
    decided_at: decision.decided_at,
    mode: decision.mode,
    winner: nameOf(decision.winner),
    eligible: decision.eligible.map(([buyer, weight, deficit]) => ({
      buyer_id: nameOf(buyer) ?? String(buyer),
      probability: weight / 100,
      share: ((shares.get(buyer) ?? 0) / LEAD) * 100,
      deficit: deficit / LEAD,
    })),
    not_eligible: Object.entries(decision.not_eligible).flatMap(([reason, buyers]) =>
      buyers.map((buyer) => ({ buyer_id: nameOf(buyer) ?? String(buyer), reason })),
    ),
  };
}

async function requireLead(deps: Pick<LeadDeps, 'leads'>, leadId: string): Promise<Lead> {
  const lead = await deps.leads.get(leadId);
  if (lead === undefined || lead.status === 'discarded' || lead.status === 'deleted') throw notFound('Lead');
  return lead;
}
