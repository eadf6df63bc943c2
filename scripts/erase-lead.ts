/**
 * `npm run erase-lead -- ID…`: removes personal data of leads. `--from FILE…` takes the lists of erased leads, for a restored
 * table.
 */
import type { Table } from '#functions/data/table/table';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { eraseLead } from '#functions/domain/leads/erasure';
import { createKeyLoader, type KeyLoader } from '#functions/keys/keys';
import { createErasure } from '#functions/platform/erasure';
import { systemRuntime } from '#functions/platform/runtime';
import { readErased } from '#local/erased-leads';
import { ensureKeys } from '#local/keys';
import { StartError } from '#local/start-error';
import { command, fail, readText, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

const KEYS_HELP = `

The application keys, to keep the proof of a consent that a buyer received:
  KEYS_ARN           their secret, for a table in the cloud
  DATA_DIR           without TABLE_NAME: the keys in the data folder`;

const eraseLeads = command('erase-lead', 'Erases the personal data of leads, whatever their status.')
  .argument('[ids...]', 'system IDs of leads')
  .option('--from <files...>', 'lists of erased leads: erased.jsonl, or files of the bucket ErasedLeads')
  .addHelpText('after', `${TABLE_HELP}${KEYS_HELP}`)
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

/** Undefined in the cloud without KEYS_ARN. */
function keyLoader(): KeyLoader | undefined {
  const { TABLE_NAME, KEYS_ARN, KEYS_JSON, DATA_DIR = '.data' } = process.env;
  if (KEYS_ARN !== undefined || KEYS_JSON !== undefined) return createKeyLoader({ KEYS_ARN, KEYS_JSON });
  if (TABLE_NAME !== undefined) return undefined;
  return createKeyLoader({ KEYS_JSON: JSON.stringify(ensureKeys(DATA_DIR).application) });
}

async function erase(table: Table, leadIds: ReadonlySet<string>): Promise<void> {
  const load = keyLoader();
  const context = createErasure(
    table,
    systemRuntime,
    load && { cipher: async () => (await load()).cipher, personKey: async () => (await load()).person },
  );
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
