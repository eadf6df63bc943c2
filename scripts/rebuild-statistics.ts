/**
 * `npm run rebuild-statistics [-- --check]`: recomputes the statistics from the leads of the table, prints every
 * difference and puts it right. With `--check` days and totals are only compared; the exit code is 1 when they differ.
 */
import { createOrderStore } from '#functions/data/orders/order-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { systemRuntime } from '#functions/runtime';
import { openTable } from '#scripts/table';

const check = process.argv.includes('--check');
const { table, close } = await openTable();
const { leads, leadsCorrected, differences, repaired, moving } = await rebuildStatistics(
  { statistics: createStatisticsStore(table), orders: createOrderStore(table), runtime: systemRuntime },
  !check,
);
for (const { of, stored, actual } of differences) console.log(`${of}: stored ${stored}, actual ${actual}`);
if (moving.length > 0)
  console.log(`Not compared, because leads were counted meanwhile: ${moving.join(', ')}`);
console.log(
  `${leads} leads, ${leadsCorrected} of them counted anew; ${differences.length} differences, ${repaired} put right`,
);
await close();
process.exitCode = differences.length > repaired ? 1 : 0;
