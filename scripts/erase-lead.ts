/**
 * `npm run erase-lead -- ID…`: removes the personal data of leads from everything in the table. With `--from FILE…` those of
 * the lists that are kept outside the table, after it was restored.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { createErasure } from '#functions/erasure';
import { systemRuntime } from '#functions/runtime';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

await run(
  command('erase-lead', 'Erases the persons of leads, whatever became of the leads.')
    .argument('[ids...]', 'system ids of leads')
    .option('--from <files...>', 'lists of erased leads: erased.jsonl, or files of the bucket ErasedLeads')
    .addHelpText('after', TABLE_HELP)
    .action((ids, { from = [] }) =>
      withTable((table) => erase(table, [...new Set([...ids, ...from.flatMap(listed)])])),
    ),
);

const erasedSchema = z.object({ lead_ids: z.array(z.string()) });

/** The ids in a list, of one JSON object a line. */
function listed(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line) => erasedSchema.parse(JSON.parse(line)).lead_ids);
}

async function erase(table: Table, leadIds: readonly string[]): Promise<void> {
  const deps = createErasure(table, systemRuntime);
  for (const leadId of leadIds) {
    try {
      if (!(await eraseLead(deps, 'operator', leadId, 'request'))) throw notFound('Lead');
      console.log(`${leadId}: erased`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      console.error(`${leadId}: ${error.message}`);
      fail();
    }
  }
}
