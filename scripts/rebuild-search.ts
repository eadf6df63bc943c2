/** `npm run rebuild-search`: makes the search indexes of a table those of the present code. */
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { rebuildClaimWords } from '#functions/domain/claims/rebuild-words';
import { count } from '#functions/domain/statistics/statistics';
import { systemRuntime } from '#functions/platform/runtime';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

await run(
  command(
    'rebuild-search',
    'Brings the words by which leads and claims are found up to date. Ends with 1 when claims were edited meanwhile.',
  )
    .addHelpText('after', TABLE_HELP)
    .action(rebuild),
);

async function rebuild(): Promise<void> {
  const { leads, leadsCorrected, claims, corrected, missed } = await withWholeTable(async (table) => {
    const context = { table, runtime: systemRuntime };
    let [seen, changed] = [0, 0];
    for await (const ids of statisticsStore.everyLead({ table })) {
      seen += ids.length;
      changed += await count(context, ids);
    }
    const words = await rebuildClaimWords({ table });
    return { leads: seen, leadsCorrected: changed, ...words };
  });
  console.log(
    `${leads} leads, ${leadsCorrected} of them indexed anew; ${claims} claims, ${corrected} of them indexed anew`,
  );
  if (missed === 0) return;
  console.log(`${missed} claims were edited meanwhile; run it again`);
  fail();
}
