/** Lists that a caller sends with every entry twice: each call drops the repetition or refuses it, and none fails. */
import { describe, expect } from 'vitest';
import { type EndpointId, routes } from '#shared/contract/routes';
import { schemas } from '#shared/contract/schemas';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';
import { type JsonSchema, operationOf, publishedSchema } from '#test/harness/published-schema';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

interface Sample {
  readonly params?: Readonly<Record<string, string>>;
  /** With one entry in each list, of something that there is. */
  readonly body: object;
  readonly key?: string;
}

const addSource = async () => {
  const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
  const params = { sourceId: source.source_id };
  await cloud.admin.ok('updateSource', { params, body: { state: 'live' } });
  return params;
};
const asText = ({ sourceId }: { readonly sourceId: number | string }) => ({ sourceId: String(sourceId) });
const schedule = { weekdays: [1], from: '08:00', to: '18:00', holidays_off: false };
const ORIGINS = { origins: ['https://a.example'], addresses: ['203.0.113.0/24'] };
const EVENTS = {
  webhook: { url: 'https://source.example/hook', events: ['lead.assigned'] },
  postback: { url: 'https://tracker.example/?c={clickId}', events: ['lead.assigned'] },
};
const rules = [{ subject: 'status', path: '', value: '409', verdict: 'duplicate' }];
const CHANNELS = {
  http_method: 'POST',
  http_url: 'https://partner.example/leads',
  http_headers: [{ name: 'x-partner', value: '1' }],
  http_body: '{}',
  http_rules: rules,
  heroleads_rules: rules,
  sellanylead_rules: rules,
};

const SAMPLES: Partial<Record<EndpointId, () => Promise<Sample>>> = {
  addPasskey: async () => ({
    body: {
      ticket: 'A'.repeat(43),
      name: 'Laptop',
      response: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['internal'] },
      },
    },
  }),
  createBuyer: async () => ({ body: { ...aBuyerRequest(), ...CHANNELS, schedule } }),
  updateBuyer: async () => {
    const body = aBuyerRequest();
    await cloud.admin.ok('createBuyer', { body });
    return { params: { buyerId: body.buyer_id }, body: { ...CHANNELS, schedule } };
  },
  changeWeights: async () => {
    const body = aBuyerRequest({ probability: 1 });
    await cloud.admin.ok('createBuyer', { body });
    return { body: { buyers: [{ buyer_id: body.buyer_id, probability: 2 }] } };
  },
  simulate: async () => {
    const body = aBuyerRequest({ probability: 1 });
    await cloud.admin.ok('createBuyer', { body });
    return { body: { days: 7, buyers: [{ buyer_id: body.buyer_id, probability: 2 }] } };
  },
  tryChannel: async () => {
    const { buyer_id } = await openOrder(cloud.admin, { probability: 1 });
    return { params: { channel: 'http' }, body: { buyer_id, ...CHANNELS } };
  },
  beginErasure: async () => {
    const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest() });
    return { body: { lead_ids: [lead_id] } };
  },
  saveAlertSettings: async () => ({ body: { emails: ['me@example.org'], expected: { emails: [] } } }),
  createSource: async () => ({ body: { name: 'Page', src: 'page', ...ORIGINS } }),
  updateSource: async () => ({
    params: asText(await addSource()),
    body: { ...ORIGINS, expected: { origins: [], addresses: [] } },
  }),
  updateEndpoints: async () => ({ params: asText(await addSource()), body: EVENTS }),
  importLeads: async () => ({ params: asText(await addSource()), body: { leads: [aPostedLead()] } }),
  postIntake: async () => {
    const params = await addSource();
    const { key } = await cloud.admin.ok('createSourceKey', { params });
    return { body: { leads: [aPostedLead()] }, key };
  },
};

/** Where lists stand in what a schema describes: `schedule.weekdays`. What was `seen` holds the same lists again. */
function listsIn({ properties = {}, items, anyOf = [] }: JsonSchema, path = ''): string[] {
  return [
    ...(items === undefined ? [] : [path, ...listsIn(items, path)]),
    ...anyOf.flatMap((one) => listsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) =>
      name === 'expected' ? [] : listsIn(one, path === '' ? name : `${path}.${name}`),
    ),
  ];
}

function listsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((one) => listsOf(one, path))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => listsOf(one, path === '' ? name : `${path}.${name}`));
}

function doubled(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value].map(doubled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, doubled(one)]));
}

const ids = Object.keys(routes) as EndpointId[];
const withLists = ids.filter(
  (id) => 'body' in schemas[id] && listsIn(publishedSchema(id, 'body')!).length > 0,
);

describe('a list with every entry twice', () => {
  it.each(withLists)('is answered by %s', async (id) => {
    const make = SAMPLES[id];
    if (make === undefined) throw new Error(`${id} takes a list: it needs a sample`);
    for (const change of [(body: object) => body, doubled]) {
      const { params = {}, body, key } = await make();
      expect(new Set(listsOf(body))).toEqual(
        new Set([
          ...listsIn(publishedSchema(id, 'body')!),
          ...listsOf(body).filter((path) => path.startsWith('expected.')),
        ]),
      );
      const path = routes[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const reply = await cloud.admin.raw(routes[id].method, path, change(body), headers);
      const what = `${id} ${JSON.stringify(reply.body)}`;
      expect(reply.status, what).toBeLessThan(500);
      expect(Object.keys(operationOf(id).responses), what).toContain(String(reply.status));
      if (change !== doubled && id !== 'addPasskey') expect(reply.status, what).toBeLessThan(300);
    }
  });

  it('is stored once', async () => {
    const twice = ['https://a.example', 'https://A.example:443', 'https://a.example', 'http://a.example'];
    const body = { name: 'Page', src: 'page', origins: twice, addresses: ['203.0.113.7', '203.0.113.7'] };
    const { source } = await cloud.admin.ok('createSource', { body });
    expect(source).toMatchObject({
      origins: ['https://a.example', 'http://a.example'],
      addresses: ['203.0.113.7'],
    });
  });
});
