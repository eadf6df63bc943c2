/** Leads per second through the whole handler, compared with the engine doing the same reads and writes alone. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { clientOf, closedLoop, createLeadCall, median, twentyBuyers } from '#test/bench/stage';
import type { TestEngine } from '#test/harness/engine';

export interface Throughput {
  readonly concurrency: number;
  /** Leads per second. */
  readonly handler: number;
  readonly raw: number;
  readonly ratio: number;
  /** Ledger writes per lead: below 1 if choices are settled together. The raw engine makes as many. */
  readonly ledgerWrites: number;
}

type StoredItem = Record<string, AttributeValue>;
const keyOf = ({ pk, sk }: { pk: string; sk: string }): StoredItem => ({ pk: { S: pk }, sk: { S: sk } });

/** @param leads per round; the rounds of both alternate, so that both run under the same load */
export async function measureThroughput(
  engine: TestEngine,
  concurrency: number,
  leads: number,
  rounds: number,
): Promise<Throughput> {
  const table = await twentyBuyers(engine);
  const { call, sessionId } = await createLeadCall(engine, table);
  await closedLoop(concurrency, Math.max(60, concurrency), call);
  const raw = await rawLeads(engine, table, sessionId);
  await closedLoop(concurrency, Math.max(20, concurrency), () => raw.lead(1));

  const handlerRates: number[] = [];
  const rawRates: number[] = [];
  const ratios: number[] = [];
  const before = await versionOf(table);
  let taken = 0;
  let share = 1;
  for (let round = 0; round < rounds; round += 1) {
    const handler = leads / (await closedLoop(concurrency, leads, call));
    taken += leads;
    share = ((await versionOf(table)) - before) / taken;
    const engineAlone = leads / (await closedLoop(concurrency, leads, () => raw.lead(share)));
    handlerRates.push(handler);
    rawRates.push(engineAlone);
    ratios.push(handler / engineAlone);
  }
  raw.close();
  return {
    concurrency,
    handler: median(handlerRates),
    raw: median(rawRates),
    ratio: median(ratios),
    ledgerWrites: share,
  };
}

async function versionOf(table: Table): Promise<number> {
  return Number((await table.get(keys.ledger()))?.version ?? 0);
}

/** The items of a real lead and their write requests, prepared once. */
async function rawLeads(engine: TestEngine, table: Table, sessionId: string) {
  const client = clientOf(engine);
  const TableName = table.name;
  const sample = await sampleLead(table);
  const [lead, decision, delivery] = await Promise.all(
    [keys.lead(sample), keys.decision(sample), keys.delivery(sample, 'email')].map(async (key) => {
      const { Item = {} } = await client.send(new GetItemCommand({ TableName, Key: keyOf(key) }));
      return Item;
    }),
  );
  const { Item: ledger = {} } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: 'POOL' }, sk: { S: 'RAW' } } }),
  );
  const { Item: realLedger = {} } = await client.send(
    new GetItemCommand({ TableName, Key: keyOf(keys.ledger()) }),
  );
  // A second ledger and order of the same size as the real ones.
  const rawLedger = { pk: { S: 'RAW' }, sk: { S: 'LEDGER' } };
  await client.send(new PutItemCommand({ TableName, Item: { ...ledger, ...realLedger, ...rawLedger } }));
  const { Item: order = {} } = await client.send(
    new GetItemCommand({ TableName, Key: keyOf(keys.order(1)) }),
  );
  const rawOrders = Array.from({ length: 20 }, (_, at) => ({ pk: { S: `RAW#${at}` }, sk: { S: 'ORDER' } }));
  for (const key of rawOrders)
    await client.send(new PutItemCommand({ TableName, Item: { ...order, ...key } }));

  let count = 0;
  let owed = 0;
  const oneUnit = { N: '1' };
  return {
    close: () => client.destroy(),
    /**
     * One lead in the steps of a distribution attempt.
     * @param ledgerWrites per lead
     */
    async lead(ledgerWrites: number): Promise<void> {
      count += 1;
      const number = count;
      const id = `raw-${number}`;
      const pk = { S: `LEAD#${id}` };
      await client.send(
        new BatchGetItemCommand({
          RequestItems: {
            [TableName]: {
              Keys: [keyOf(keys.session('admin', sessionId)), keyOf(keys.admin('admin'))],
              ConsistentRead: true,
            },
          },
        }),
      );
      await Promise.all([
        client.send(
          new PutItemCommand({
            TableName,
            Item: { ...lead, pk, gsi1pk: { S: 'RAWFLIGHT' }, gsi1sk: { S: id } },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
        client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': { S: keys.pool() } },
            ConsistentRead: true,
          }),
        ),
      ]);
      owed += ledgerWrites;
      if (owed >= 1) {
        owed -= 1;
        await client.send(
          new UpdateItemCommand({
            TableName,
            Key: rawLedger,
            UpdateExpression: 'SET version = version + :one, deficits = :deficits, writers = :writers',
            ConditionExpression: 'version > :one',
            ExpressionAttributeValues: {
              ':one': oneUnit,
              ':deficits': realLedger.deficits ?? { M: {} },
              ':writers': realLedger.writers ?? { M: {} },
            },
            ReturnValues: 'ALL_NEW',
          }),
        );
      }
      await Promise.all([
        client.send(
          new UpdateItemCommand({
            TableName,
            Key: rawOrders[number % rawOrders.length],
            UpdateExpression:
              'SET leads_received = leads_received + :one, last_sequence = last_sequence + :one, reservations.#key = last_sequence + :one REMOVE reservations.#done',
            ConditionExpression: 'leads_received < lead_limit AND attribute_not_exists(reservations.#key)',
            ExpressionAttributeNames: { '#key': `${id}.1`, '#done': `raw-${number - rawOrders.length}.1` },
            ExpressionAttributeValues: { ':one': oneUnit },
            ReturnValues: 'ALL_NEW',
          }),
        ),
        client.send(new PutItemCommand({ TableName, Item: { ...decision, pk } })),
      ]);
      await client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            {
              Update: {
                TableName,
                Key: { pk, sk: { S: 'LEAD' } },
                UpdateExpression: 'SET #status = :assigned, gsi1pk = :list REMOVE in_flight_since',
                ConditionExpression: 'distribution_attempt = :one',
                ExpressionAttributeNames: { '#status': 'status' },
                ExpressionAttributeValues: {
                  ':assigned': { S: 'assigned' },
                  ':list': { S: 'RAWORDER' },
                  ':one': oneUnit,
                },
              },
            },
            {
              Put: { TableName, Item: { ...delivery, pk }, ConditionExpression: 'attribute_not_exists(pk)' },
            },
          ],
        }),
      );
    },
  };
}

export async function sampleLead(table: Table): Promise<string> {
  const { items } = await table.query({ index: 'gsi1', partition: 'ORDER#1', limit: 1 });
  const id = items[0]?.lead_id;
  if (typeof id !== 'string') throw new Error('No lead was assigned to the first order');
  return id;
}
