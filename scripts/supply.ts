/** `npm run supply` */
import { join } from 'node:path';
import { command, fail, run } from '#scripts/command';
import { writeGenerated } from '#scripts/generated';
import { readSupply, type Supply, supplyTable } from '#scripts/supply-list';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = join(ROOT, 'docs', 'dependencies.md');

await run(
  command(
    'supply',
    'Lists every package that the product runs with. Exits with 1 if one has an install script, a licence that is not allowed, or no reason.',
  )
    .option('--write', 'write the table to docs/dependencies.md')
    .action(({ write }) => {
      const supply = readSupply(ROOT);
      const table = supplyTable(supply);
      if (write === true) writeGenerated(DOCUMENT, 'supply', table);
      else console.log(table);
      report(supply);
    }),
);

function report({ packages, complaints }: Supply): void {
  console.log(`\n${packages.length} packages, ${complaints.length} complaints`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
  if (complaints.length > 0) fail();
}
