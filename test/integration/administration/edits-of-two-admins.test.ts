/** Two admins with the same form open: each saves what it changed, and nobody undoes the other's change unseen. */
import { describe, expect } from 'vitest';
import { type EndpointId, routes } from '#shared/contract/routes';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';
import { publishedSchema } from '#test/harness/published-schema';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

interface Edit {
  /** @param seen the value that the form was opened with */
  readonly save: (value: never, seen: never) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly stored: () => Promise<unknown>;
}

const addBuyer = async (id: string) => {
  await cloud.admin.ok('createBuyer', {
    body: aBuyerRequest({ buyer_id: id, probability: 0, price_per_lead: 19.99, min_investment: 10_000 }),
  });
  return id;
};
const buyer = async (buyerId: string) => (await cloud.admin.ok('getBuyer', { params: { buyerId } })).buyer;

describe('an edit of what another admin has changed meanwhile', () => {
  const edits: Record<
    string,
    () => Promise<Edit & { readonly values: readonly [unknown, unknown, unknown] }>
  > = {
    'updateBuyer: price': async () => {
      const buyerId = await addBuyer('price');
      return {
        values: [19.99, 29.99, 39.99],
        save: (price_per_lead, seen) =>
          cloud.admin.call('updateBuyer', {
            params: { buyerId },
            body: { price_per_lead, seen: { price_per_lead: seen } },
          }),
        stored: async () => (await buyer(buyerId)).price_per_lead,
      };
    },
    'updateEmailTemplate: subject': async () => {
      const { template } = await cloud.admin.ok('createEmailTemplate', {
        body: aTemplateRequest({
          smtp_host: 'localhost',
          smtp_port: cloud.inbox.port,
          smtp_subject: 'first',
        }),
      });
      return {
        values: ['first', 'second', 'third'],
        save: (smtp_subject, seen) =>
          cloud.admin.call('updateEmailTemplate', {
            params: { id: template.id },
            body: { smtp_subject, seen: { smtp_subject: seen } },
          }),
        stored: async () =>
          (await cloud.admin.ok('listEmailTemplates')).find(({ id }) => id === template.id)?.smtp_subject,
      };
    },
    'updateLead: amount': async () => {
      const { lead_id: leadId } = await cloud.admin.ok('createLead', {
        body: aLeadRequest({ anlagebetrag: 20_000 }),
      });
      return {
        values: [20_000, 25_000, 30_000],
        save: (anlagebetrag, seen) =>
          cloud.admin.call('updateLead', {
            params: { leadId },
            body: { anlagebetrag, seen: { anlagebetrag: seen } },
          }),
        stored: async () => (await cloud.admin.ok('getLead', { params: { leadId } })).lead.anlagebetrag,
      };
    },
    'updateOrderLimit: limit': async () => {
      await openOrder(cloud.admin, { buyer_id: 'limit', probability: 1 }, 10);
      return {
        values: [10, 20, 30],
        save: (lead_limit, seen) =>
          cloud.admin.call('updateOrderLimit', {
            params: { buyerId: 'limit' },
            body: { lead_limit, seen: { lead_limit: seen } },
          }),
        stored: async () => (await buyer('limit')).lead_limit,
      };
    },
    'updateOrderComments: comments': async () => {
      const { orderId } = await openOrder(cloud.admin, { buyer_id: 'comments', probability: 1 }, 10);
      return {
        values: ['', 'one', 'two'],
        save: (comments, seen) =>
          cloud.admin.call('updateOrderComments', {
            params: { orderId },
            body: { comments, seen: { comments: seen } },
          }),
        stored: async () =>
          (await cloud.admin.ok('listOrders')).orders.find(({ order_id }) => order_id === orderId)?.comments,
      };
    },
    'saveVerificationSettings: switch': async () => ({
      values: [true, false, true],
      save: (name_verification, seen) =>
        cloud.admin.call('saveVerificationSettings', {
          body: { name_verification, seen: { name_verification: seen } },
        }),
      stored: async () => (await cloud.admin.ok('getVerificationSettings')).name_verification,
    }),
    'savePushoverTemplate: text': async () => ({
      values: [(await cloud.admin.ok('getPushoverTemplate')).template, 'one', 'two'],
      save: (template, seen) =>
        cloud.admin.call('savePushoverTemplate', { body: { template, seen: { template: seen } } }),
      stored: async () => (await cloud.admin.ok('getPushoverTemplate')).template,
    }),
    'updateOrderLimit: cap of a day': async () => {
      await openOrder(cloud.admin, { buyer_id: 'caps', probability: 1 }, 10);
      const params = { buyerId: 'caps' };
      return {
        values: [null, 5, 7],
        save: (daily_cap, seen) =>
          cloud.admin.call('updateOrderLimit', {
            params,
            body: { lead_limit: 10, daily_cap, seen: { lead_limit: 10, daily_cap: seen } },
          }),
        stored: async () => (await cloud.admin.ok('listBuyerOrders', { params })).orders[0]?.daily_cap,
      };
    },
    'updateOrderRenewal: renewal': async () => {
      const { orderId } = await openOrder(cloud.admin, { buyer_id: 'renewal', buyer_type: 'postpay' }, 10);
      return {
        values: ['none', 'ask', 'auto'],
        save: (renewal, seen) =>
          cloud.admin.call('updateOrderRenewal', {
            params: { orderId },
            body: { renewal, seen: { renewal: seen } },
          }),
        stored: async () =>
          (await cloud.admin.ok('listOrders')).orders.find(({ order_id }) => order_id === orderId)?.renewal,
      };
    },
    'changeWeights: weight': async () => {
      const buyerId = await addBuyer('weight');
      return {
        values: [0, 1, 2],
        save: (probability, seen) =>
          cloud.admin.call('changeWeights', { body: { buyers: [{ buyer_id: buyerId, probability, seen }] } }),
        stored: async () => (await buyer(buyerId)).probability,
      };
    },
    'updateSource: window': async () => {
      const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
      const params = { sourceId: source.source_id };
      return {
        values: [30, 10, 20],
        save: (window_days, seen) =>
          cloud.admin.call('updateSource', { params, body: { window_days, seen: { window_days: seen } } }),
        stored: async () =>
          (await cloud.admin.ok('listSources')).find(({ source_id }) => source_id === params.sourceId)
            ?.window_days,
      };
    },
    'updateEndpoints: postback': async () => {
      const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
      const params = { sourceId: source.source_id };
      const at = (path: string) => ({ url: `https://tracker.example/${path}`, events: ['lead.assigned'] });
      return {
        values: [null, at('one'), at('two')],
        save: (postback, seen) =>
          cloud.admin.call('updateEndpoints', { params, body: { postback, seen: { postback: seen } } }),
        stored: async () => {
          const { postback } = await cloud.admin.ok('getEndpoints', { params });
          return postback && { url: postback.url, events: postback.events };
        },
      };
    },
    'saveRetention: days': async () => ({
      values: [(await cloud.admin.ok('getRetention')).days.pending, 90, 120],
      save: (pending, seen) =>
        cloud.admin.call('saveRetention', { body: { pending, seen: { pending: seen } } }),
      stored: async () => (await cloud.admin.ok('getRetention')).days.pending,
    }),
    'saveAlertSettings: addresses': async () => ({
      values: [[], ['one@example.org'], ['two@example.org']],
      save: (emails, seen) =>
        cloud.admin.call('saveAlertSettings', { body: { emails, seen: { emails: seen } } }),
      stored: async () => (await cloud.admin.ok('getAlertSettings')).settings.emails,
    }),
    'saveStatusPage: switch': async () => ({
      values: [false, true, false],
      save: (open, seen) =>
        cloud.admin.call('saveStatusPage', { body: { public: open, seen: { public: seen } } }),
      stored: async () => (await cloud.admin.ok('getStatusPage')).public,
    }),
  };

  it('is tried for every call that takes what was seen', () => {
    const takeSeen = (Object.keys(routes) as EndpointId[]).filter((id) =>
      /"seen":/.test(JSON.stringify(publishedSchema(id, 'body') ?? {})),
    );
    const tried = Object.keys(edits).map((name) => name.split(':')[0]);
    // A pending lead is assigned once: whoever comes second finds it gone.
    expect(new Set([...tried, 'assignPendingLead'])).toEqual(new Set(takeSeen));
  });

  for (const [name, open] of Object.entries(edits))
    it(`is refused, naming the field, and of two at the same moment one: ${name}`, async () => {
      const { values, save, stored } = await open();
      const [before, mine, theirs] = values;
      expect(await stored()).toEqual(before);
      expect(await save(mine as never, before as never)).toMatchObject({ status: 200 });
      const refused = await save(theirs as never, before as never);
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'edited_meanwhile', fields: expect.any(Object) },
      });
      expect(await stored()).toEqual(mine);
      const sameMoment = await Promise.all(
        [before, theirs].map((value) => save(value as never, mine as never)),
      );
      expect(sameMoment.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });
});

describe('edits of different fields', () => {
  it('are both kept', async () => {
    const buyerId = await addBuyer('both');
    await cloud.admin.ok('updateBuyer', {
      params: { buyerId },
      body: { price_per_lead: 25, seen: { price_per_lead: 19.99 } },
    });
    await cloud.admin.ok('updateBuyer', {
      params: { buyerId },
      body: { min_investment: '5.000', seen: { min_investment: '10.000' } },
    });
    expect(await buyer(buyerId)).toMatchObject({ price_per_lead: 25, min_investment: 5000 });
  });
});
