/**
 * `npm run erase-lead -- ID…`: removes the personal data of leads from everything in the table.
 */
import type { Table } from '#functions/data/table/table';
import { DomainError } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { createErasure } from '#functions/erasure';
import { systemRuntime } from '#functions/runtime';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

await run(
  command('erase-lead', 'Erases the persons of leads, whatever became of the leads.')
    .argument('<ids...>', 'system ids of leads')
    .addHelpText('after', TABLE_HELP)
    .action((leadIds) => withTable((table) => erase(table, leadIds))),
);

async function erase(table: Table, leadIds: readonly string[]): Promise<void> {
  const deps = createErasure(table, systemRuntime);
  for (const leadId of leadIds) {
    try {
      await eraseLead(deps, 'operator', leadId, 'request');
      console.log(`${leadId}: erased`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      console.error(`${leadId}: ${error.message}`);
      fail();
    }
  }
}
