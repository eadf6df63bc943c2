/** Requests that were answered with 500, or wrongly. */
import { expect } from 'vitest';
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

it.each(['.', '..', 'active', 'leads', '__proto__', 'constructor', 'toString', 'prototype'])(
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
      expect(await lead(id)).toMatchObject({ status: 'assigned', buyer: id });
      await cloud.admin.ok('getBuyerStats', { query: { buyer_id: id } });
      await cloud.admin.ok('simulate', { body: { days: 7, buyers: [{ buyer_id: id, probability: 3 }] } });
      await cloud.admin.call('deleteOrder', { params: { ...params, orderId: String(its.order_id) } });
      const restore = await cloud.admin.call('restoreLastDeletedOrder', { params });
      expect([edit.status, restore.status, Object.hasOwn(buyer_balances, id)]).toEqual([200, 200, true]);
      expect(read.body).toMatchObject({ buyer: { buyer_id: id } });
    } else expect(reply.status).toBe(400);
  },
);
