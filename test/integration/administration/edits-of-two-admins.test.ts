/** Two admins with the same form open: each saves its own changes, and neither unknowingly overwrites the other's. */
import { describe, expect } from 'vitest';
import { type EndpointId, routes } from '#shared/contract/routes';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { publishedSchema } from '#test/harness/published-schema';

const cloud = cloudOfFile();

/** A call's change of one field of an existing object. */
interface Edit {
  readonly params?: Readonly<Record<string, string>>;
  /** Further fields that the call requires. */
  readonly body?: { readonly expected?: object; readonly [field: string]: unknown };
  readonly stored: () => Promise<unknown>;
}

const addBuyer = async (id: string) => {
  await cloud.admin.ok('createBuyer', {
    body: aBuyerRequest({ buyer_id: id, probability: 0, price_per_lead: 19.99, min_investment: 10_000 }),
  });
  return id;
};
const buyer = async (buyerId: string) => (await cloud.admin.ok('getBuyer', { params: { buyerId } })).buyer;

const addSource = async () => {
  const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
  return { sourceId: source.source_id };
};
const order = async (wanted: number) =>
  (await cloud.admin.ok('listOrders')).orders.find(({ order_id }) => order_id === wanted);
const postback = (path: string) => ({ url: `https://tracker.example/${path}`, events: ['lead.assigned'] });

/** Call; field; its value before, ours and theirs; the object to edit. */
type Row = readonly [EndpointId, string, readonly [unknown, unknown, unknown], () => Promise<Edit>];
const EDITS: readonly Row[] = [
  [
    'updateBuyer',
    'price_per_lead',
    [19.99, 29.99, 39.99],
    async () => {
      const buyerId = await addBuyer('price');
      return { params: { buyerId }, stored: async () => (await buyer(buyerId)).price_per_lead };
    },
  ],
  [
    'updateEmailTemplate',
    'smtp_subject',
    ['first', 'second', 'third'],
    async () => {
      const body = aTemplateRequest({ smtp_port: cloud.inbox.port, smtp_subject: 'first' });
      const { id } = (await cloud.admin.ok('createEmailTemplate', { body })).template;
      const all = () => cloud.admin.ok('listEmailTemplates');
      return { params: { id }, stored: async () => (await all()).find((one) => one.id === id)?.smtp_subject };
    },
  ],
  [
    'updateLead',
    'anlagebetrag',
    [19.99, 0.29, 30_000],
    async () => {
      const body = aLeadRequest({ anlagebetrag: 19.99 });
      const params = { leadId: (await cloud.admin.ok('createLead', { body })).lead_id };
      return { params, stored: async () => (await cloud.admin.ok('getLead', { params })).lead.anlagebetrag };
    },
  ],
  [
    'updateOrderLimit',
    'lead_limit',
    [10, 20, 30],
    async () => {
      await openOrder(cloud.admin, { buyer_id: 'limit', probability: 1 }, 10);
      return { params: { buyerId: 'limit' }, stored: async () => (await buyer('limit')).lead_limit };
    },
  ],
  [
    'updateOrderLimit',
    'daily_cap',
    [null, 5, 7],
    async () => {
      await openOrder(cloud.admin, { buyer_id: 'caps', probability: 1 }, 10);
      const params = { buyerId: 'caps' };
      const orders = () => cloud.admin.ok('listBuyerOrders', { params });
      return {
        params,
        body: { lead_limit: 10, expected: { lead_limit: 10 } },
        stored: async () => (await orders()).orders[0]?.daily_cap,
      };
    },
  ],
  [
    'updateOrderComments',
    'comments',
    ['', 'one', 'two'],
    async () => {
      const { orderId } = await openOrder(cloud.admin, { buyer_id: 'comments', probability: 1 }, 10);
      return { params: { orderId: String(orderId) }, stored: async () => (await order(orderId))?.comments };
    },
  ],
  [
    'updateOrderRenewal',
    'renewal',
    ['none', 'ask', 'auto'],
    async () => {
      const { orderId } = await openOrder(cloud.admin, { buyer_id: 'renewal', buyer_type: 'postpay' }, 10);
      return { params: { orderId: String(orderId) }, stored: async () => (await order(orderId))?.renewal };
    },
  ],
  [
    'updateSource',
    'window_days',
    [30, 10, 20],
    async () => {
      const { sourceId } = await addSource();
      const all = () => cloud.admin.ok('listSources');
      return {
        params: { sourceId: String(sourceId) },
        stored: async () => (await all()).find(({ source_id }) => source_id === sourceId)?.window_days,
      };
    },
  ],
  [
    'updateEndpoints',
    'postback',
    [null, postback('one'), postback('two')],
    async () => {
      const params = await addSource();
      return {
        params: { sourceId: String(params.sourceId) },
        stored: async () => {
          const { postback: its } = await cloud.admin.ok('getEndpoints', { params });
          return its && { url: its.url, events: its.events };
        },
      };
    },
  ],
  [
    'saveVerificationSettings',
    'name_verification',
    [true, false, true],
    async () => ({
      stored: async () => (await cloud.admin.ok('getVerificationSettings')).name_verification,
    }),
  ],
  [
    'updateWebhook',
    'name',
    ['seen', 'one', 'two'],
    async () => {
      const body = { name: 'seen', url: 'https://tool.example/hook', events: ['order.full' as const] };
      const { webhook_id } = (await cloud.admin.ok('createWebhook', { body })).webhook;
      return {
        params: { webhookId: String(webhook_id) },
        stored: async () =>
          (await cloud.admin.ok('listWebhooks')).find((one) => one.webhook_id === webhook_id)?.name,
      };
    },
  ],
  [
    'savePushoverTemplate',
    'template',
    [expect.stringContaining('$$status$$'), 'one', 'two'],
    async () => ({ stored: async () => (await cloud.admin.ok('getPushoverTemplate')).template }),
  ],
  [
    'saveRetention',
    'pending',
    [null, 90, 120],
    async () => ({ stored: async () => (await cloud.admin.ok('getRetention')).days.pending }),
  ],
  [
    'saveAlertSettings',
    'emails',
    [[], ['one@example.org'], ['two@example.org']],
    async () => ({ stored: async () => (await cloud.admin.ok('getAlertSettings')).settings.emails }),
  ],
  [
    'saveCompany',
    'address',
    ['', 'Weg 1\n12345 Berlin', 'Weg 2'],
    async () => ({ stored: async () => (await cloud.admin.ok('getCompany')).address }),
  ],
  [
    'saveStatusPage',
    'public',
    [false, true, false],
    async () => ({ stored: async () => (await cloud.admin.ok('getStatusPage')).public }),
  ],
];

describe('an edit of a value that another admin has changed', () => {
  it('is tested for every call with expected values', () => {
    const takeSeen = (Object.keys(routes) as EndpointId[]).filter((id) =>
      /"expected":/.test(JSON.stringify(publishedSchema(id, 'body') ?? {})),
    );
    // A pending lead can be assigned only once, so the second admin gets a conflict. Weights are tested below.
    const tried = [...EDITS.map(([id]) => id), 'changeWeights', 'assignPendingLead'];
    expect(new Set(tried)).toEqual(new Set(takeSeen));
  });

  /** @param save saves a value as an admin whose form was opened with `seen` */
  async function tryOut(
    values: Row[2],
    save: (value: unknown, seen: unknown) => Promise<{ readonly status: number; readonly body: unknown }>,
    stored: () => Promise<unknown>,
  ) {
    const [, mine, theirs] = values;
    const before = await stored();
    expect(before).toEqual(values[0]);
    expect(await save(mine, before)).toMatchObject({ status: 200 });
    expect(await save(theirs, before)).toMatchObject({
      status: 409,
      body: { code: 'edited_meanwhile', fields: expect.any(Object) },
    });
    expect(await stored()).toEqual(mine);
    const sameMoment = await Promise.all([before, theirs].map((value) => save(value, mine)));
    expect(sameMoment.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  }

  it.each(EDITS)(
    'is rejected with the field name, even between concurrent edits: %s %s',
    async (id, field, values, open) => {
      const { params, body: others, stored } = await open();
      const save = (value: unknown, seen: unknown) =>
        cloud.admin.call(id, {
          params,
          body: { ...others, [field]: value, expected: { ...others?.expected, [field]: seen } },
        });
      await tryOut(values, save, stored);
    },
  );

  it('is also rejected for a weight', async () => {
    const buyer_id = await addBuyer('weight');
    const save = (probability: unknown, seen: unknown) =>
      cloud.admin.call('changeWeights', {
        body: { buyers: [{ buyer_id, probability, expected: seen }] },
      } as never);
    await tryOut([0, 1.15, 2], save, async () => (await buyer(buyer_id)).probability);
  });
});
