/**
 * `npm run check-replacements`: proves over a whole table that every buyer's balance and every order's replacements are
 * what the entries of the ledger add up to. Prints what is not; the exit code is then 1.
 *
 *     DATA_DIR=.data npm run check-replacements     the embedded cloud's table, which must not be running
 *     TABLE_NAME=leads DYNAMODB_ENDPOINT=… npm run check-replacements     the table of something that runs
 *     TABLE_NAME=… npm run check-replacements       a table in AWS, with the credentials of the shell
 */
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { openTable } from './table';

const { table, close } = await openTable();
let records = await readReplacementRecords(table);
let found = checkReplacements(records);
if (found.length > 0) {
  // Where the product runs, figures and entries may have been read at different moments.
  const before = new Set(found.map(({ of }) => of));
  records = await readReplacementRecords(table);
  found = checkReplacements(records).filter(({ of }) => before.has(of));
}
for (const { of, stored, entries } of found)
  console.log(`${of}: ${stored}, the entries add up to ${entries}`);
console.log(
  `${records.buyers.length} buyers, ${records.orders.length} orders, ${records.entries.length} entries: ` +
    `${found.length} discrepancies`,
);
await close();
process.exitCode = found.length > 0 ? 1 : 0;
