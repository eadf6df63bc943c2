/**
 * `npm run erase-lead -- ID…`: forgets the persons of leads that were deleted or discarded, in everything that the table
 * holds of them. Which table: see `npm run check-replacements`.
 */
import { createAuditStore } from '#functions/data/administration/audit-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { DomainError } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { systemRuntime } from '#functions/runtime';
import { openTable } from '#scripts/table';

const leadIds = process.argv.slice(2);
if (leadIds.length === 0) {
  console.error('Usage: npm run erase-lead -- ID…');
  process.exit(2);
}
const { table, close } = await openTable();
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
    process.exitCode = 1;
  }
}
await close();
