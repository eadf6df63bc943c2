/**
 * A failed condition is a result, not an error, and contains the item as it is. A write that conflicts with a
 * transaction is repeated with jitter, because the SDK does not do that.
 */
import { type AttributeValue, DynamoDBClient, ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#functions/data/table/keys';
import { newWriteId } from '#functions/data/table/write-id';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import { atEndpoint, withoutCallLog } from '#functions/platform/sdk-client';

export type Item = Record<string, unknown>;

interface Expressions {
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}
export interface Put extends Expressions {
  readonly put: Item & Key;
}
export interface Update extends Expressions {
  readonly key: Key;
  readonly update: string;
}
export interface Delete extends Expressions {
  readonly delete: Key;
}
export type TransactionItem = Put | Update | Delete;

/** The item after the write, or the one that did not meet the condition. */
export type Written =
  | { readonly ok: true; readonly item: Item }
  | { readonly ok: false; readonly item: Item | undefined };

/** For each part `false`, or the item as it is if its condition failed. */
export type Transacted =
  | { readonly ok: true }
  | { readonly ok: false; readonly failed: readonly (false | { readonly item: Item | undefined })[] };

export interface Query {
  readonly index?: 'gsi1' | 'gsi2';
  readonly partition: string;
  readonly sort?: { readonly prefix: string } | { readonly from: string; readonly to: string };
  readonly descending?: boolean;
  readonly limit?: number;
  readonly after?: Item;
  readonly consistent?: boolean;
  readonly only?: readonly string[];
  readonly filter?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}
export interface Page {
  readonly items: readonly Item[];
  readonly next: Item | undefined;
}

/** In capacity units. */
export type Meter = (request: {
  readonly operation: string;
  readonly read: number;
  readonly write: number;
}) => void;

export interface TableOptions {
  readonly name: string;
  readonly endpoint?: string | undefined;
  readonly meter?: Meter;
  readonly client?: DynamoDBClient;
  /** By default a document client around `client`. */
  readonly documents?: Pick<DynamoDBDocumentClient, 'send'>;
  /** Source of back-off, request tokens and write IDs. */
  readonly runtime?: Pick<Runtime, 'random' | 'sleep'>;
}

const MAX_CONFLICT_ATTEMPTS = 12;

/**
 * Milliseconds. Without them a dead connection would block until the function times out; the SDK repeats the request.
 */
const REQUEST_TIMEOUTS_MS = {
  connectionTimeout: 3_000,
  requestTimeout: 8_000,
  throwOnRequestTimeout: true,
} as const;

interface CloudError {
  readonly name: string;
  readonly Item?: Record<string, AttributeValue>;
  readonly CancellationReasons?: readonly {
    readonly Code?: string;
    readonly Item?: Record<string, AttributeValue>;
  }[];
}
function isCloudError(error: unknown): error is CloudError {
  return error instanceof Error;
}

export class Table {
  readonly name: string;
  readonly runtime: Pick<Runtime, 'random' | 'sleep'>;
  readonly #client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly #meter: Meter | undefined;

  constructor(options: TableOptions) {
    this.name = options.name;
    this.runtime = options.runtime ?? systemRuntime;
    this.#meter = options.meter;
    this.#client = options.documents ?? documentClient(options);
  }

  async get(key: Key, options: { consistent?: boolean } = {}): Promise<Item | undefined> {
    const answer = await this.#client.send(
      new GetCommand({
        TableName: this.name,
        Key: { ...key },
        ConsistentRead: options.consistent ?? true,
        ...this.#metering(),
      }),
    );
    this.#measure('get', answer.ConsumedCapacity);
    return answer.Item;
  }

  /** In the order of the keys, in batches of 100. */
  async getMany(
    wanted: readonly Key[],
    options: { consistent?: boolean } = {},
  ): Promise<(Item | undefined)[]> {
    const found = new Map<string, Item>();
    const identity = (key: Item | Key) => `${String(key.pk)}\u0000${String(key.sk)}`;
    const distinct = [...new Map(wanted.map((key) => [identity(key), key])).values()];
    const batches: Key[][] = [];
    for (let start = 0; start < distinct.length; start += 100)
      batches.push(distinct.slice(start, start + 100));
    await Promise.all(
      batches.map(async (batch) => {
        let pending: Item[] = batch.map(({ pk, sk }) => ({ pk, sk }));
        for (let attempt = 0; pending.length > 0; attempt += 1) {
          if (attempt > 0) await this.#backOff(attempt);
          const answer = await this.#client.send(
            new BatchGetCommand({
              RequestItems: { [this.name]: { Keys: pending, ConsistentRead: options.consistent ?? true } },
              ...this.#metering(),
            }),
          );
          for (const item of answer.Responses?.[this.name] ?? []) found.set(identity(item), item);
          for (const consumed of answer.ConsumedCapacity ?? []) this.#measure('getMany', consumed);
          pending = answer.UnprocessedKeys?.[this.name]?.Keys ?? [];
        }
      }),
    );
    return wanted.map((key) => found.get(identity(key)));
  }

  async query(query: Query): Promise<Page> {
    const answer = await this.#client.send(
      new QueryCommand({ ...this.#queryInput(query), ...this.#metering() }),
    );
    this.#measure('query', answer.ConsumedCapacity);
    return { items: answer.Items ?? [], next: answer.LastEvaluatedKey };
  }

  async queryAll(query: Query): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages(query)) items.push(...page);
    return items;
  }

  async *pages(query: Query): AsyncGenerator<readonly Item[]> {
    let after: Item | undefined;
    do {
      const page: Page = await this.query({ ...query, ...(after && { after }) });
      yield page.items;
      after = page.next;
    } while (after !== undefined);
  }

  /** Only for commands that check or rebuild a whole table. */
  async *scan(): AsyncGenerator<readonly Item[]> {
    let after: Item | undefined;
    do {
      const answer: { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined } =
        await this.#client.send(
          new ScanCommand({
            TableName: this.name,
            ConsistentRead: true,
            ...(after !== undefined && { ExclusiveStartKey: after }),
          }),
        );
      yield answer.Items ?? [];
      after = answer.LastEvaluatedKey;
    } while (after !== undefined);
  }

  /** Transfers no items. */
  async count(query: Query): Promise<number> {
    let total = 0;
    let after: Item | undefined;
    do {
      const answer: { Count?: number | undefined; LastEvaluatedKey?: Item | undefined } =
        await this.#client.send(
          new QueryCommand({ ...this.#queryInput({ ...query, ...(after && { after }) }), Select: 'COUNT' }),
        );
      total += answer.Count ?? 0;
      after = answer.LastEvaluatedKey;
    } while (after !== undefined);
    return total;
  }

  async put(write: Put): Promise<Written> {
    return this.#conditionally('put', async () => {
      const input = { ...this.#writing(write), Item: write.put };
      const answer = await this.#client.send(new PutCommand(input));
      this.#measure('put', answer.ConsumedCapacity);
      return write.put;
    });
  }

  async update(write: Update): Promise<Written> {
    return this.#conditionally('update', async () => {
      const input = { ...this.#writing(write), Key: { ...write.key }, UpdateExpression: write.update };
      const answer = await this.#client.send(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }));
      this.#measure('update', answer.ConsumedCapacity);
      return answer.Attributes ?? {};
    });
  }

  async delete(write: Delete): Promise<Written> {
    return this.#conditionally('delete', async () => {
      const input = { ...this.#writing(write), Key: { ...write.delete } };
      const answer = await this.#client.send(new DeleteCommand({ ...input, ReturnValues: 'ALL_OLD' }));
      this.#measure('delete', answer.ConsumedCapacity);
      return answer.Attributes ?? {};
    });
  }

  /** All or none; repetitions count once. @throws Error if it still conflicts after `MAX_CONFLICT_ATTEMPTS` */
  async transact(items: readonly TransactionItem[]): Promise<Transacted> {
    const input: TransactWriteCommandInput = {
      TransactItems: items.map((item) => this.#transactionItem(item)),
      ClientRequestToken: this.#requestToken(),
      ...this.#metering(),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#client.send(new TransactWriteCommand(input));
        for (const consumed of answer.ConsumedCapacity ?? []) this.#measure('transact', consumed);
        return { ok: true };
      } catch (error) {
        if (!isCloudError(error) || error.name !== 'TransactionCanceledException') throw error;
        const reasons = error.CancellationReasons ?? [];
        if (reasons.some((reason) => reason.Code === 'ConditionalCheckFailed')) {
          return {
            ok: false,
            failed: items.map((_, at) =>
              reasons[at]?.Code === 'ConditionalCheckFailed'
                ? { item: unmarshalled(reasons[at].Item) }
                : false,
            ),
          };
        }
        if (attempt >= MAX_CONFLICT_ATTEMPTS) throw error;
        await this.#backOff(attempt);
      }
    }
  }

  async #conditionally(operation: string, write: () => Promise<Item>): Promise<Written> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return { ok: true, item: await write() };
      } catch (error) {
        if (!isCloudError(error)) throw error;
        if (error.name === 'ConditionalCheckFailedException') {
          this.#meter?.({ operation, read: 0, write: 1 });
          return { ok: false, item: unmarshalled(error.Item) };
        }
        if (error.name !== 'TransactionConflictException' || attempt >= MAX_CONFLICT_ATTEMPTS) throw error;
        await this.#backOff(attempt);
      }
    }
  }

  /** Full jitter up to a maximum, which doubles with each attempt up to 400 ms. */
  #backOff(attempt: number): Promise<void> {
    const maxMs = Math.min(400, 10 * 2 ** attempt);
    return this.runtime.sleep(this.runtime.random() * maxMs);
  }

  /** 96 random bits; a token holds at most 36 characters. */
  #requestToken(): string {
    return newWriteId(this.runtime) + newWriteId(this.runtime);
  }

  #queryInput(query: Query): QueryCommandInput {
    const [pk, sk] = query.index === undefined ? ['pk', 'sk'] : [`${query.index}pk`, `${query.index}sk`];
    const sort = query.sort;
    const names: Record<string, string> = { '#pk': pk, ...query.names };
    const values: Record<string, unknown> = { ':pk': query.partition, ...query.values };
    let condition = '#pk = :pk';
    if (sort !== undefined) {
      names['#sk'] = sk;
      if ('prefix' in sort) {
        condition += ' AND begins_with(#sk, :prefix)';
        values[':prefix'] = sort.prefix;
      } else {
        condition += ' AND #sk BETWEEN :from AND :to';
        values[':from'] = sort.from;
        values[':to'] = sort.to;
      }
    }
    query.only?.forEach((name, at) => {
      names[`#only${at}`] = name;
    });
    return {
      TableName: this.name,
      ...(query.index !== undefined && { IndexName: query.index }),
      KeyConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ScanIndexForward: query.descending !== true,
      ...(query.filter !== undefined && { FilterExpression: query.filter }),
      ...(query.only !== undefined && {
        ProjectionExpression: query.only.map((_, at) => `#only${at}`).join(', '),
      }),
      ...(query.limit !== undefined && { Limit: query.limit }),
      ...(query.after !== undefined && { ExclusiveStartKey: query.after }),
      ...(query.index === undefined && query.consistent === true && { ConsistentRead: true }),
    };
  }

  #transactionItem(item: TransactionItem): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
    const common = this.#conditioned(item);
    if ('put' in item) return { Put: { ...common, Item: item.put } };
    if ('update' in item)
      return { Update: { ...common, Key: { ...item.key }, UpdateExpression: item.update } };
    return { Delete: { ...common, Key: { ...item.delete } } };
  }

  #writing(item: TransactionItem) {
    return { ...this.#conditioned(item), ...this.#metering() };
  }

  #conditioned({ condition, names, values }: TransactionItem) {
    return {
      TableName: this.name,
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...(!isEmpty(names) && { ExpressionAttributeNames: names }),
      ...(!isEmpty(values) && { ExpressionAttributeValues: values }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  #metering(): { ReturnConsumedCapacity?: ReturnConsumedCapacity } {
    return this.#meter === undefined ? {} : { ReturnConsumedCapacity: ReturnConsumedCapacity.TOTAL };
  }

  #measure(operation: string, consumed: { readonly CapacityUnits?: number | undefined } | undefined): void {
    if (this.#meter === undefined) return;
    const total = consumed?.CapacityUnits ?? 0;
    const reading = operation === 'get' || operation === 'query' || operation === 'getMany';
    this.#meter({ operation, read: reading ? total : 0, write: reading ? 0 : total });
  }
}

/** The field still has the value that was read; undefined: there is still no item. */
export function unchanged(field: string, expected: unknown): Expressions {
  return expected === undefined
    ? { condition: 'attribute_not_exists(pk)' }
    : {
        condition: '#expected = :expected',
        names: { '#expected': field },
        values: { ':expected': expected },
      };
}

/** `#f0 = :f0` for each field that is not undefined. @param prefix distinguishes two such lists in one expression */
export function equations(
  fields: Readonly<Record<string, unknown>>,
  prefix = 'f',
): {
  readonly texts: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
} {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    texts: entries.map((_, at) => `#${prefix}${at} = :${prefix}${at}`),
    names: Object.fromEntries(entries.map(([name], at) => [`#${prefix}${at}`, name])),
    values: Object.fromEntries(entries.map(([, value], at) => [`:${prefix}${at}`, value])),
  };
}

/** Also a placeholder for each undefined field: to be removed, or to be missing. */
export function equationsAndGaps(fields: Readonly<Record<string, unknown>>, prefix = 'f') {
  const { texts, names, values } = equations(fields, prefix);
  const gaps = Object.keys(fields)
    .filter((name) => fields[name] === undefined)
    .map((name, at) => [`#${prefix}_${at}`, name] as const);
  return {
    texts,
    gaps: gaps.map(([placeholder]) => placeholder),
    names: { ...names, ...Object.fromEntries(gaps) },
    values,
  };
}

/** Each field is as it was read; undefined: missing. */
export function asRead(fields: Readonly<Record<string, unknown>>, prefix = 'expected') {
  const { texts, gaps, names, values } = equationsAndGaps(fields, prefix);
  const missing = gaps.map((placeholder) => `attribute_not_exists(${placeholder})`);
  return { condition: [...texts, ...missing].join(' AND '), names, values };
}

/** The document client does not unmarshall the item inside an error. */
function unmarshalled(item: Record<string, AttributeValue> | undefined): Item | undefined {
  return item === undefined ? undefined : unmarshall(item);
}

function documentClient(options: TableOptions): DynamoDBDocumentClient {
  const client =
    options.client ??
    new DynamoDBClient({
      maxAttempts: 5,
      requestHandler: REQUEST_TIMEOUTS_MS,
      ...atEndpoint(options.endpoint),
    });
  return DynamoDBDocumentClient.from(withoutCallLog(client), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** DynamoDB refuses empty placeholders. The client leaves out undefined values. */
const isEmpty = (placeholders: object = {}) =>
  Object.values(placeholders).every((value) => value === undefined);
