/** The table's definition, version, cursors and kinds of items, and the removal of personal data. */
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadSchema } from '#functions/data/leads/lead';
import { blanking } from '#functions/data/table/blanking';
import { ensureTable } from '#functions/data/table/create-table';
import { readCursor, writeCursor } from '#functions/data/table/cursor';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { requireTableFormat, TABLE_FORMAT, TableFormatError } from '#functions/data/table/format';
import { indexed, keys, kindOf } from '#functions/data/table/keys';
import { openTable } from '#functions/data/table/open-table';
import { newWriteId } from '#functions/data/table/write-id';
import { systemRuntime } from '#functions/platform/runtime';
import { memoryTable } from '#test/harness/memory-table';

describe('a cursor', () => {
  const POSITION = { pk: 'A', sk: '1', gsi1pk: 'B', gsi1sk: '2' };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('continues at the position in its list', () => {
    expect(readCursor(writeCursor(POSITION, 'leads'), 'leads')).toEqual(POSITION);
    const second = { pk: 'A', sk: '1', gsi2pk: 'B', gsi2sk: '2' };
    expect(readCursor(writeCursor(second, 'leads'), 'leads')).toEqual(second);
  });

  it.each([
    ['another list', writeCursor(POSITION, 'claims')],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['nothing', ''],
    ['null', encoded(null)],
    ['without a position', encoded({ list: 'leads' })],
    ['a position that is null', encoded({ list: 'leads', next: null })],
    ['too short', encoded({ list: 'leads', next: { pk: 'A', sk: '1' } })],
    ['too long', encoded({ list: 'leads', next: { ...POSITION, gsi2pk: 'C' } })],
    ['with a number', encoded({ list: 'leads', next: { ...POSITION, sk: 1 } })],
    ['an unknown attribute', encoded({ list: 'leads', next: { pk: 'A', sk: '1', gsi1pk: 'B', xpk: '2' } })],
    [
      'an attribute with a valid prefix',
      encoded({ list: 'leads', next: { pk: 'A', sk: '1', gsi1pk: 'B', pkx: '2' } }),
    ],
    ['a third index', encoded({ list: 'leads', next: { pk: 'A', sk: '1', gsi3pk: 'B', gsi3sk: '2' } })],
  ])('is invalid: %s', (_, cursor) => {
    expect(readCursor(cursor, 'leads')).toBeUndefined();
  });

  it('is rejected if invalid, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readCursor(text, 'leads')).toBeUndefined();
      }),
    );
  });
});

describe('the version of the table', () => {
  it('is written into a new table and then accepted', async () => {
    const table = memoryTable();
    await requireTableFormat(table);
    expect(await table.get(keys.format())).toEqual({ ...keys.format(), version: TABLE_FORMAT });
    await requireTableFormat(table);
  });

  it('is 1 if a table in use has none', async () => {
    const table = memoryTable();
    await table.put({ put: { ...keys.admin('ann'), username: 'ann' } });
    await expect(requireTableFormat(table)).rejects.toThrow(
      'The table is in format 1; this version of the product works with format 6.',
    );
    expect(await table.get(keys.format())).toBeUndefined();
  });

  it('is rejected if it differs', async () => {
    const table = memoryTable();
    await table.put({ put: { ...keys.format(), version: TABLE_FORMAT + 1 } });
    const error = await requireTableFormat(table).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TableFormatError);
    expect(error).toMatchObject({ name: 'TableFormatError', stored: TABLE_FORMAT + 1 });
  });
});

describe('a key', () => {
  it('sorts by number, and keeps related items in one partition', () => {
    expect(keys.order(18)).toEqual({ pk: 'ORDERS#2', sk: '000000000018' });
    expect(keys.orderComments(18)).toEqual({ pk: 'ORDERS#2', sk: '000000000018#COMMENTS' });
    expect(keys.orderVersion(18)).toEqual({ pk: 'ORDERVERSIONS', sk: '02' });
    expect(keys.orderVersions()).toBe('ORDERVERSIONS');
    expect(keys.orderShard(2)).toBe('ORDERS#2');
    expect(keys.buyer(7)).toEqual({ pk: 'BUYERS', sk: '000000000007' });
    expect(keys.buyerOrder(7, 2)).toEqual({ pk: 'BUYER#7', sk: 'ORDER#000000000002' });
    expect(keys.claimRowBlock({ all: true }, 'pending', 3)).toEqual({
      pk: 'CLAIMS#ALL#pending',
      sk: '000000000003',
    });
    expect(keys.claimRows({ buyer: 7 }, 'pending')).toBe('CLAIMS#BUYER#7#pending');
    expect(keys.claimCounts({ order: 9 })).toBe('CLAIMCOUNTS#ORDER#9');
    expect(keys.claimWord(2, 'mu', 1)).toEqual({ pk: 'CLAIMWORDS#2#m', sk: 'mu#000000000001' });
    expect(keys.leadWord('max', 'L1')).toEqual({ pk: 'WORD#ma', sk: 'max#L1' });
    expect(indexed.sequence(12)).toBe('000000000012');
  });

  it.each([
    [keys.buyer(1), 'buyer'],
    [keys.order(1), 'order'],
    [keys.orderComments(1), undefined],
    [keys.lead('L1'), 'lead'],
    [keys.decision('L1'), undefined],
    [keys.replacement(1, '2026-11-22', 'credit', '3'), 'replacement'],
    [{ pk: 'LEAD#a\nb#c', sk: 'LEAD' }, 'lead'],
    [keys.poolEntry(1), undefined],
    [keys.buyerOrder(1, 1), undefined],
    [{}, undefined],
  ])('%j is the key of a %s', (key, kind) => {
    expect(kindOf(key)).toBe(kind);
  });
});

describe('a table that does not exist', () => {
  function client(answer?: Error) {
    const sent: { name: string; input: object }[] = [];
    const send = async (command: { readonly input: object }) => {
      sent.push({ name: command.constructor.name, input: command.input });
      if (answer !== undefined) throw answer;
    };
    return { client: { send } as unknown as DynamoDBClient, sent };
  }
  const range = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];

  it('is created with its indexes, stream and time to live', async () => {
    const { client: own, sent } = client();
    await ensureTable(own, 'leads');
    expect(sent).toStrictEqual([
      {
        name: CreateTableCommand.name,
        input: {
          TableName: 'leads',
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'].map((name) => ({
            AttributeName: name,
            AttributeType: 'S',
          })),
          KeySchema: range('pk', 'sk'),
          GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((name) => ({
            IndexName: name,
            KeySchema: range(`${name}pk`, `${name}sk`),
            Projection: { ProjectionType: 'ALL' },
          })),
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
        },
      },
      {
        name: UpdateTimeToLiveCommand.name,
        input: {
          TableName: 'leads',
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires_at' },
        },
      },
    ]);
  });

  it('is unchanged if it exists, and other errors are rethrown', async () => {
    const exists = client(new ResourceInUseException({ message: 'exists', $metadata: {} }));
    await ensureTable(exists.client, 'leads');
    expect(exists.sent).toHaveLength(1);
    const error = new Error('no access');
    await expect(ensureTable(client(error).client, 'leads')).rejects.toBe(error);
  });
});

it('opens the configured table, with a replacement endpoint if set', async () => {
  const asked: object[] = [];
  const externalServices = {
    table: {
      send: async (command: { readonly input: object }) => {
        asked.push(command.input);
        return {};
      },
    },
  };
  const table = openTable(
    { TABLE_NAME: 'leads' },
    { ...systemRuntime, externalServices: externalServices as never },
  );
  expect(table.name).toBe('leads');
  expect(table.runtime.sleep).toBe(systemRuntime.sleep);
  await table.get({ pk: 'A', sk: '1' });
  expect(asked).toEqual([{ TableName: 'leads', Key: { pk: 'A', sk: '1' }, ConsistentRead: true }]);
});

it('blanks personal data in one expression: optional attributes are removed, others emptied', () => {
  const { sets, removes, names, values } = blanking(leadSchema);
  const emptied = sets.map((text) => {
    const [name = '', value = ''] = text.split(' = ');
    return [names[name], values[value]];
  });
  expect(Object.fromEntries(emptied)).toEqual({ vorname: '', nachname: '', email: '', telefon: '' });
  expect(removes.map((name) => names[name])).toEqual([
    'clickId',
    'verification_notes',
    'claim_reason',
    'intake_key',
    'external_id',
    'fingerprints',
    'address',
  ]);
  expect(Object.keys(names)).toHaveLength(11);
});

it('converts times to seconds and creates IDs in the stored format', () => {
  expect(epochSeconds(new Date('2026-11-22T00:00:00.999Z'))).toBe(1_795_305_600);
  expect(newWriteId({ random: () => 0 })).toBe('AAAAAAAA');
  expect(newWriteId({ random: () => 1 - 2 ** -53 })).toBe('________');
});
