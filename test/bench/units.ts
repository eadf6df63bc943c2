/** Capacity units and sequential round trips of one lead, by the number of stored leads. */

import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { clientOf, twentyBuyers } from '#test/bench/stage';
import { sampleLead } from '#test/bench/throughput';
import { aPerson } from '#test/factories/people';
import { distributionOn } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { withRoundTrips } from '#test/harness/round-trips';

export interface Cost {
  /** Leads stored before the measurement. */
  readonly stored: number;
  /** The maximum of the measured leads. */
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly roundTrips: number;
}

const MEASURED_LEADS = 40;
const BATCH = 25;
const WRITERS = 8;

/** @param sizes ascending */
export async function measureCosts(engine: TestEngine, sizes: readonly number[]): Promise<Cost[]> {
  const units = { read: 0, write: 0 };
  const table = await twentyBuyers(engine, ({ read, write }) => {
    units.read += read;
    units.write += write;
  });
  let stored = 0;
  const costs: Cost[] = [];
  for (const size of sizes) {
    if (stored > 0 && size > stored) await copyLeads(engine, table, size - stored);
    while (stored < Math.min(size, sizes[0] ?? 0)) {
      await ingest(distributionOn(table), aPerson({ anlagebetrag: 5_000_000 }), undefined);
      stored += 1;
    }
    stored = Math.max(stored, size);
    const cost = { stored: size, writeUnits: 0, readUnits: 0, roundTrips: 0 };
    for (let lead = 0; lead < MEASURED_LEADS; lead += 1) {
      units.read = 0;
      units.write = 0;
      const measured = withRoundTrips(table);
      await ingest(distributionOn(measured.table), aPerson({ anlagebetrag: 5_000_000 }), undefined);
      cost.writeUnits = Math.max(cost.writeUnits, units.write);
      cost.readUnits = Math.max(cost.readUnits, units.read);
      cost.roundTrips = Math.max(cost.roundTrips, measured.roundTrips());
    }
    stored += MEASURED_LEADS;
    costs.push(cost);
  }
  return costs;
}

/** Stores copies of a real assigned lead under other IDs and numbers. */
async function copyLeads(engine: TestEngine, table: Table, count: number): Promise<void> {
  const client = clientOf(engine);
  const { pk, sk } = keys.lead(await sampleLead(table));
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < count) {
        const from = next;
        next += BATCH;
        const copies = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => ({
          PutRequest: {
            Item: {
              ...Item,
              pk: { S: `LEAD#copy-${count}-${from + at}` },
              lead_id: { S: `copy-${count}-${from + at}` },
              gsi1sk: { S: `copy-${count}-${from + at}` },
            },
          },
        }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: copies } }));
      }
    }),
  );
  client.destroy();
}
