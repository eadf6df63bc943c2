/** Two admins with the same form open: each saves what it changed, and nobody undoes the other's change unseen. */
import { describe, expect } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

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
    'price of a buyer': async () => {
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
    'subject of a template': async () => {
      const { template } = await cloud.admin.ok('createEmailTemplate', {
        body: {
          name: 'Two',
          smtp_host: 'localhost',
          smtp_port: cloud.inbox.port,
          smtp_user: 'u',
          smtp_pass: 'p',
          smtp_subject: 'first',
        },
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
    'amount of a lead': async () => {
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
    'limit of an order': async () => {
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
    'comments of an order': async () => {
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
    'verification switch': async () => ({
      values: [true, false, true],
      save: (name_verification, seen) =>
        cloud.admin.call('saveVerificationSettings', {
          body: { name_verification, seen: { name_verification: seen } },
        }),
      stored: async () => (await cloud.admin.ok('getVerificationSettings')).name_verification,
    }),
    'push text': async () => ({
      values: [(await cloud.admin.ok('getPushoverTemplate')).template, 'one', 'two'],
      save: (template, seen) =>
        cloud.admin.call('savePushoverTemplate', { body: { template, seen: { template: seen } } }),
      stored: async () => (await cloud.admin.ok('getPushoverTemplate')).template,
    }),
  };

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
