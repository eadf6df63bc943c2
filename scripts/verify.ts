/** `npm run verify`: compares stored data with what they derive from, while the product runs. */
import { Argument } from '@commander-js/extra-typings';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import type { Table } from '#functions/data/table/table';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { rebuildClaimWords } from '#functions/domain/claims/rebuild-words';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { systemRuntime } from '#functions/platform/runtime';
import { storedCheckpoints } from '#scripts/audit-checkpoints';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

const PARTS = ['audit', 'decisions', 'replacements', 'statistics', 'search'] as const;
type Part = (typeof PARTS)[number];
const REPAIRED: ReadonlySet<Part> = new Set(['statistics', 'search']);

interface Verified {
  readonly lines: readonly string[];
  readonly left: number;
}

const PARTS_HELP = `
Parts:
  audit         entries of the audit trail that were changed, removed or inserted
  decisions     whether every recorded decision can be recomputed
  replacements  whether balances and replacements equal the sums of their ledger
  statistics    whether days and totals equal the sums of the leads
  search        whether claims can be found by their words

Statistics and search first count and index every lead that is still in the stream.`;

const MAX_SHOWN = { audit: 200, decisions: 50 } as const;

const verify = command(
  'verify',
  'Compares stored data with the data that it derives from. Exits with 1 if something differs.',
)
  .addArgument(new Argument('[part]', 'only this part').choices(PARTS))
  .option('--repair', 'correct differences (statistics and search)')
  .option(
    '--checkpoints <places...>',
    'audit: files with stored checkpoints (saved e-mails, lines of checkpoints), or s3://BUCKET; by default the file in DATA_DIR',
  )
  .addHelpText('after', `${PARTS_HELP}\n${TABLE_HELP}`)
  .action(async (only, { repair = false, checkpoints }) => {
    if (repair && only !== undefined && !REPAIRED.has(only))
      verify.error(`error: ${only} cannot be repaired`);
    if (checkpoints !== undefined && only !== undefined && only !== 'audit')
      verify.error(`error: --checkpoints needs the part audit`);
    const parts: Readonly<Record<Part, () => Promise<Verified>>> = {
      audit: async () => audit(await storedCheckpoints(checkpoints)),
      decisions: () => withWholeTable(decisions),
      replacements: () => withWholeTable(replacements),
      statistics: () => withWholeTable((table) => statistics(table, repair)),
      search: () => withWholeTable((table) => search(table, repair)),
    };
    for (const part of only === undefined ? PARTS : [only]) {
      const { lines, left } = await parts[part]();
      if (only === undefined) console.log(`# ${part}`);
      for (const line of lines) console.log(line);
      if (left > 0) fail();
    }
  });
await run(verify);

async function audit(checkpoints: readonly auditChainStore.Checkpoint[]): Promise<Verified> {
  const { links, intact, waiting, newest, findings, ...kept } = await withWholeTable((table) =>
    verifyAudit(auditChainStore.links({ table }), table.scan(), auditStore.listed({ table }), checkpoints),
  );
  const shown = findings.slice(0, MAX_SHOWN.audit);
  const more = findings.length - shown.length;
  const summary =
    `${intact} entries are unchanged, ${waiting} too new to be sealed; ${findings.length} findings. ` +
    `${links} links, ${newest === undefined ? 'no checkpoint' : `the checkpoint is ${newest.hash} of ${newest.sealed_at}`}; ` +
    (checkpoints.length === 0
      ? 'not compared with a checkpoint stored outside the table, so a rewritten or truncated chain goes unnoticed (--checkpoints)'
      : `${kept.checkpoints} of ${checkpoints.length} checkpoints stored outside agree`);
  return { lines: [...shown, ...(more > 0 ? [`and ${more} more`] : []), summary], left: findings.length };
}

async function decisions(table: Table): Promise<Verified> {
  const { leads, agree, undecided, disagreements } = await verifyDecisions(table.scan());
  const lines = disagreements.slice(0, MAX_SHOWN.decisions).map(({ leadId, why }) => `${leadId}: ${why}`);
  const summary =
    `${leads} leads: ${agree} decisions agree, ${disagreements.length} do not; ` +
    `for ${undecided} no choice was made (failed verification, or in flight)`;
  return { lines: [...lines, summary], left: disagreements.length };
}

async function replacements(table: Table): Promise<Verified> {
  let records = await readReplacementRecords(table);
  let found = checkReplacements(records);
  if (found.length > 0) {
    // Counters and entries may be from different moments.
    const before = new Set(found.map(({ of }) => of));
    records = await readReplacementRecords(table);
    found = checkReplacements(records).filter(({ of }) => before.has(of));
  }
  const { buyers, orders, entries } = records;
  const lines = found.map((one) => `${one.of}: ${one.stored}, the entries add up to ${one.entries}`);
  const summary = `${buyers.length} buyers, ${orders.length} orders, ${entries.length} entries: ${found.length} discrepancies`;
  return { lines: [...lines, summary], left: found.length };
}

async function statistics(table: Table, repair: boolean): Promise<Verified> {
  const { leads, leadsCorrected, differences, repaired, moving } = await rebuildStatistics(
    { table, runtime: systemRuntime },
    repair,
  );
  const summary = `${leads} leads, ${leadsCorrected} of them counted again; ${differences.length} differences, ${repaired} repaired`;
  return {
    lines: [
      ...differences.map(({ of, stored, actual }) => `${of}: stored ${stored}, actual ${actual}`),
      ...(moving.length > 0
        ? [`Not compared, because leads were counted meanwhile: ${moving.join(', ')}`]
        : []),
      summary,
    ],
    left: differences.length - repaired,
  };
}

async function search(table: Table, repair: boolean): Promise<Verified> {
  const context = { table, runtime: systemRuntime };
  let [leads, indexed] = [0, 0];
  for await (const ids of statisticsStore.everyLead(context)) {
    leads += ids.length;
    indexed += await count(context, ids);
  }
  const { claims, outdated, corrected } = await rebuildClaimWords(context, repair);
  const left = outdated - corrected;
  return {
    lines: [
      `${leads} leads, ${indexed} of them indexed again; ${claims} claims, ${outdated} with outdated words, ${corrected} corrected`,
      ...(repair && left > 0 ? [`${left} claims were edited meanwhile; run it again`] : []),
    ],
    left,
  };
}
