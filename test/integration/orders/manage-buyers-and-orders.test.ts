import { describe, expect } from 'vitest';
import { aBuyerRequest, type BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { type TestCloud, tokenOf } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

/** A new buyer for each test. */
async function addBuyer(changes: Partial<BuyerRequest> = {}): Promise<string> {
  const body = aBuyerRequest({ price_per_lead: 10, ...changes });
  await cloud.admin.ok('createBuyer', { body });
  return body.buyer_id;
}
const order = (buyerId: string, limit: number, more: object = {}) =>
  cloud.admin.ok('createOrder', { body: { buyer_id: buyerId, lead_limit: limit, ...more } });
const give = (buyer_id: string) => cloud.admin.call('createLead', { body: aLeadRequest({ buyer_id }) });
const rowOf = async (buyerId: string) =>
  (await cloud.admin.ok('listBuyers')).buyers.find(({ buyer_id }) => buyer_id === buyerId)!;

describe('managing a buyer', () => {
  it('keeps orders, leads and link when it is renamed', async () => {
    const id = await addBuyer();
    const { excel_link } = await order(id, 3);
    await give(id);
    await cloud.admin.ok('updateBuyer', { params: { buyerId: id }, body: { new_buyer_id: `${id}-new` } });
    expect((await cloud.admin.call('getBuyer', { params: { buyerId: id } })).status).toBe(404);
    expect(await rowOf(`${id}-new`)).toMatchObject({ leads_received: 1, excel_link });
    const view = await cloud.visitor.ok('viewLeads', { params: { token: tokenOf(excel_link) } });
    expect(view.order.buyer_id).toBe(`${id}-new`);
    await addBuyer({ buyer_id: id });
    expect((await rowOf(id)).leads_received).toBe(0);
  });

  it.each([
    [{ use_trackbox_api: true }, 'trackbox_username'],
    [{ max_claim_days: 31 }, 'max_claim_days'],
    [{ probability: 100.5 }, 'probability'],
    [{ buyer_email: 'nobody' }, 'buyer_email'],
    [{ buyer_type: 'other' }, 'buyer_type'],
    [{ custom_data_mapping: '{not json' }, 'custom_data_mapping'],
    [{ custom_data_mapping: { amount: 'no_such_field' } }, 'custom_data_mapping'],
    [{ trackbox_custom_mapping: { MPC_13: 'src' } }, 'trackbox_custom_mapping'],
    [{ trackbox_domain: 'https://box.example.com' }, 'trackbox_domain'],
  ])('refuses %j', async (changes, field) => {
    const reply = await cloud.admin.call('createBuyer', {
      body: aBuyerRequest({ buyer_id: 'refused', ...changes } as never),
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ fields: { [field]: expect.any(String) } });
    expect((await cloud.admin.call('getBuyer', { params: { buyerId: 'refused' } })).status).toBe(404);
  });

  it.each(['constructor', '__proto__'])('rejects a mapping for a field named %s', async (name) => {
    const mapping = `{"${name}":"vorname","amount":"anlagebetrag"}`;
    for (const field of ['custom_data_mapping', 'trackbox_custom_mapping'])
      for (const value of [mapping, JSON.stringify(mapping)]) {
        const id = aBuyerRequest().buyer_id;
        const reply = await cloud.admin.raw(
          'POST',
          '/api/buyers',
          `{"buyer_id":"${id}","buyer_email":"a@b.example","probability":0,"${field}":${value}}`,
          { 'content-type': 'application/json' },
        );
        expect(reply).toMatchObject({
          status: 400,
          body: { fields: { [field]: expect.stringContaining(`"${name}"`) } },
        });
      }
  });

  it('keeps its link readable after it is deleted, and gets no more leads', async () => {
    const id = await addBuyer();
    const { excel_link } = await order(id, 3);
    await give(id);
    await cloud.admin.ok('deleteBuyer', { params: { buyerId: id } });
    expect(await rowOf(id)).toMatchObject({ deleted: true, active: 0, leads_received: 1 });
    expect((await give(id)).status).toBe(404);
    const view = await cloud.visitor.ok('viewLeads', { params: { token: tokenOf(excel_link) } });
    expect(view.leads.original).toHaveLength(1);
  });
});

describe('managing an order', () => {
  it('opens only one per buyer, even for two concurrent admins', async () => {
    const id = await addBuyer();
    const both = await Promise.all(
      [1, 2].map(() => cloud.admin.call('createOrder', { body: { buyer_id: id, lead_limit: 2 } })),
    );
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect((await cloud.admin.ok('listBuyerOrders', { params: { buyerId: id } })).orders).toHaveLength(1);
  });

  it('completes it at its limit, reopens it with a higher one, and rejects one below its leads', async () => {
    const id = await addBuyer();
    await order(id, 1);
    await give(id);
    expect((await rowOf(id)).order_status).toBe('Completed');
    expect((await give(id)).status).toBe(409);
    const limit = (lead_limit: number | string) =>
      cloud.admin.call('updateOrderLimit', { params: { buyerId: id }, body: { lead_limit } });
    expect((await limit(3)).status).toBe(200);
    expect((await rowOf(id)).order_status).toBe('Active');
    await give(id);
    expect(await limit(1)).toMatchObject({
      status: 400,
      body: { error: 'Invalid lead limit: it cannot be below the 2 already delivered' },
    });
    for (const wrong of [0, 1.5, 'abc', ''])
      expect(await limit(wrong)).toMatchObject({ status: 400, body: { error: 'Invalid lead limit' } });
    expect((await limit(2)).status).toBe(200);
    expect((await rowOf(id)).order_status).toBe('Completed');
  });

  it('shows its comments on its link', async () => {
    const id = await addBuyer();
    const { order: its, excel_link } = await order(id, 2);
    await cloud.admin.ok('updateOrderComments', {
      params: { orderId: String(its.order_id) },
      body: { comments: 'Nur werktags\nanrufen' },
    });
    const view = await cloud.visitor.ok('viewLeads', { params: { token: tokenOf(excel_link) } });
    expect(view.order.comments).toBe('Nur werktags\nanrufen');
  });
});
