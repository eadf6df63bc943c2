/**
 * `npm run erase-lead -- ID…`: removes personal data of leads. `--from FILE…` takes the lists of erased leads, for a restored
 * table.
 */
import type { Table } from '#functions/data/table/table';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { createErasure } from '#functions/platform/erasure';
import { systemRuntime } from '#functions/platform/runtime';
import { readErased } from '#local/erased-leads';
import { StartError } from '#local/start-error';
import { command, fail, readText, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

const eraseLeads = command('erase-lead', 'Erases the personal data of leads, whatever their status.')
  .argument('[ids...]', 'system IDs of leads')
  .option('--from <files...>', 'lists of erased leads: erased.jsonl, or files of the bucket ErasedLeads')
  .addHelpText('after', TABLE_HELP)
  .action((ids, { from = [] }) => {
    if (ids.length + from.length === 0) eraseLeads.error('error: name a lead, or a list with --from');
    const leadIds = new Set([...ids, ...from.flatMap(listed)]);
    return withTable((table) => erase(table, leadIds));
  });
await run(eraseLeads);

/** Unreadable lines are reported; the other leads are erased. */
function listed(file: string): readonly string[] {
  const { leadIds, broken } = readErased(readText(file));
  for (const line of broken) {
    console.error(`${file}, line ${line}: no list of erased leads`);
    fail();
  }
  if (leadIds.length + broken.length === 0) throw new StartError(`${file} names no lead.`);
  return leadIds;
}

async function erase(table: Table, leadIds: ReadonlySet<string>): Promise<void> {
  const context = createErasure(table, systemRuntime);
  let erased = 0;
  for (const leadId of leadIds) {
    try {
      if (!(await eraseLead(context, 'operator', leadId, 'request'))) throw notFound('Lead');
      console.log(`${leadId}: erased`);
      erased += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      console.error(`${leadId}: ${error.message}`);
      fail();
    }
  }
  console.log(`${erased} of ${leadIds.size} leads erased`);
}
