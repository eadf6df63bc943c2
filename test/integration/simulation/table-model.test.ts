/** The simulator's in-memory table answers like the embedded engine. */
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect } from 'vitest';
import type { Item } from '#functions/data/table/table';
import { itOnEngine as it } from '#test/harness/fixtures';
import { ON_DYNAMODB_LOCAL, ON_EMULATOR } from '#test/harness/other-engine';
import { present } from '#test/simulation/bundle';
import { randomCommands } from '#test/simulation/commands';
import type { Command } from '#test/simulation/outside';
import { TableModel } from '#test/simulation/table-model';

const documentsOf = (client: DynamoDBClient) =>
  sdk.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** The first commands of the product in one history. */
async function commandsOf(seed: number, most: number): Promise<readonly Command[]> {
  const { simulate } = await present();
  const sent: Command[] = [];
  await simulate({
    seed,
    faults: { kinds: [] },
    rewrite: (command) => {
      sent.push(command);
      return command;
    },
  });
  return sent.slice(0, most);
}

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
  const Aimed = Reflect.get(sdk, name) as new (input: object) => object;
  return new Aimed(aimed);
}

interface CloudError extends Error {
  readonly Item?: Parameters<typeof unmarshall>[0];
  readonly CancellationReasons?: readonly {
    readonly Code?: string;
    readonly Item?: Parameters<typeof unmarshall>[0];
  }[];
}

interface Answer {
  readonly Item?: Item;
  readonly Items?: readonly Item[];
  readonly Attributes?: Item;
  readonly Count?: number;
  readonly Responses?: Readonly<Record<string, readonly Item[]>>;
}

const keyOf = ({ pk, sk }: Item) => `${String(pk)} ${String(sk)}`;
const byKey = (items: readonly Item[] | undefined) =>
  items?.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/** The comparable part of an answer. In an index, the order of items with the same sort key is undefined. */
async function shown({ input: { IndexName } }: Command, ask: () => unknown): Promise<unknown> {
  try {
    const { Item, Items, Attributes = {}, Count, Responses } = (await ask()) as Answer;
    const sortKeys = Items?.map((item) => item[IndexName === undefined ? 'sk' : `${IndexName}sk`]);
    const found = byKey(Responses && Object.values(Responses).flat());
    return { Item, sortKeys, items: byKey(Items), Attributes, Count, found };
  } catch (error) {
    const { name, Item: item, CancellationReasons: reasons } = error as CloudError;
    return {
      error: name,
      item: item && unmarshall(item),
      reasons: reasons?.map(({ Code, Item }) => ({ code: Code, item: Item && unmarshall(Item) })),
    };
  }
}

/** DynamoDB rejects such a transaction as a whole; DynamoDB Local checks the conditions first. */
function repeatsAnItem({ input }: Command): boolean {
  const keys = (input.TransactItems ?? [])
    .flatMap((item) => Object.values(item))
    .map(({ Item, Key }) => keyOf(Item ?? Key ?? {}));
  return new Set(keys).size < keys.length;
}

/** The emulator refuses a whole command if the stored attribute is no text; elsewhere the condition is false. */
const hasPrefix = (command: Command) => JSON.stringify(command).includes('begins_with(#b');

const isAnsweredAlike = (command: Command) =>
  !(ON_EMULATOR && hasPrefix(command)) && !(ON_DYNAMODB_LOCAL && repeatsAnItem(command));

/** An update that does not fit its item is one reason in DynamoDB's answer, but the whole answer in DynamoDB Local. */
function asEngineAnswers(answer: unknown): unknown {
  if (!ON_DYNAMODB_LOCAL) return answer;
  const { reasons } = answer as { readonly reasons?: readonly { readonly code?: string }[] };
  return reasons?.some(({ code }) => code === 'ValidationError') === true
    ? { error: 'ValidationException', item: undefined, reasons: undefined }
    : answer;
}

/** Reads between two writes are sent concurrently, which is faster. */
async function differences(
  table: string,
  client: sdk.DynamoDBDocumentClient,
  commands: readonly Command[],
): Promise<unknown[]> {
  const model = new TableModel();
  const found: unknown[] = [];
  const reads: Promise<void>[] = [];
  for (const command of commands) {
    const isWrite = /^(Put|Update|Delete|Transact)/.test(command.name);
    if (isWrite) await Promise.all(reads.splice(0));
    const ours = await shown(command, () => model.send(command.name, command.input));
    const compare = async () => {
      const theirs = await shown(command, () => client.send(aimedAt(table, command) as sdk.GetCommand));
      if (!isDeepStrictEqual(asEngineAnswers(ours), theirs)) found.push({ command, ours, theirs });
    };
    if (isWrite) await compare();
    else reads.push(compare());
    if (found.length > 3) break;
  }
  await Promise.all(reads);
  return found;
}

describe('the table model', () => {
  it('answers every command of whole histories like the engine', async ({ engine }) => {
    for (const seed of [3, 11]) {
      const { name } = await engine.freshTable();
      const commands = await commandsOf(seed, 700);
      expect(commands.length).toBeGreaterThan(50);
      expect(await differences(name, documentsOf(engine.client), commands)).toEqual([]);
    }
  });

  it('answers random commands like the engine', async ({ engine }) => {
    const { name } = await engine.freshTable();
    const random = randomCommands(1, 1200).filter(isAnsweredAlike);
    expect(await differences(name, documentsOf(engine.client), random)).toEqual([]);
  });

  it('rejects the same requests as DynamoDB', () => {
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
