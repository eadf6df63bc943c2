/** Editing, discarding and deleting leads. */

import type { AuditStore } from '#functions/data/administration/audit-store';
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import { assignmentOf, type Lead, leadSchema, type Person } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import type { OrderStore } from '#functions/data/orders/order-store';
import { personalFields } from '#functions/data/personal';
import type { Table } from '#functions/data/table/table';
import { type ClaimDeps, claimChangesForLead, removeUnusedClaimWords } from '#functions/domain/claims/claims';
import { auditEntry, editEntry, MAX_ENTRIES_PER_TRANSACTION } from '#functions/domain/common/audit';
import { requireAsSeen } from '#functions/domain/common/edited-meanwhile';
import { conflict, notFound, notPending, personErased } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { leavesOrder } from '#functions/domain/orders/leaving';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';

export interface LeadDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: LeadStore;
  readonly orders: OrderStore;
  readonly buyers: BuyerStore;
  readonly pool: PoolStore;
  readonly runtime: Runtime;
}

/**
 * Changes the given fields of a lead, also in the lists of its claim.
 * @throws DomainError 404, 409 for a lead that is neither assigned nor pending
 */
export async function editLead(
  deps: LeadDeps & Pick<ClaimDeps, 'claims'>,
  who: string,
  leadId: string,
  person: Partial<Person>,
  seen?: Partial<Person>,
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    if (lead.status !== 'assigned' && lead.status !== 'pending')
      throw conflict('lead_not_editable', 'This lead cannot be edited');
    if (lead.erased_at !== undefined) throw personErased();
    requireAsSeen(seen, lead);
    if (Object.keys(person).length === 0) return;
    const result = await deps.table.transact([
      deps.leads.edited(lead, person),
      ...(lead.status === 'assigned' && lead.order_id !== undefined
        ? deps.orders.leadEdited(lead.order_id)
        : []),
      ...(await claimChangesForLead(deps, lead, { ...lead, ...person })),
      ...editEntry(deps, {
        who,
        action: 'updated',
        entity: 'lead',
        entityId: leadId,
        before: lead,
        after: { ...lead, ...person },
      }),
    ]);
    return result.ok ? removeUnusedClaimWords(deps, lead, { ...lead, ...person }) : CONFLICT;
  });
}

/**
 * Discards a pending lead finally: its personal data are removed, also from the audit trail; only statistics remain.
 * @throws DomainError 404, 409 when it is not pending
 */
export async function discardLead(
  deps: LeadDeps & { readonly audit: Pick<AuditStore, 'valuesRemoved'> },
  who: string,
  leadId: string,
): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    if (lead.status !== 'pending') throw notPending();
    const removals = await deps.audit.valuesRemoved('lead', leadId, personalFields(leadSchema));
    // More than fit into the transaction are written before it.
    while (removals.length > MAX_ENTRIES_PER_TRANSACTION) {
      const { ok } = await deps.table.transact(removals.splice(0, MAX_ENTRIES_PER_TRANSACTION));
      if (!ok) return CONFLICT;
    }
    const result = await deps.table.transact([
      deps.leads.discarded(lead, deps.runtime.now().toISOString()),
      ...removals,
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
 * Takes an assigned lead out of its order. That frees capacity, which opens a completed order again if it is the
 * buyer's current one. A lead whose claim was approved frees none: it has been compensated already. A replacement is owed
 * again: by its order if that is the current one, else in the balance.
 * @throws DomainError 404, 409 while a claim is pending
 */
export async function deleteLead(deps: LeadDeps, who: string, leadId: string): Promise<void> {
  return retryOnConflict(deps.runtime, async () => {
    const lead = await requireLead(deps, leadId);
    const assignment = assignmentOf(lead);
    if (lead.status !== 'assigned' || assignment === undefined) throw notFound('Lead');
    if (lead.claim_status === 'pending')
      throw conflict('claim_pending', 'A lead with a pending claim cannot be deleted');
    const poolEntry = await deps.pool.entry(assignment.buyer);
    const at = deps.runtime.now().toISOString();
    const result = await deps.table.transact([
      deps.leads.deleted(lead, at),
      ...(await leavesOrder(deps, lead, assignment, poolEntry, at)),
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

async function requireLead(deps: Pick<LeadDeps, 'leads'>, leadId: string): Promise<Lead> {
  const lead = await deps.leads.get(leadId);
  if (lead === undefined || lead.status === 'discarded' || lead.status === 'deleted') throw notFound('Lead');
  return lead;
}
