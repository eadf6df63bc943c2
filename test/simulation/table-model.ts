/**
 * DynamoDB in memory, at the level of document client commands: conditions with the item on failure, transactions in two
 * steps with conflicts and request tokens, lagging indexes, pages, and the stream in two shards. Items are never changed
 * in place, so what a read returned stays as it was.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TABLE } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import {
  compareText,
  equal,
  type Placeholders,
  parseCondition,
  parseUpdate,
  typeOf,
  type Used,
  ValidationException,
} from '#test/simulation/expressions';
import { hash32 } from '#test/simulation/random';

/** A change of an item, as a stream record. */
export interface Change {
  readonly pk: string;
  readonly sk: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface ModelOptions {
  readonly now?: () => number;
  /** Milliseconds until an index, or an eventually consistent read, sees a write; drawn for each write. */
  readonly lagMs?: () => number;
  /** The maximum number of items per page; drawn for each page. */
  readonly pageSize?: () => number;
  /** Whether a key of a batch is answered; drawn for each. */
  readonly answersKey?: () => boolean;
  /** Called with all changes of a write, after they took effect. */
  readonly changed?: (changes: readonly Change[]) => void;
}

export const SHARDS = 2;
const MAX_TRANSACTION_ITEMS = 100;
const MAX_ITEM_BYTES = 400 * 1024;
const MAX_EXPRESSION_BYTES = 4096;
const MAX_BATCH_KEYS = 100;
/** How long a request token is remembered. */
const TOKEN_MS = 10 * 60_000;

/** A command's input: the DynamoDB fields that the product uses. */
export interface Input {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly Item[]; readonly ConsistentRead?: boolean }>
  >;
  readonly TransactItems?: readonly Readonly<Partial<Record<'Put' | 'Update' | 'Delete', Input>>>[];
  readonly ClientRequestToken?: string;
  readonly ConsistentRead?: boolean;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: Item;
  readonly Limit?: number;
  readonly Select?: string;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

const INDEXES = TABLE.indexes.map(({ name, partitionKey, sortKey }) => ({ name, partitionKey, sortKey }));
type IndexName = (typeof INDEXES)[number]['name'];
const NO_PLACEHOLDERS: Placeholders = { names: {}, values: {} };

const failure = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });
const invalid = (text: string) => new ValidationException(text);
const images = new WeakMap<Item, Record<string, AttributeValue>>();
/** An item in DynamoDB's format. Items never change, so each is converted once. */
export function imageOf(item: Item): Record<string, AttributeValue> {
  let image = images.get(item);
  if (image === undefined) images.set(item, (image = attributesOf(item)));
  return image;
}

function attributesOf(map: Item): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in map) attributes[name] = attributeOf(map[name]);
  return attributes;
}

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(attributeOf) };
  if (value instanceof Set)
    return typeOf(value) === 'NS' ? { NS: [...value].map(String) } : { SS: [...value] };
  return { M: attributesOf(value as Item) };
}
const idOf = (pk: string, sk: string) => `${pk}\u0000${sk}`;

/** A write whose condition failed, or whose update does not fit the item. */
type Refused =
  | { readonly id: string; readonly failed: Item | undefined }
  | { readonly id: string; readonly unfit: ValidationException };

/** A write whose conditions were checked; `commit` makes it take effect. */
interface Prepared {
  readonly id: string;
  readonly change: Change;
}

interface Token {
  readonly at: number;
  readonly items: NonNullable<Input['TransactItems']>;
  readonly state: 'running' | 'done';
}

export class TableModel {
  readonly #partitions = new Map<string, Map<string, Item>>();
  readonly #indexes: Record<IndexName, Map<string, Map<string, Item>>> = { gsi1: new Map(), gsi2: new Map() };
  /** Writes that an index, or an eventually consistent read, does not show yet. */
  readonly #late: { readonly due: number; readonly change: Change }[] = [];
  readonly #locked = new Set<string>();
  readonly #tokens = new Map<string, Token>();
  readonly shards: Change[][] = Array.from({ length: SHARDS }, () => []);
  writes = 0;

  constructor(private readonly options: ModelOptions = {}) {}

  /** A separate table with the same items and stream. */
  copy(): TableModel {
    const copy = new TableModel(this.options);
    copyInto(copy.#partitions, this.#partitions);
    for (const { name } of INDEXES) copyInto(copy.#indexes[name], this.#indexes[name]);
    for (const [token, known] of this.#tokens) copy.#tokens.set(token, known);
    for (const [at, shard] of this.shards.entries()) copy.shards[at]?.push(...shard);
    return copy;
  }

  get(pk: string, sk: string): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  *items(): Generator<Item> {
    for (const partition of this.#partitions.values()) yield* partition.values();
  }

  partition(pk: string): readonly Item[] {
    return [...(this.#partitions.get(pk)?.values() ?? [])];
  }

  /**
   * Handles a whole command, a transaction in one step.
   * @throws the errors that DynamoDB answers with
   */
  send(command: string, input: Input): object {
    if (command === 'TransactWriteCommand') return this.prepare(input).commit();
    switch (command) {
      case 'GetCommand':
        return this.#get(input);
      case 'BatchGetCommand':
        return this.#batchGet(input);
      case 'QueryCommand':
        return this.#query(input);
      case 'ScanCommand':
        return this.#scan(input);
      case 'PutCommand':
      case 'UpdateCommand':
      case 'DeleteCommand':
        return this.#write(command, input);
      default:
        throw invalid(`The model does not know ${command}`);
    }
  }

  /**
   * Removes expired items, like DynamoDB some time later.
   * @param seconds since 1970
   */
  expire(seconds: number): number {
    const gone: Change[] = [];
    for (const item of this.items())
      if (
        typeof item.expires_at === 'number' &&
        item.expires_at < seconds &&
        !this.#locked.has(idOf(String(item.pk), String(item.sk)))
      )
        gone.push({ pk: String(item.pk), sk: String(item.sk), before: item, after: undefined });
    if (gone.length > 0) this.#apply(gone);
    return gone.length;
  }

  #get(input: Input): object {
    const { pk, sk } = keyOf(input.Key);
    const item = input.ConsistentRead === true ? this.get(pk, sk) : this.#stale(pk, sk);
    return item === undefined ? {} : { Item: item };
  }

  /** An item as returned by an eventually consistent read. */
  #stale(pk: string, sk: string): Item | undefined {
    this.#catchUp();
    const late = this.#late.find(({ change }) => change.pk === pk && change.sk === sk);
    return late === undefined ? this.get(pk, sk) : late.change.before;
  }

  #batchGet(input: Input): object {
    const responses: Record<string, Item[]> = {};
    const unprocessed: Record<string, object> = {};
    for (const [name, wanted] of Object.entries(input.RequestItems ?? {})) {
      const keys = wanted.Keys;
      if (keys.length > MAX_BATCH_KEYS) throw invalid('Too many items requested for the BatchGetItem call');
      const ids = keys.map((key) => idOf(keyOf(key).pk, keyOf(key).sk));
      if (new Set(ids).size < ids.length) throw invalid('Provided list of item keys contains duplicates');
      const left = keys.filter((_, at) => at > 0 && this.options.answersKey?.() === false);
      const leaving = new Set(left);
      responses[name] = keys.flatMap((key) => {
        if (leaving.has(key)) return [];
        const { pk, sk } = keyOf(key);
        const item = wanted.ConsistentRead === true ? this.get(pk, sk) : this.#stale(pk, sk);
        return item === undefined ? [] : [item];
      });
      if (left.length > 0) unprocessed[name] = { ...wanted, Keys: left };
    }
    return { Responses: responses, UnprocessedKeys: unprocessed };
  }

  #query(input: Input): object {
    const placeholders = placeholdersOf(input);
    const index = INDEXES.find(({ name }) => name === input.IndexName);
    const [partitionKey, sortKey] =
      index === undefined ? (['pk', 'sk'] as const) : [index.partitionKey, index.sortKey];
    if (index !== undefined && input.ConsistentRead === true)
      throw invalid('Consistent reads are not supported on global secondary indexes');
    const condition = parseCondition(expression(input.KeyConditionExpression));
    const filter =
      input.FilterExpression === undefined ? undefined : parseCondition(expression(input.FilterExpression));
    const projection = projectionOf(input, placeholders);
    requireUsed(placeholders, [
      condition.used,
      ...(filter ? [filter.used] : []),
      ...(projection ? [projection] : []),
    ]);
    const partition = String(partitionOf(expression(input.KeyConditionExpression), placeholders));
    this.#catchUp();
    const source =
      index === undefined ? this.#partitions.get(partition) : this.#indexes[index.name].get(partition);
    const backwards = input.ScanIndexForward === false;
    let found = [...(source?.values() ?? [])].filter((item) => condition.met(item, placeholders));
    found.sort((one, other) => positioned(one, other, sortKey));
    if (backwards) found.reverse();
    const start = input.ExclusiveStartKey;
    if (start !== undefined) {
      if (start[partitionKey] !== partition)
        throw invalid('The provided starting key is outside query boundaries based on provided conditions');
      found = found.filter((item) => positioned(item, start, sortKey) * (backwards ? -1 : 1) > 0);
    }
    const limit = Math.min(
      input.Limit ?? Number.POSITIVE_INFINITY,
      this.options.pageSize?.() ?? Number.POSITIVE_INFINITY,
    );
    const page = found.length > limit ? found.slice(0, limit) : found;
    const last = page.length > 0 && page.length >= limit ? page[page.length - 1] : undefined;
    const items = filter === undefined ? page : page.filter((item) => filter.met(item, placeholders));
    return {
      ...(input.Select === 'COUNT'
        ? {}
        : { Items: projection ? items.map((item) => projected(item, projection.attributes)) : items }),
      Count: items.length,
      ScannedCount: page.length,
      ...(last && { LastEvaluatedKey: positionOf(last, index) }),
    };
  }

  #scan(input: Input): object {
    let found = [...this.items()].sort(
      (one, other) =>
        compareText(String(one.pk), String(other.pk)) || compareText(String(one.sk), String(other.sk)),
    );
    const start = input.ExclusiveStartKey;
    if (start !== undefined) {
      const after = idOf(String(start.pk), String(start.sk));
      found = found.filter((item) => compareText(idOf(String(item.pk), String(item.sk)), after) > 0);
    }
    return { Items: found, Count: found.length };
  }

  #write(command: string, input: Input): object {
    const prepared = this.#prepared(command, input);
    if ('unfit' in prepared) throw prepared.unfit;
    if ('failed' in prepared)
      throw failure('ConditionalCheckFailedException', 'The conditional request failed', {
        ...(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' &&
          prepared.failed && { Item: imageOf(prepared.failed) }),
      });
    if (this.#locked.has(prepared.id))
      throw failure('TransactionConflictException', 'Transaction is ongoing for the item');
    this.#apply([prepared.change]);
    const { before, after } = prepared.change;
    if (input.ReturnValues === 'ALL_NEW') return { Attributes: after };
    return input.ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: before } : {};
  }

  /** The first step of a transaction: its conditions are checked and its items locked. */
  prepare(input: Input): { readonly commit: () => object } {
    const items = input.TransactItems ?? [];
    if (items.length > MAX_TRANSACTION_ITEMS || items.length === 0)
      throw invalid('Member must have length less than or equal to 100');
    const token = input.ClientRequestToken;
    if (token !== undefined && token.length > 36)
      throw invalid('clientRequestToken must have length at most 36');
    const now = this.options.now?.() ?? 0;
    const known = token === undefined ? undefined : this.#tokens.get(token);
    if (known !== undefined && now - known.at < TOKEN_MS) {
      if (known.items !== items && !equal(known.items, items))
        throw failure(
          'IdempotentParameterMismatchException',
          'The request uses the same client token as a previous, but non-identical request',
        );
      if (known.state === 'running')
        throw failure('TransactionInProgressException', 'Transaction is in progress');
      return { commit: () => ({}) };
    }
    const writes = items.flatMap((item) => Object.entries(item));
    const parts = writes.map(([verb, part]) => this.#prepared(`${verb}Command`, part));
    const ids = parts.map(({ id }) => id);
    if (new Set(ids).size < ids.length)
      throw invalid('Transaction request cannot include multiple operations on one item');
    const reasons = parts.map((part, at) => {
      if (this.#locked.has(part.id)) return { Code: 'TransactionConflict' };
      if ('unfit' in part) return { Code: 'ValidationError' };
      if (!('failed' in part)) return { Code: 'None' };
      const wanted = writes[at]?.[1].ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
      return {
        Code: 'ConditionalCheckFailed',
        ...(wanted && part.failed && { Item: imageOf(part.failed) }),
      };
    });
    if (reasons.some(({ Code }) => Code !== 'None'))
      throw failure(
        'TransactionCanceledException',
        `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
        { CancellationReasons: reasons },
      );
    for (const id of ids) this.#locked.add(id);
    if (token !== undefined) this.#tokens.set(token, { at: now, items, state: 'running' });
    return {
      commit: () => {
        for (const id of ids) this.#locked.delete(id);
        if (token !== undefined) this.#tokens.set(token, { at: now, items, state: 'done' });
        this.#apply(parts.flatMap((part) => ('change' in part ? [part.change] : [])));
        return {};
      },
    };
  }

  #prepared(command: string, input: Input): Prepared | Refused {
    const { pk, sk } = keyOf(command === 'PutCommand' ? input.Item : input.Key);
    const id = idOf(pk, sk);
    const before = this.get(pk, sk);
    const placeholders = placeholdersOf(input);
    const condition =
      input.ConditionExpression === undefined
        ? undefined
        : parseCondition(expression(input.ConditionExpression));
    const update =
      command === 'UpdateCommand' && input.UpdateExpression !== undefined
        ? parseUpdate(expression(input.UpdateExpression))
        : undefined;
    requireUsed(placeholders, [condition?.used, update?.used]);
    if (condition !== undefined && !condition.met(before ?? {}, placeholders)) return { id, failed: before };
    let after: Item | undefined;
    if (command === 'PutCommand') after = stored(input.Item ?? {});
    else if (command === 'UpdateCommand') {
      try {
        after =
          update === undefined
            ? (before ?? { pk, sk })
            : keptFrom(update.apply(before ?? { pk, sk }, placeholders), before);
      } catch (error) {
        if (error instanceof ValidationException) return { id, unfit: error };
        throw error;
      }
    }
    if (after !== undefined) requireSound(after, before);
    return { id, change: { pk, sk, before, after } };
  }

  #apply(changes: readonly Change[]): void {
    const told: Change[] = [];
    for (const change of changes) {
      const { pk, sk, before, after } = change;
      this.writes += 1;
      let partition = this.#partitions.get(pk);
      if (partition === undefined) this.#partitions.set(pk, (partition = new Map()));
      if (after === undefined) partition.delete(sk);
      else partition.set(sk, after);
      // A write that changes nothing is not in the stream.
      if (before === after || (before !== undefined && after !== undefined && equal(before, after))) continue;
      told.push(change);
      this.shards[hash32(pk) % SHARDS]?.push(change);
      this.#index(change);
    }
    this.options.changed?.(told);
  }

  #index(change: Change): void {
    const lag = this.options.lagMs?.() ?? 0;
    const waits = this.#late.some((late) => late.change.pk === change.pk && late.change.sk === change.sk);
    if (lag === 0 && !waits) return this.#show(change);
    this.#late.push({ due: (this.options.now?.() ?? 0) + lag, change });
  }

  /** Shows the writes whose lag is over, each item's in order. */
  #catchUp(): void {
    if (this.#late.length === 0) return;
    const now = this.options.now?.() ?? 0;
    const blocked = new Set<string>();
    for (let at = 0; at < this.#late.length; ) {
      const late = this.#late[at];
      if (late === undefined) break;
      const id = idOf(late.change.pk, late.change.sk);
      if (late.due > now || blocked.has(id)) {
        blocked.add(id);
        at += 1;
      } else {
        this.#late.splice(at, 1);
        this.#show(late.change);
      }
    }
  }

  #show({ pk, sk, before, after }: Change): void {
    const id = idOf(pk, sk);
    for (const { name, partitionKey, sortKey } of INDEXES) {
      const index = this.#indexes[name];
      const left = before?.[partitionKey];
      if (typeof left === 'string') index.get(left)?.delete(id);
      const into = after?.[partitionKey];
      if (typeof into !== 'string' || typeof after?.[sortKey] !== 'string') continue;
      let partition = index.get(into);
      if (partition === undefined) index.set(into, (partition = new Map()));
      partition.set(id, after);
    }
  }
}

function copyInto(to: Map<string, Map<string, Item>>, from: ReadonlyMap<string, Map<string, Item>>): void {
  for (const [key, items] of from) to.set(key, new Map(items));
}

function keyOf(key: Item | undefined): { pk: string; sk: string } {
  const { pk, sk } = key ?? {};
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '')
    throw invalid('One or more parameter values were invalid: the key is missing, empty or of another type');
  return { pk, sk };
}

function expression(text: unknown): string {
  if (typeof text !== 'string') throw invalid('An expression is missing');
  if (text.length > MAX_EXPRESSION_BYTES)
    throw invalid('Expression size has exceeded the maximum allowed size');
  return text;
}

function placeholdersOf(input: Input): Placeholders {
  const names = input.ExpressionAttributeNames;
  const values = input.ExpressionAttributeValues;
  if (names === undefined && values === undefined) return NO_PLACEHOLDERS;
  for (const given of [names, values])
    if (given !== undefined && Object.values(given).every((value) => value === undefined))
      throw invalid('ExpressionAttributeNames and ExpressionAttributeValues must not be empty');
  return { names: names ?? {}, values: values ?? {} };
}

/** Rejects unused names and values, and undefined values. */
function requireUsed({ names, values }: Placeholders, used: readonly (Used | undefined)[]): void {
  for (const name in names)
    if (!used.some((one) => one?.names.has(name)))
      throw invalid(`Value provided in ExpressionAttributeNames unused in expressions: ${name}`);
  for (const name in values)
    if (values[name] !== undefined && !used.some((one) => one?.values.has(name)))
      throw invalid(`Value provided in ExpressionAttributeValues unused in expressions: ${name}`);
}

const PARTITION = /^\s*(#?\w+)\s*=\s*(:\w+)/;
function partitionOf(text: string, { values }: Placeholders): unknown {
  const match = PARTITION.exec(text);
  if (match?.[2] === undefined) throw invalid('Query condition missed key schema element');
  return values[match[2]];
}

function projectionOf(
  input: Input,
  { names }: Placeholders,
): (Used & { readonly attributes: readonly string[] }) | undefined {
  if (input.ProjectionExpression === undefined) return undefined;
  const parts = input.ProjectionExpression.split(',').map((part) => part.trim());
  return {
    names: new Set(parts.filter((part) => part.startsWith('#'))),
    values: new Set(),
    attributes: parts.map((part) => (part.startsWith('#') ? (names[part] ?? '') : part)),
  };
}

function projected(item: Item, attributes: readonly string[]): Item {
  return Object.fromEntries(attributes.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
}

/** By sort key; in an index, items with the same one by their primary key. */
function positioned(one: Item, other: Item, sortKey: string): number {
  return (
    compareText(String(one[sortKey]), String(other[sortKey])) ||
    (sortKey === 'sk'
      ? 0
      : compareText(idOf(String(one.pk), String(one.sk)), idOf(String(other.pk), String(other.sk))))
  );
}

function positionOf(item: Item, index: (typeof INDEXES)[number] | undefined): Item {
  const { pk, sk } = item;
  return index === undefined
    ? { pk, sk }
    : { pk, sk, [index.partitionKey]: item[index.partitionKey], [index.sortKey]: item[index.sortKey] };
}

/** The item as stored by the document client: without undefined attributes, and copied to prevent changes. */
function stored(item: Item): Item {
  const result: Item = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) result[name] = copied(value);
  }
  return result;
}

/** The same for an update's result, which is not shared, so only new values are copied. */
function keptFrom(updated: Item, before: Item | undefined): Item {
  for (const name in updated) {
    const value = updated[name];
    if (value === undefined) delete updated[name];
    else if (before?.[name] !== value) updated[name] = copied(value);
  }
  return updated;
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      throw invalid('Unsupported type passed');
    return value;
  }
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Set) {
    if (value.size === 0) throw invalid('An AttributeValue may not contain an empty set');
    return new Set(value);
  }
  if (Array.isArray(value)) return value.map(copied);
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw invalid('Unsupported type passed: a class instance');
  return stored(value as Item);
}

function requireSound(item: Item, before: Item | undefined): void {
  for (const { partitionKey, sortKey } of INDEXES)
    for (const name of [partitionKey, sortKey]) {
      const value = item[name];
      if (value !== undefined && value !== before?.[name] && (typeof value !== 'string' || value === ''))
        throw invalid(
          `One or more parameter values were invalid: type mismatch or empty value for index key ${name}`,
        );
    }
  if (bytesOf(item) > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
}

/** Sizes of maps and lists, which never change once stored. */
const sizes = new WeakMap<object, number>();
/** Roughly DynamoDB's rules: exact for strings, which make up large items. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length > 1000 ? Buffer.byteLength(value) : value.length;
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? 8 : 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = sizeOfObject(value);
  sizes.set(value, size);
  return size;
}

function sizeOfObject(value: object): number {
  if (value instanceof Uint8Array) return value.length;
  let sum = 3;
  if (Array.isArray(value) || value instanceof Set) for (const one of value) sum += 1 + bytesOf(one);
  else for (const name in value) sum += name.length + 1 + bytesOf((value as Item)[name]);
  return sum;
}
