/** A backlog too long for one run of the redistribution. */

import { expect } from 'vitest';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import { environment as schema } from '#functions/platform/environment';
import { createQueue } from '#functions/queues/sqs';
import { create, MAX_RUN_MS } from '#functions/workers/redistribute/index';
import type { Queues } from '#local/queues';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, quietRuntime } from '#test/harness/distribution';
import { receiveOnce } from '#test/harness/drain';
import type { TestEngine } from '#test/harness/engine';
import { itOnEngine as it } from '#test/harness/fixtures';

const KEY = Buffer.alloc(32).toString('base64');
const environmentOn = (engine: TestEngine, queues: Queues, table: Table) =>
  schema.parse({
    TABLE_NAME: table.name,
    DYNAMODB_ENDPOINT: engine.endpoint,
    PUBLIC_BASE_URL: 'http://localhost',
    DELIVER_QUEUE_URL: queues.urls.deliver,
    NOTIFY_QUEUE_URL: queues.urls.notify,
    CALLBACK_QUEUE_URL: queues.urls.callback,
    REDISTRIBUTE_QUEUE_URL: queues.urls.redistribute,
    DISTRIBUTE_QUEUE_URL: queues.urls.distribute,
    SQS_ENDPOINT: queues.endpoint,
    EXPORT_BUCKET: 'x',
    KEYS_JSON: JSON.stringify({ session: KEY, encryption: [{ id: '1', key: KEY }] }),
  });

it('continues a redistribution that ran out of time, until the end', async ({
  engine,
  queues,
  table,
  deps,
}) => {
  await addBuyers(table, [{ id: 'rich', probability: 50, minimum: 50_000 }]);
  // Thirty leads that the buyer does not accept, then one that it does.
  for (let lead = 0; lead < 30; lead += 1)
    await ingest(deps, aPerson({ anlagebetrag: 1_000_000 }), undefined);
  const last = await ingest(deps, aPerson({ anlagebetrag: 9_000_000 }), undefined);
  await createOrder(adminOn(table), 'test', { buyerId: 'rich', leadLimit: 5, balance: 0 });

  // Time for ten leads per run.
  let time = Date.now();
  const runtime = {
    ...quietRuntime,
    now: () => new Date((time += MAX_RUN_MS / 12)),
  };
  const worker = create(environmentOn(engine, queues, table), runtime);
  await createQueue<object>(queues.client, queues.urls.redistribute, runtime.log).send([
    { message: { buyer: 1 } },
  ]);
  let runs = 0;
  while (runs < 20 && (await receiveOnce(queues.client, queues.urls.redistribute, worker)).received > 0)
    runs += 1;
  expect(runs).toBeLessThan(20);
  expect((await leadStore.get(deps, last.lead_id))?.status).toBe('assigned');
});
