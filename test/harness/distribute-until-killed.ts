/**
 * A process of its own that takes leads in until it is killed or has taken in as many as it was told to; prints each
 * answer. Arguments: endpoint, table, workers, leads.
 */

import { writeSync } from 'node:fs';
import { Table } from '#functions/data/table/table';
import { takeIn } from '#functions/domain/distribution/distribution';
import { aPerson } from '#test/factories/people';
import { distributionOn } from '#test/harness/distribution';

const [endpoint, name = '', workers, leads] = process.argv.slice(2);
const deps = distributionOn(new Table({ name, endpoint }));
let left = Number(leads);
await Promise.all(
  Array.from({ length: Number(workers) }, async () => {
    while (left > 0) {
      left -= 1;
      const result = await takeIn(deps, aPerson(), undefined);
      const sequence = result.status === 'assigned' ? result.sequence : null;
      writeSync(1, `${JSON.stringify({ lead_id: result.lead_id, status: result.status, sequence })}\n`);
    }
  }),
);
