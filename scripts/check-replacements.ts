/**
 * `npm run check-replacements`: proves over a whole table that every buyer's balance and every order's replacements are
 * what the entries of the ledger add up to.
 */
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import type { Table } from '#functions/data/table/table';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

await run(
  command(
    'check-replacements',
    'Compares balances and replacements with the entries of their ledger. Ends with 1 when they differ.',
  )
    .addHelpText('after', TABLE_HELP)
    .action(check),
);

async function check(): Promise<void> {
  const { records, found } = await withWholeTable(compare);
  for (const { of, stored, entries } of found)
    console.log(`${of}: ${stored}, the entries add up to ${entries}`);
  console.log(
    `${records.buyers.length} buyers, ${records.orders.length} orders, ${records.entries.length} entries: ` +
      `${found.length} discrepancies`,
  );
  if (found.length > 0) fail();
}

async function compare(table: Table) {
  const records = await readReplacementRecords(table);
  const found = checkReplacements(records);
  if (found.length === 0) return { records, found };
  // While the product runs, counters and entries may have been read at different moments.
  const before = new Set(found.map(({ of }) => of));
  const again = await readReplacementRecords(table);
  return { records: again, found: checkReplacements(again).filter(({ of }) => before.has(of)) };
}
