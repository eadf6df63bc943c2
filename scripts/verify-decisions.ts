/**
 * `npm run verify-decisions`: makes every recorded decision of the table again and prints how many agree; the exit code is
 * 1 when one does not.
 */
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { openTable } from './table';

const MOST_SHOWN = 50;

const { table, close } = await openTable();
const { leads, agree, undecided, disagreements } = await verifyDecisions(table.scan());
for (const { leadId, why } of disagreements.slice(0, MOST_SHOWN)) console.log(`${leadId}: ${why}`);
console.log(
  `${leads} leads: ${agree} decisions agree, ${disagreements.length} do not; ` +
    `for ${undecided} no choice was made (held by a check, or on their way)`,
);
await close();
process.exitCode = disagreements.length > 0 ? 1 : 0;
