/**
 * A process of its own that takes leads in until it is killed or has taken in as many as it was told to; prints each
 * answer. Arguments: endpoint, table, workers, leads, and how many leads are taken in together (1: one by one).
 */

import { writeSync } from 'node:fs';
import { Table } from '#functions/data/table/table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { takeIn } from '#functions/domain/distribution/distribution';
import { takeInMany } from '#functions/domain/distribution/take-in-many';
import { aPerson } from '#test/factories/people';
import { manyLeads, takingInOn } from '#test/harness/distribution';

const [endpoint, name = '', workers, leads, together] = process.argv.slice(2);
const deps = takingInOn(new Table({ name, endpoint }));
let left = Number(leads);

const answer = (lead_id: string, status: string, sequence: number | null) =>
  writeSync(1, `${JSON.stringify({ lead_id, status, sequence })}\n`);

async function one(): Promise<void> {
  const result = await takeIn(deps, aPerson(), undefined);
  answer(result.lead_id, result.status, result.status === 'assigned' ? result.sequence : null);
}

async function batch(size: number): Promise<void> {
  const taken = await takeInMany(deps, manyLeads(size));
  await taken.distribute();
  for (const { lead_id } of taken.outcomes.flatMap((outcome) => (outcome.stored ? [outcome.lead] : [])))
    answer(lead_id, 'received', null);
  for (const { batch_id, absent } of deps.messages.splice(0)) await distributeBatch(deps, batch_id, absent);
}

const size = Number(together);
await Promise.all(
  Array.from({ length: Math.ceil(Number(workers) / size) }, async () => {
    while (left > 0) {
      left -= size;
      await (size === 1 ? one() : batch(size));
    }
  }),
);
