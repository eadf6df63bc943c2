/** The data layer's requests to DynamoDB and its handling of responses, without DynamoDB. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readAll } from '#functions/data/table/items';
import { equations, type Meter, Table, unchanged } from '#functions/data/table/table';

type Reply = object | Error;

/** Returns the responses in sequence, then repeats the last one. */
function tableWith(
  replies: readonly Reply[],
  { random = 0.5, meter }: { random?: number; meter?: Meter } = {},
) {
  const sent: { input: object }[] = [];
  const waits: number[] = [];
  const table = new Table({
    name: 'leads',
    documents: {
      send: async (command: { readonly input: object }) => {
        sent.push({ input: command.input });
        const reply = replies[Math.min(sent.length, replies.length) - 1] ?? {};
        if (reply instanceof Error) throw reply;
        return reply;
      },
    } as never,
    runtime: {
      random: () => random,
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
      },
    },
    ...(meter && { meter }),
  });
  return { table, sent, waits };
}

const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const CONFLICT = failure('TransactionConflictException');
const cancelled = (...codes: readonly (string | [string, object])[]) =>
  failure('TransactionCanceledException', {
    CancellationReasons: codes.map((code) =>
      typeof code === 'string' ? { Code: code } : { Code: code[0], Item: marshall(code[1]) },
    ),
  });
const A = { pk: 'A', sk: '1' };

describe('a read', () => {
  it('of one item is consistent by default', async () => {
    const { table, sent } = tableWith([{ Item: { ...A, n: 1 } }]);
    expect(await table.get(A)).toEqual({ ...A, n: 1 });
    await table.get(A, { consistent: false });
    expect(sent).toMatchObject([{ input: { ConsistentRead: true } }, { input: { ConsistentRead: false } }]);
    expect(await tableWith([{}]).table.get(A)).toBeUndefined();
  });

  it('of many items requests each once, a hundred at a time, and returns them in key order', async () => {
    const key = (at: number) => ({ pk: `P${at}`, sk: 'S' });
    const { table, sent } = tableWith([
      {
        Responses: {
          leads: [
            { ...key(5), n: 5 },
            { ...key(1), n: 1 },
          ],
        },
      },
      { Responses: { leads: [{ ...key(100), n: 100 }] } },
    ]);
    const wanted = [key(100), key(1), key(1), key(7), ...Array.from({ length: 101 }, (_, at) => key(at))];
    const items = await table.getMany(wanted, { consistent: false });
    expect(items.slice(0, 4)).toEqual([
      { ...key(100), n: 100 },
      { ...key(1), n: 1 },
      { ...key(1), n: 1 },
      undefined,
    ]);
    expect(items).toHaveLength(105);
    const asked = sent.map(
      ({ input }) => input as { RequestItems: { leads: { Keys: object[]; ConsistentRead: boolean } } },
    );
    expect(asked.map(({ RequestItems }) => RequestItems.leads.Keys.length)).toEqual([100, 1]);
    expect(asked.every(({ RequestItems }) => !RequestItems.leads.ConsistentRead)).toBe(true);
    expect(await tableWith([{}]).table.getMany([])).toEqual([]);
  });

  it('of many items retries unprocessed keys after a delay', async () => {
    const { table, sent, waits } = tableWith([
      { Responses: { leads: [A] }, UnprocessedKeys: { leads: { Keys: [{ pk: 'B', sk: '1' }] } } },
      { UnprocessedKeys: { leads: { Keys: [{ pk: 'B', sk: '1' }] } } },
      { Responses: { leads: [{ pk: 'B', sk: '1', n: 2 }] } },
    ]);
    expect(await table.getMany([A, { pk: 'B', sk: '1' }])).toEqual([A, { pk: 'B', sk: '1', n: 2 }]);
    expect(sent[1]!.input).toEqual({
      RequestItems: { leads: { Keys: [{ pk: 'B', sk: '1' }], ConsistentRead: true } },
    });
    expect(waits).toEqual([10, 20]);
  });
});

describe('a query', () => {
  it('contains only the requested options, and is never consistent on an index', async () => {
    const { table, sent } = tableWith([{}]);
    const part = { index: 'gsi2', consistent: true, descending: true, limit: 7, after: A } as const;
    const filter = { filter: '#x = :x', names: { '#x': 'x' }, values: { ':x': 1 } };
    expect(await table.query({ partition: 'P' })).toEqual({ items: [], next: undefined });
    await readAll({ table }, { partition: 'P' }, z.unknown());
    await table.query({ ...part, ...filter, partition: 'P', sort: { from: '1', to: '2' }, only: ['a', 'b'] });
    const plain = {
      TableName: 'leads',
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': 'P' },
      ScanIndexForward: true,
    };
    const asked = {
      TableName: 'leads',
      IndexName: 'gsi2',
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#pk': 'gsi2pk', '#sk': 'gsi2sk', '#x': 'x', '#only0': 'a', '#only1': 'b' },
      ExpressionAttributeValues: { ':pk': 'P', ':x': 1, ':from': '1', ':to': '2' },
      ScanIndexForward: false,
      FilterExpression: '#x = :x',
      ProjectionExpression: '#only0, #only1',
      Limit: 7,
      ExclusiveStartKey: A,
    };
    const inputs = sent.map(({ input }) => input);
    expect(inputs).toStrictEqual([plain, { ...plain, ConsistentRead: true }, asked]);
  });

  it('continues after the previous page until the last one, for items, counts and scans', async () => {
    const pages = [
      { Items: [{ n: 1 }], Count: 1, LastEvaluatedKey: A },
      { Items: [{ n: 2 }], Count: 2 },
    ];
    const startsOf = ({ sent }: ReturnType<typeof tableWith>) =>
      sent.map(({ input }) => (input as { ExclusiveStartKey?: object }).ExclusiveStartKey);
    const all = tableWith(pages);
    expect(await all.table.queryAll({ partition: 'P' })).toEqual([{ n: 1 }, { n: 2 }]);
    const counted = tableWith(pages);
    expect(await counted.table.count({ partition: 'P' })).toBe(3);
    const scanned = tableWith([pages[0]!, {}]);
    const seen = [];
    for await (const page of scanned.table.scan()) seen.push(page);
    expect(seen).toEqual([[{ n: 1 }], []]);
    for (const asked of [all, counted, scanned]) expect(startsOf(asked)).toEqual([undefined, A]);
    // A count transfers no items; a rebuild must not read old data.
    expect(counted.sent[1]!.input).toMatchObject({ Select: 'COUNT' });
    expect(scanned.sent[1]!.input).toMatchObject({ ConsistentRead: true });
    expect(await tableWith([{}]).table.count({ partition: 'P' })).toBe(0);
  });
});

describe('a write', () => {
  const WRITES = [
    ['put', (table: Table) => table.put({ put: A })],
    ['update', (table: Table) => table.update({ key: A, update: 'SET n = :n' })],
    ['delete', (table: Table) => table.delete({ delete: A })],
  ] as const;

  it.each(WRITES)('%s returns the written, changed or removed item', async (name, write) => {
    const after = { ...A, n: 2 };
    const item = name === 'put' ? A : after;
    expect(await write(tableWith([{ Attributes: after }]).table)).toEqual({ ok: true, item });
  });

  it.each(WRITES)('%s with a failed condition returns a result with the current item', async (_, write) => {
    const failed = (more: object) => tableWith([failure('ConditionalCheckFailedException', more)]);
    expect(await write(failed({ Item: marshall({ ...A, n: 2 }) }).table)).toEqual({
      ok: false,
      item: { ...A, n: 2 },
    });
    expect(await write(failed({}).table)).toEqual({ ok: false, item: undefined });
  });

  it.each(WRITES)('%s waits for a transaction at most eleven times', async (_, write) => {
    const soon = tableWith([CONFLICT, CONFLICT, { Attributes: {} }]);
    expect(await write(soon.table)).toMatchObject({ ok: true });
    expect(soon.waits).toEqual([10, 20]);
    const never = tableWith([CONFLICT]);
    await expect(write(never.table)).rejects.toBe(CONFLICT);
    expect(never.sent).toHaveLength(12);
    // A random fraction of 20, 40, 80 ... 400 ms.
    expect(never.waits).toEqual([10, 20, 40, 80, 160, 200, 200, 200, 200, 200, 200]);
  });

  it.each(WRITES)('%s rethrows every other error immediately', async (_, write) => {
    for (const error of [failure('TimeoutError'), failure('TransactionCanceledException')]) {
      const { table, sent } = tableWith([error]);
      await expect(write(table)).rejects.toBe(error);
      expect(sent).toHaveLength(1);
    }
  });
});

describe('a transaction', () => {
  const ITEMS = [
    { put: { ...A, n: 1 } },
    { key: A, update: 'SET n = :n' },
    { delete: A, condition: 'attribute_exists(pk)' },
  ];

  it('keeps its token when it is resent', async () => {
    const { table, sent, waits } = tableWith([cancelled('TransactionConflict', 'None', 'None'), {}]);
    expect(await table.transact(ITEMS)).toEqual({ ok: true });
    expect(sent[0]).toMatchObject({ input: { ClientRequestToken: expect.stringMatching(/^[\w-]{16}$/) } });
    const each = { TableName: 'leads', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    expect((sent[0]!.input as { TransactItems: unknown }).TransactItems).toStrictEqual([
      { Put: { ...each, Item: { ...A, n: 1 } } },
      { Update: { ...each, Key: A, UpdateExpression: 'SET n = :n' } },
      { Delete: { ...each, Key: A, ConditionExpression: 'attribute_exists(pk)' } },
    ]);
    expect(sent[1]).toEqual(sent[0]);
    expect(waits).toEqual([10]);
    const tokenOf = async (random: number) => {
      const other = tableWith([{}], { random });
      await other.table.transact(ITEMS);
      return (other.sent[0]!.input as { ClientRequestToken: string }).ClientRequestToken;
    };
    expect(await tokenOf(0.1)).not.toBe(await tokenOf(0.2));
  });

  it('returns the failed conditions with the current items', async () => {
    const { table, sent } = tableWith([
      cancelled(['ConditionalCheckFailed', { ...A, n: 2 }], 'TransactionConflict', 'ConditionalCheckFailed'),
    ]);
    expect(await table.transact(ITEMS)).toEqual({
      ok: false,
      failed: [{ item: { ...A, n: 2 } }, false, { item: undefined }],
    });
    expect(sent).toHaveLength(1);
  });

  it('fails after twelve conflicts', async () => {
    const error = cancelled('TransactionConflict');
    const { table, sent, waits } = tableWith([error]);
    await expect(table.transact(ITEMS)).rejects.toBe(error);
    expect(sent).toHaveLength(12);
    expect(waits).toHaveLength(11);
  });

  it('rethrows every other error immediately, and treats one without reasons as a conflict', async () => {
    const { table, sent } = tableWith([failure('TimeoutError')]);
    await expect(table.transact(ITEMS)).rejects.toThrow('TimeoutError');
    expect(sent).toHaveLength(1);
    expect(await tableWith([failure('TransactionCanceledException'), {}]).table.transact(ITEMS)).toEqual({
      ok: true,
    });
    for (const wrong of ['text', { name: 'TransactionCanceledException' }]) {
      const thrower = new Table({
        name: 'leads',
        documents: {
          send: async () => {
            throw wrong;
          },
        } as never,
      });
      await expect(thrower.transact(ITEMS)).rejects.toBe(wrong);
      await expect(thrower.delete({ delete: A })).rejects.toBe(wrong);
    }
  });
});

describe('a meter', () => {
  const CONSUMED = { CapacityUnits: 2.5 };
  const metered = async (reply: Reply, use: (table: Table) => Promise<unknown>) => {
    const measured: object[] = [];
    const { table, sent } = tableWith([reply], { meter: (request) => measured.push(request) });
    await use(table);
    return { measured, asked: sent[0]!.input };
  };
  const one = { ConsumedCapacity: CONSUMED };
  const many = { ConsumedCapacity: [CONSUMED] };
  const read = (operation: string) => [{ operation, read: 2.5, write: 0 }];
  const written = (operation: string) => [{ operation, read: 0, write: 2.5 }];

  it.each([
    ['get', one, (table: Table) => table.get(A), read('get')],
    ['getMany', many, (table: Table) => table.getMany([A]), read('getMany')],
    ['query', one, (table: Table) => table.query({ partition: 'P' }), read('query')],
    ['put', one, (table: Table) => table.put({ put: A }), written('put')],
    ['update', one, (table: Table) => table.update({ key: A, update: 'x' }), written('update')],
    ['delete', one, (table: Table) => table.delete({ delete: A }), written('delete')],
    ['transact', many, (table: Table) => table.transact([{ put: A }]), written('transact')],
    [
      'a write without figures',
      {},
      (table: Table) => table.put({ put: A }),
      [{ operation: 'put', read: 0, write: 0 }],
    ],
    [
      'a write with a failed condition, which costs one unit',
      failure('ConditionalCheckFailedException'),
      (table: Table) => table.put({ put: A }),
      [{ operation: 'put', read: 0, write: 1 }],
    ],
  ])('is notified of %s', async (_, reply, use, expected) => {
    const { measured, asked } = await metered(reply, use);
    expect(measured).toEqual(expected);
    expect(asked).toMatchObject({ ReturnConsumedCapacity: 'TOTAL' });
  });
});

describe('expression parts', () => {
  it('contain one assignment for each field with a value', () => {
    expect(equations({ a: 1, b: undefined, c: null })).toEqual({
      texts: ['#f0 = :f0', '#f1 = :f1'],
      names: { '#f0': 'a', '#f1': 'c' },
      values: { ':f0': 1, ':f1': null },
    });
    expect(equations({ a: 1 }, 'x').texts).toEqual(['#x0 = :x0']);
  });

  it('require the expected value, or its absence', () => {
    expect(unchanged('version', 3)).toEqual({
      condition: '#expected = :expected',
      names: { '#expected': 'version' },
      values: { ':expected': 3 },
    });
    expect(unchanged('version', undefined)).toEqual({ condition: 'attribute_not_exists(pk)' });
  });
});
