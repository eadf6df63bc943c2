/** `npm run supply`: every package that the product runs with, by version, licence, size and reason. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, fail, run } from '#scripts/command';
import { readSupply, type Supply, supplyTable } from '#scripts/supply-list';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs', 'dependencies.md');
/** What stands between these two lines is written by the command. */
const BEGIN = '<!-- npm run supply -- --write -->';
const END = '<!-- end -->';

await run(
  command(
    'supply',
    'Lists every package that the product runs with. Ends with 1 when one has an install script, a licence that is not allowed, or no reason.',
  )
    .option('--write', 'write the table to docs/dependencies.md')
    .action(({ write }) => {
      const supply = readSupply(ROOT);
      const table = supplyTable(supply);
      if (write === true) writeTable(table);
      else console.log(table);
      report(supply);
    }),
);

function writeTable(table: string): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before] = text.split(BEGIN);
  const [, after] = text.split(END);
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${table}\n\n${END}${after ?? '\n'}`);
}

function report({ packages, complaints }: Supply): void {
  console.log(`\n${packages.length} packages, ${complaints.length} complaints`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
  if (complaints.length > 0) fail();
}
