/** The simulator's table in memory answers as the embedded engine does. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect } from 'vitest';
import { ensureTable } from '#functions/data/table/create-table';
import type { Item } from '#functions/data/table/table';
import { atEndpoint } from '#functions/platform/sdk-client';
import { ON_DYNAMODB_LOCAL, startDynamoDbLocal } from '#test/harness/dynamodb-local';
import { itOnEngine as it } from '#test/harness/fixtures';
import { commandsOf, randomCommands } from '#test/simulation/commands';
import type { Command } from '#test/simulation/outside';
import { type Input, TableModel } from '#test/simulation/table-model';

const COMMANDS = {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
};

function aimedAt(table: string, { name, input }: Command): object {
  const { TransactItems, RequestItems } = input;
  const aimed = {
    ...input,
    TableName: table,
    ...(TransactItems && {
      TransactItems: TransactItems.map((item) =>
        Object.fromEntries(Object.entries(item).map(([verb, part]) => [verb, { ...part, TableName: table }])),
      ),
    }),
    ...(RequestItems && { RequestItems: { [table]: Object.values(RequestItems)[0] } }),
  };
  if (TransactItems || RequestItems) delete (aimed as { TableName?: string }).TableName;
  const Aimed = COMMANDS[name as keyof typeof COMMANDS] as unknown as new (input: object) => object;
  return new Aimed(aimed);
}

interface CloudError extends Error {
  readonly Item?: Parameters<typeof unmarshall>[0];
  readonly CancellationReasons?: readonly {
    readonly Code?: string;
    readonly Item?: Parameters<typeof unmarshall>[0];
  }[];
}

/** In an index, the order of items with the same sort key is not promised. */
function tiesSorted(items: readonly Item[]): Item[] {
  const position = new Map(items.map((item, at) => [item, at]));
  const runs = new Map<unknown, number>();
  for (const item of items) runs.set(item.gsi1sk, runs.get(item.gsi1sk) ?? position.get(item) ?? 0);
  const key = (item: Item) => `${String(item.pk)} ${String(item.sk)}`;
  return items[0]?.gsi1sk === undefined
    ? [...items]
    : items.toSorted(
        (one, other) =>
          (runs.get(one.gsi1sk) ?? 0) - (runs.get(other.gsi1sk) ?? 0) || (key(one) < key(other) ? -1 : 1),
      );
}

/** What of an answer must be the same. */
async function shown(ask: () => unknown): Promise<unknown> {
  try {
    const answer = (await ask()) as {
      Item?: Item;
      Items?: Item[];
      Attributes?: Item;
      Count?: number;
      Responses?: Record<string, Item[]>;
    };
    const found = answer.Responses && Object.values(answer.Responses).flat();
    return {
      item: answer.Item,
      items: answer.Items && tiesSorted(answer.Items),
      attributes:
        answer.Attributes && Object.keys(answer.Attributes).length > 0 ? answer.Attributes : undefined,
      count: answer.Count,
      found: found?.toSorted((one, other) =>
        `${String(one.pk)}${String(one.sk)}` < `${String(other.pk)}${String(other.sk)}` ? -1 : 1,
      ),
    };
  } catch (error) {
    const { name, Item: item, CancellationReasons: reasons } = error as CloudError;
    return {
      error: name,
      item: item && unmarshall(item),
      reasons: reasons?.map(({ Code, Item }) => ({ code: Code, item: Item && unmarshall(Item) })),
    };
  }
}

/** DynamoDB refuses such a transaction as a whole; its local edition looks at the conditions first. */
function repeatsAnItem({ input }: Command): boolean {
  const keys = (input.TransactItems ?? []).flatMap((item) =>
    Object.values(item).map(
      (part) => `${String((part.Item ?? part.Key)?.pk)} ${String((part.Item ?? part.Key)?.sk)}`,
    ),
  );
  return new Set(keys).size < keys.length;
}

/** An update that does not fit its item is a reason in DynamoDB's answer, and all of the answer in its local edition. */
function refusedByLocal(answer: unknown): unknown {
  const { reasons } = answer as { readonly reasons?: readonly { readonly code?: string }[] };
  return reasons?.some(({ code }) => code === 'ValidationError') === true
    ? { error: 'ValidationException' }
    : answer;
}

async function differences(
  table: string,
  client: DynamoDBDocumentClient,
  commands: readonly Command[],
  told: (answer: unknown) => unknown = (answer) => answer,
): Promise<unknown[]> {
  const model = new TableModel();
  const found: unknown[] = [];
  for (const command of commands) {
    const ours = await shown(() => model.send(command.name, structuredCloneOf(command.input)));
    const theirs = await shown(() => client.send(aimedAt(table, command) as GetCommand));
    if (JSON.stringify(plain(told(ours))) !== JSON.stringify(plain(told(theirs))))
      found.push({ command, ours, theirs });
    if (found.length > 3) break;
  }
  return found;
}

const structuredCloneOf = (input: Input): Input => structuredClone(input);

/** Attributes have no order. */
function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].map(String).sort();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, plain(one)]),
  );
}

describe("the table's model", () => {
  it('answers every command of whole histories as the engine does', async ({ engine }) => {
    for (const seed of [3, 11]) {
      const { name } = await engine.freshTable();
      const commands = await commandsOf(seed);
      expect(commands.length).toBeGreaterThan(50);
      expect(
        await differences(
          name,
          DynamoDBDocumentClient.from(engine.client, { marshallOptions: { removeUndefinedValues: true } }),
          commands.slice(0, 700),
        ),
      ).toEqual([]);
    }
  });

  it('answers random commands as the engine does', async ({ engine }) => {
    const { name } = await engine.freshTable();
    const client = DynamoDBDocumentClient.from(engine.client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    expect(await differences(name, client, randomCommands(1, 1200))).toEqual([]);
  });

  it.skipIf(!ON_DYNAMODB_LOCAL)("answers as Amazon's DynamoDB Local does", async () => {
    const judge = await startDynamoDbLocal();
    const client = new DynamoDBClient({ ...atEndpoint(judge.endpoint), maxAttempts: 5 });
    try {
      const documents = DynamoDBDocumentClient.from(client, {
        marshallOptions: { removeUndefinedValues: true },
      });
      const random = randomCommands(2, 800).filter((command) => !repeatsAnItem(command));
      const judged = { history: (await commandsOf(3)).slice(0, 400), random };
      for (const [name, commands] of Object.entries(judged)) {
        await ensureTable(client, name);
        expect(await differences(name, documents, commands, refusedByLocal)).toEqual([]);
      }
    } finally {
      client.destroy();
      await judge.stop();
    }
  });

  it('refuses what DynamoDB refuses', () => {
    const model = new TableModel();
    const put = (index: number) => ({ Put: { Item: { pk: 'P', sk: String(index) } } });
    const transact = (count: number) => () =>
      model.prepare({ TransactItems: Array.from({ length: count }, (_, index) => put(index)) });
    expect(transact(101)).toThrow(/100/);
    expect(() => model.prepare({ TransactItems: [put(1), put(1)] })).toThrow(/one item/);
    expect(() => model.send('PutCommand', { Item: { pk: 'P', sk: 'S', text: 'x'.repeat(410_000) } })).toThrow(
      /size/,
    );
    expect(() =>
      model.send('PutCommand', { Item: { pk: 'P', sk: 'S' }, ExpressionAttributeValues: { ':x': 1 } }),
    ).toThrow(/unused/);
    expect(() => model.send('PutCommand', { Item: { pk: '', sk: 'S' } })).toThrow(/key/);
    const twice = { UpdateExpression: 'SET a = :n, a = :n', ExpressionAttributeValues: { ':n': 1 } };
    expect(() => model.send('UpdateCommand', { Key: { pk: 'P', sk: 'S' }, ...twice })).toThrow(/overlap/);
  });
});
