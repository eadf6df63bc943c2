/** The distributor's response to its queue. Runs on the in-memory table. */
import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { environment as environmentSchema } from '#functions/platform/environment';
import { create } from '#functions/workers/distribute/index';
import {
  addBuyers,
  ingestionOn,
  itemsOf,
  leadsAmong,
  manyLeads,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { memoryTable, modelOf } from '#test/harness/memory-table';
import type { Input } from '#test/simulation/table-model';

const ENVIRONMENT = environmentSchema.parse({
  TABLE_NAME: 'memory',
  PUBLIC_BASE_URL: 'https://leads.example',
  DELIVER_QUEUE_URL: 'deliver',
  NOTIFY_QUEUE_URL: 'notify',
  CALLBACK_QUEUE_URL: 'callback',
  REDISTRIBUTE_QUEUE_URL: 'redistribute',
  DISTRIBUTE_QUEUE_URL: 'distribute',
  EXPORT_BUCKET: 'exports',
});

const event = (...bodies: readonly string[]) =>
  ({ Records: bodies.map((body, at) => ({ messageId: `m${at}`, body })) }) as SQSEvent;

async function aDistributor() {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 100 }]);
  const model = modelOf(table);
  const sent: { readonly MessageBody: string; readonly DelaySeconds?: number }[] = [];
  const externalServices = {
    table: {
      send: async (command: { readonly input: Input }) => model.send(command.constructor.name, command.input),
    },
    queues: {
      send: async ({ input }: { readonly input: { readonly Entries: typeof sent } }) => {
        sent.push(...input.Entries);
        return { Successful: input.Entries.map((_, at) => ({ Id: String(at) })) };
      },
    },
  };
  const deps = ingestionOn(table);
  await (
    await ingestMany(
      deps,
      manyLeads(10, () => ({ telefon: '0171 1234567' })),
    )
  ).distribute();
  const [message] = deps.messages;
  return {
    table,
    handle: create(ENVIRONMENT, { ...quietRuntime, externalServices: externalServices as never }),
    message,
    sent,
  };
}

it('distributes the requested batch, ignores a finished one, and returns unreadable messages', async () => {
  const { table, handle, message } = await aDistributor();
  const notified = JSON.stringify(message);
  expect(
    await handle(event(notified, '{"batch": 1}', JSON.stringify({ batch_id: 'gone' }), notified)),
  ).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm1' }],
  });
  expect(await violations(table, 10)).toEqual([]);
});

it('retries a batch with a lead that could not be assigned yet', async () => {
  const { table, handle, message, sent } = await aDistributor();
  const [first] = leadsAmong(await itemsOf(table));
  const inTheWay = keys.delivery(first?.lead_id ?? '', 'email');
  await table.put({ put: { ...inTheWay } });
  expect(await handle(event(JSON.stringify(message)))).toEqual({ batchItemFailures: [] });
  expect(leadsAmong(await itemsOf(table)).filter(({ status }) => status === 'assigned')).toHaveLength(9);
  const [again] = sent.splice(0);
  expect(again).toMatchObject({ DelaySeconds: 5 });
  await table.delete({ delete: inTheWay });
  await handle(event(again?.MessageBody ?? ''));
  expect(sent).toEqual([]);
  expect(await violations(table, 10)).toEqual([]);
});
