import { afterAll, beforeAll, expect, it } from 'vitest';
import { decoded, type listPartitions } from '#local/table-browser';
import { people } from '#test/factories/people';
import { startTestCloud, type TestCloud } from '#test/harness/cloud';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.admin.ok('createBuyer', {
    body: {
      buyer_id: 'a',
      buyer_email: 'a@buyers.example',
      probability: 50,
      trackbox_api_key: 'a key that nobody may see',
    },
  });
  await cloud.admin.ok('createOrder', { body: { buyer_id: 'a', lead_limit: 5 } });
  for (const person of people(2)) await cloud.admin.ok('createLead', { body: person });
  await cloud.settled();
});
afterAll(() => cloud.stop());

type Shown = Awaited<ReturnType<typeof listPartitions>> & { readonly items: readonly unknown[] };

const get = async (path: string, query: Record<string, string> = {}) => {
  const answer = await fetch(`${cloud.url}/local/api/${path}?${new URLSearchParams(query).toString()}`);
  return { status: answer.status, body: (await answer.json()) as Shown };
};

it('lists the partitions by kind, including those of indexes', async () => {
  const { body } = await get('partitions', { kind: 'LEAD' });
  expect(body.complete).toBe(true);
  expect(body.kinds).toContainEqual({ name: 'BUYERS', items: 1, partitions: 1, partition: 'BUYERS' });
  expect(body.kinds).toContainEqual({ name: 'LEAD', items: expect.any(Number), partitions: 2 });
  expect(body.partitions.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^LEAD#/),
    expect.stringMatching(/^LEAD#/),
  ]);
  const { body: index } = await get('partitions', { view: 'gsi1' });
  expect(index.kinds).toContainEqual({ name: 'ORDER', items: 2, partitions: 1, partition: 'ORDER#1' });
});

it('shows the items of a partition without encrypted values', async () => {
  const { body } = await get('items', { partition: 'BUYERS' });
  expect(body).toMatchObject({
    items: [{ sort: '000000000001', item: { buyer_id: 'a', trackbox_api_key: '(encrypted with key 1)' } }],
    next: null,
  });
});

it('shows an index by its own sort key', async () => {
  const { body } = await get('items', { view: 'gsi1', partition: 'ORDER#1', sort: '000000000002' });
  expect(body.items).toMatchObject([{ sort: '000000000002', item: { sk: 'LEAD' } }]);
});

it('rejects an unknown view and an invalid cursor', async () => {
  expect(await get('items', { view: 'gsi9', partition: 'POOL' })).toMatchObject({ status: 400 });
  expect(await get('items', { partition: 'POOL', after: 'nonsense' })).toMatchObject({ status: 400 });
  expect(await get('items', {})).toMatchObject({ status: 400 });
  expect(await get('partitions', { view: 'gsi9' })).toMatchObject({ status: 400 });
});

it('decodes nested JSON, but not text that only looks like JSON', () => {
  expect(decoded({ a: '{"b":"[1,2]"}', c: '[no', d: new Set(['x']), e: 5, f: null })).toEqual({
    a: { b: [1, 2] },
    c: '[no',
    d: ['x'],
    e: 5,
    f: null,
  });
});
