import * as auditStore from '#functions/data/administration/audit-store';
import type { Context, DataContext } from '#functions/data/context';
import { type AddressContext, addressHash } from '#functions/data/deliveries/address-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { assignmentOf, type Lead, leadSchema, type PersonEdit, storedEdit } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as orderStore from '#functions/data/orders/order-store';
import { personalFields } from '#functions/data/personal';
import { claimChangesForLead, removeUnusedClaimWords } from '#functions/domain/claims/claims';
import {
  aboutLead,
  auditEntry,
  editEntry,
  MAX_ENTRIES_PER_TRANSACTION,
} from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, notFound, notPending, personErased } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { consentRemoved, type KeepingContext } from '#functions/domain/leads/kept-consents';
import { leavesOrder } from '#functions/domain/orders/leaving';
import { CONFLICT } from '#functions/platform/retry';
import type { PendingReason } from '#shared/rules/constants';

/** Null empties a field. @throws DomainError 404, 409 for a lead that is neither assigned nor pending */
export async function editLead(
  context: Context,
  who: string,
  leadId: string,
  edit: PersonEdit,
  expected?: PersonEdit,
): Promise<void> {
  const person = storedEdit(edit);
  return retryOnConflict(context.runtime, async () => {
    const lead = await requireLead(context, leadId);
    if (lead.status !== 'assigned' && lead.status !== 'pending')
      throw conflict('lead_not_editable', 'This lead cannot be edited');
    if (lead.erased_at !== undefined) throw personErased();
    requireUnchanged(expected, lead);
    if (Object.keys(person).length === 0) return;
    const after = { ...lead, ...person };
    const result = await context.table.transact([
      leadWrites.edited(lead, person),
      ...(lead.status === 'assigned' && lead.order_id !== undefined
        ? orderStore.leadEdited(lead.order_id)
        : []),
      ...(await claimChangesForLead(context, lead, after)),
      ...editEntry(context, { who, action: 'updated', ...aboutLead(leadId), before: lead, after }),
    ]);
    return result.ok ? removeUnusedClaimWords(context, lead, after) : CONFLICT;
  });
}

/**
 * Removes the personal data, also from the audit trail.
 * @param only a lead that is pending for this reason
 * @throws DomainError 404, 409 if it is not pending
 */
export async function discardLead(
  context: AddressContext & KeepingContext,
  who: string,
  leadId: string,
  only?: PendingReason,
): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const details = await leadStore.details(context, leadId);
    if (details === undefined) throw notFound('Lead');
    const lead = present(details.lead);
    if (lead.status !== 'pending' || lead.reason !== (only ?? lead.reason)) throw notPending();
    const removals = await auditStore.valuesRemoved(context, 'lead', leadId, personalFields(leadSchema));
    // Removals beyond the size of a transaction are written before it.
    while (removals.length > MAX_ENTRIES_PER_TRANSACTION) {
      const { ok } = await context.table.transact(removals.splice(0, MAX_ENTRIES_PER_TRANSACTION));
      if (!ok) return CONFLICT;
    }
    const address = addressHash(await context.personKey(), lead.email);
    return committed(context, undefined, [
      leadWrites.discarded(lead, context.runtime.now().toISOString(), address),
      ...(await consentRemoved(context, details)),
      ...removals,
      auditEntry(context, {
        who,
        action: 'discarded',
        ...aboutLead(leadId),
        before: { status: 'pending', reason: lead.reason },
        after: { status: 'discarded' },
      }),
    ]);
  });
}

/** Removes an assigned lead from its order; see `leavesOrder`. @throws DomainError 404, 409 while a claim is pending */
export async function deleteLead(context: Context, who: string, leadId: string): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const lead = await requireLead(context, leadId);
    const assignment = assignmentOf(lead);
    if (lead.status !== 'assigned' || assignment === undefined) throw notFound('Lead');
    if (lead.claim_status === 'pending')
      throw conflict('claim_pending', 'A lead with a pending claim cannot be deleted');
    const poolEntry = await poolStore.entry(context, assignment.buyer);
    const at = context.runtime.now().toISOString();
    return committed(context, undefined, [
      leadWrites.deleted(lead, at),
      ...(await leavesOrder(context, lead, assignment, poolEntry, at)),
      auditEntry(context, {
        who,
        action: 'deleted',
        ...aboutLead(leadId),
        before: { status: 'assigned', order_id: assignment.order_id },
        after: { status: 'deleted', order_id: assignment.order_id },
      }),
    ]);
  });
}

const requireLead = async (context: DataContext, leadId: string): Promise<Lead> =>
  present(await leadStore.get(context, leadId));

function present(lead: Lead | undefined): Lead {
  if (lead === undefined || lead.status === 'discarded' || lead.status === 'deleted') throw notFound('Lead');
  return lead;
}
