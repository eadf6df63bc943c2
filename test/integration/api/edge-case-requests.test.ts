/** Requests that were answered with 500, or wrongly. */
import { describe, expect } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { type TestCloud, tokenOf } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});
const buyer = async () => {
  const body = aBuyerRequest();
  await cloud.admin.ok('createBuyer', { body });
  return body.buyer_id;
};
const lead = (buyer_id: string) => cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
const order = (buyer_id: string, lead_limit: number, more: object = {}) =>
  cloud.admin.ok('createOrder', { body: { buyer_id, lead_limit, ...more } });

it('refuses half a surrogate pair as text', async () => {
  const id = await buyer();
  const { order: its, excel_link } = await order(id, 5);
  const { lead_id } = await lead(id);
  const half = '\ud800';
  const send = (method: string, path: string, body: unknown, client = cloud.admin) =>
    client.raw(method, path, body);
  const token = tokenOf(excel_link);
  const replies = [
    await send('POST', '/api/leads', aLeadRequest({ nachname: `A${half}` })),
    await send('PUT', `/api/admin/leads/${lead_id}`, { nachname: `A${half}` }),
    await send('PUT', `/api/admin/orders/${its.order_id}/comments`, { comments: half }),
    await send(
      'POST',
      `/api/lead-claims?token=${token}`,
      { lead_id, order_id: its.order_id, buyer_id: id, claim_reason: `Text ${half}` },
      cloud.visitor,
    ),
    await send('POST', '/api/login', { username: half, password: 'x' }, cloud.visitor),
  ];
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
});

it('refuses an e-mail template that is too large for an item and names the field', async () => {
  const reply = await cloud.admin.call('createEmailTemplate', {
    body: aTemplateRequest({ smtp_body: '漢'.repeat(50_000), smtp_html_body: '漢'.repeat(100_000) }),
  });
  expect(reply).toMatchObject({ status: 400, body: { fields: { smtp_html_body: expect.any(String) } } });
  const cyrillic = await cloud.admin.call('createEmailTemplate', {
    body: aTemplateRequest({ smtp_body: 'Я'.repeat(50_000), smtp_html_body: 'Я'.repeat(100_000) }),
  });
  expect(cyrillic.status).toBe(200);
});

it.each(['.', '..', 'active', 'leads', '__proto__'])(
  'refuses %s as the id of a buyer, or serves it everywhere',
  async (id) => {
    const reply = await cloud.admin.call('createBuyer', {
      body: aBuyerRequest({ buyer_id: id, buyer_email: 'b@example.org' }),
    });
    if (reply.status === 200) {
      // Then everything can be done with it.
      const params = { buyerId: id };
      const edit = await cloud.admin.call('updateBuyer', { params, body: { probability: 2 } });
      const read = await cloud.admin.call('getBuyer', { params });
      const { buyer_balances } = await cloud.admin.ok('getDashboardInitialData');
      const { order: its } = await order(id, 2);
      await cloud.admin.call('deleteOrder', { params: { ...params, orderId: String(its.order_id) } });
      const restore = await cloud.admin.call('restoreLastDeletedOrder', { params });
      expect([edit.status, restore.status, Object.hasOwn(buyer_balances, id)]).toEqual([200, 200, true]);
      expect(read.body).toMatchObject({ buyer: { buyer_id: id } });
    } else expect(reply.status).toBe(400);
  },
);

describe('order that its buyer has replaced by a newer one', () => {
  it('stays inactive when one of its leads is deleted', async () => {
    const id = await buyer();
    await order(id, 1);
    const { lead_id } = await lead(id);
    await order(id, 3);
    await cloud.admin.ok('deleteLead', { params: { leadId: lead_id } });
    const { orders } = await cloud.admin.ok('listBuyerOrders', { params: { buyerId: id } });
    expect(orders.map(({ status }) => status)).toEqual(['Active', 'Inactive']);
    expect((await cloud.admin.ok('listOrders')).orders.slice(0, 2).map(({ status }) => status)).toEqual([
      'Active',
      'Inactive',
    ]);
    const { buyer_stats } = await cloud.admin.ok('getBuyerStats', { query: { buyer_id: id } });
    expect(buyer_stats[0]!.active_orders).toBe(1);
  });

  it('becomes active again by a higher limit once the newer one is deleted', async () => {
    const id = await buyer();
    await order(id, 1);
    const { lead_id } = await lead(id);
    const { order: later } = await order(id, 3);
    await cloud.admin.ok('deleteLead', { params: { leadId: lead_id } });
    await cloud.admin.ok('deleteOrder', { params: { buyerId: id, orderId: String(later.order_id) } });
    const { order: row } = await cloud.admin.ok('updateOrderLimit', {
      params: { buyerId: id },
      body: { lead_limit: 5 },
    });
    expect(row.status).toBe('Active');
    await lead(id);
  });
});

describe('buyer changed to postpay', () => {
  const claimed = async () => {
    const id = await buyer();
    const { order: first } = await order(id, 1);
    const { lead_id } = await lead(id);
    const { claim } = await cloud.admin.ok('fileClaim', {
      body: { lead_id, order_id: first.order_id, buyer_id: id, claim_reason: 'fake' },
    });
    const approve = () =>
      cloud.admin.ok('approveClaim', { params: { claimId: String(claim.claim_id) }, body: {} });
    return { id, first, approve };
  };

  it('gets no replacement in a new order for a claim on an older one', async () => {
    const { id, approve } = await claimed();
    await cloud.admin.ok('updateBuyer', { params: { buyerId: id }, body: { buyer_type: 'postpay' } });
    const { excel_link } = await order(id, 3);
    await approve();
    await lead(id);
    const view = await cloud.visitor.ok('viewLeads', { params: { token: tokenOf(excel_link) } });
    // The page of a postpay order shows originals only.
    expect([view.order.buyer_type, view.leads.original.length, view.leads.reimbursement.length]).toEqual([
      'postpay',
      1,
      0,
    ]);
    expect(await cloud.admin.ok('getBalance', { params: { buyerId: id } })).toEqual({ balance_count: 1 });
  });

  it('cannot use its balance for a postpay order', async () => {
    const { id, first, approve } = await claimed();
    await cloud.admin.ok('deleteOrder', { params: { buyerId: id, orderId: String(first.order_id) } });
    await approve();
    await cloud.admin.ok('updateBuyer', { params: { buyerId: id }, body: { buyer_type: 'postpay' } });
    const reply = await cloud.admin.call('createOrder', {
      body: { buyer_id: id, lead_limit: 2, use_balance: true, balance_amount: 1 },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_balance' } });
  });
});

it('answers the simulation of an unknown buyer with a stable code', async () => {
  const reply = await cloud.admin.call('simulate', {
    body: { days: 7, buyers: [{ buyer_id: 'no-body.1' }] },
  });
  expect(reply).toMatchObject({ status: 404, body: { code: 'buyer_not_found' } });
});
