/** `npm run seed`: makes a large data set in a new folder, for `npm start` to run on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#local/start-error';
import { atLeastOne, command, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import { type SeedSize, seedItems } from '#scripts/seed-data';
import { seedTable } from '#scripts/seed-table';

await run(
  command('seed', 'Creates a large data set in DATA_DIR (.data/seed), which must not exist yet.')
    .option('--buyers <count>', 'buyers', atLeastOne, 1000)
    .option('--orders <count>', 'orders of all buyers together', atLeastOne, 10_000)
    .option('--leads <count>', 'leads of all buyers together', atLeastOne, 100_000)
    .action(seed),
);

async function seed(size: SeedSize): Promise<void> {
  const folder = process.env.DATA_DIR ?? join('.data', 'seed');
  const file = join(folder, 'table.db');
  if (existsSync(file)) throw new StartError(`${file} already exists: choose another DATA_DIR or delete it.`);
  const items = await withProgress('leads', size.leads, (advance) =>
    seedTable(file, seedItems(size, new Date()), advance),
  );
  console.log(`${items} items in ${file}; start with: DATA_DIR=${folder} DEMO=0 npm start`);
}
