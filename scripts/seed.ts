/**
 * `npm run seed [-- --buyers 1000 --orders 10000 --leads 100000]`: makes a large data set in DATA_DIR (`.data/seed`),
 * which must be new. Then `DATA_DIR=.data/seed npm start` runs on it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedTable } from '#scripts/seed-table';

const { values } = parseArgs({
  options: {
    buyers: { type: 'string', default: '1000' },
    orders: { type: 'string', default: '10000' },
    leads: { type: 'string', default: '100000' },
  },
});
const size = { buyers: Number(values.buyers), orders: Number(values.orders), leads: Number(values.leads) };
const folder = process.env.DATA_DIR ?? join('.data', 'seed');
const file = join(folder, 'table.db');

if (Object.values(size).some((count) => !Number.isInteger(count) || count < 1)) {
  console.error('Sizes are whole numbers of at least 1');
  process.exitCode = 1;
} else if (existsSync(file)) {
  console.error(`${file} is there already: choose another DATA_DIR or delete it`);
  process.exitCode = 1;
} else {
  const items = await seedTable(file, size, new Date());
  console.log(`${items} items in ${file}; start with: DATA_DIR=${folder} DEMO=0 npm start`);
}
