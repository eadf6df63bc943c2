import type { Table } from '#functions/data/table/table';
import { eraseLead } from '#functions/domain/leads/erasure';
import { continueErasures } from '#functions/domain/leads/erasures';
import { eraseOldLeads } from '#functions/domain/leads/retention';
import { createErasures } from '#functions/platform/erasure';
import type { Runtime } from '#functions/platform/runtime';
import type { FunctionEnvironment } from '#functions/workers/reconcile/environment';

/** A separate file, so that it is loaded on demand. */
export async function eraseDue(environment: FunctionEnvironment, runtime: Runtime, table: Table) {
  const erasures = createErasures(environment, runtime, table);
  const asked = await continueErasures(erasures);
  const erase = (leadId: string) => eraseLead(erasures, 'system', leadId, 'retention');
  const old = await eraseOldLeads({ ...erasures, erase });
  return { ...asked, old_leads_erased: old };
}
