/** `npm run rebuild-statistics`: recomputes the statistics from the leads of a table and puts right what differs. */
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { systemRuntime } from '#functions/platform/runtime';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

await run(
  command(
    'rebuild-statistics',
    'Recomputes the statistics from the leads, prints every difference and puts it right. Ends with 1 when one is left.',
  )
    .option('--check', 'only compare days and totals')
    .addHelpText('after', TABLE_HELP)
    .action(({ check }) => rebuild(check !== true)),
);

async function rebuild(repair: boolean): Promise<void> {
  const { leads, leadsCorrected, differences, repaired, moving } = await withWholeTable((table) =>
    rebuildStatistics({ table, runtime: systemRuntime }, repair),
  );
  for (const { of, stored, actual } of differences) console.log(`${of}: stored ${stored}, actual ${actual}`);
  if (moving.length > 0)
    console.log(`Not compared, because leads were counted meanwhile: ${moving.join(', ')}`);
  console.log(
    `${leads} leads, ${leadsCorrected} of them counted anew; ${differences.length} differences, ${repaired} put right`,
  );
  if (differences.length > repaired) fail();
}
