/** `npm run verify-decisions`: makes every recorded decision of a table again and prints how many agree. */
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { command, fail, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

const MAX_SHOWN = 50;

await run(
  command(
    'verify-decisions',
    'Makes every recorded decision again and prints how many agree. Ends with 1 when one does not.',
  )
    .addHelpText('after', TABLE_HELP)
    .action(verify),
);

async function verify(): Promise<void> {
  const { leads, agree, undecided, disagreements } = await withWholeTable((table) =>
    verifyDecisions(table.scan()),
  );
  for (const { leadId, why } of disagreements.slice(0, MAX_SHOWN)) console.log(`${leadId}: ${why}`);
  console.log(
    `${leads} leads: ${agree} decisions agree, ${disagreements.length} do not; ` +
      `for ${undecided} no choice was made (held by a check, or on their way)`,
  );
  if (disagreements.length > 0) fail();
}
