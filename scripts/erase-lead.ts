/**
 * `npm run erase-lead -- ID…`: removes the personal data of deleted or discarded leads
 * from everything in the table.
 */
import { createAuditStore } from '#functions/data/administration/audit-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import type { Table } from '#functions/data/table/table';
import { DomainError } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { systemRuntime } from '#functions/runtime';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

await run(
  command('erase-lead', 'Forgets the persons of leads that were deleted or discarded.')
    .argument('<ids...>', 'system ids of leads')
    .addHelpText('after', TABLE_HELP)
    .action((leadIds) => withTable((table) => erase(table, leadIds))),
);

async function erase(table: Table, leadIds: readonly string[]): Promise<void> {
  const deps = {
    table,
    leads: createLeadStore(table),
    claims: createClaimStore(table),
    audit: createAuditStore(table),
    runtime: systemRuntime,
  };
  for (const leadId of leadIds) {
    try {
      await eraseLead(deps, 'operator', leadId);
      console.log(`${leadId}: erased`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      console.error(`${leadId}: ${error.message}`);
      fail();
    }
  }
}
