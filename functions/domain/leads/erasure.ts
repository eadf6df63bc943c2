/** Erases the personal data of a lead that was deleted or discarded. */

import type { AuditStore } from '#functions/data/administration/audit-store';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import type { ClaimStore } from '#functions/data/claims/claim-store';
import { claimTextsErased, leadErased } from '#functions/data/leads/erasure';
import { type Lead, leadSchema, personSchema } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import { blanked, personalFields } from '#functions/data/personal';
import type { Table, TransactionItem } from '#functions/data/table/table';
import { auditEntry, MAX_ENTRIES_PER_TRANSACTION } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { changedMeanwhile } from '#functions/domain/common/retry-on-conflict';
import type { Runtime } from '#functions/runtime';

export interface ErasureDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: Pick<LeadStore, 'details'>;
  readonly claims: Pick<ClaimStore, 'get' | 'personChanged' | 'removeUnusedWords'>;
  readonly audit: Pick<AuditStore, 'valuesRemoved'>;
  readonly runtime: Pick<Runtime, 'now' | 'newId' | 'newToken'>;
}

/**
 * Removes every value that is marked as personal from the lead, its deliveries and callbacks, its claim and the audit trail of both.
 * Repeatable: an interrupted erasure is completed by the next, because the lead itself is erased last.
 * @throws DomainError 404, 409 for a lead that was neither deleted nor discarded, and when something changed meanwhile
 */
export async function eraseLead(deps: ErasureDeps, who: string, leadId: string): Promise<void> {
  const details = await deps.leads.details(leadId);
  if (details === undefined) throw notFound('Lead');
  const { lead, deliveries, callbacks } = details;
  if (lead.status !== 'deleted' && lead.status !== 'discarded')
    throw conflict('lead_in_use', 'Only a lead that was deleted or discarded can be erased');
  const claim = lead.claim_id === undefined ? undefined : await deps.claims.get(lead.claim_id);
  if (claim !== undefined) await eraseClaim(deps, claim, lead);
  const removals = await deps.audit.valuesRemoved('lead', leadId, personalFields(leadSchema));
  while (removals.length > 0) await written(deps, removals.splice(0, MAX_ENTRIES_PER_TRANSACTION));
  await written(deps, [
    ...leadErased(lead, deliveries, callbacks),
    auditEntry(deps, { who, action: 'erased', entity: 'lead', entityId: leadId }),
  ]);
}

/** Claim lists and search contain the lead's personal data and the buyer's text. */
async function eraseClaim(deps: ErasureDeps, claim: Claim, lead: Lead): Promise<void> {
  const nobody = personSchema.parse({ ...lead, ...blanked(personSchema) });
  const wordless = claimSchema.parse({ ...claim, ...blanked(claimSchema) });
  const row = deps.claims.personChanged(wordless, lead, nobody);
  if (row.length > 0) await written(deps, row);
  await deps.claims.removeUnusedWords(claim, lead, nobody);
  const removals = await deps.audit.valuesRemoved(
    'claim',
    String(claim.claim_id),
    personalFields(claimSchema),
  );
  await written(deps, [claimTextsErased(claim), ...removals]);
}

async function written(deps: ErasureDeps, items: readonly TransactionItem[]): Promise<void> {
  const { ok } = await deps.table.transact(items);
  if (!ok) throw changedMeanwhile();
}
