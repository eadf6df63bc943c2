/** Requests that once got status 500 or a wrong answer. */
import { expect } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
it('rejects an e-mail template that is too large for an item, with the field name', async () => {
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
  'rejects %s as a buyer ID, or supports it everywhere',
  async (id) => {
    const reply = await cloud.admin.call('createBuyer', {
      body: aBuyerRequest({ buyer_id: id, buyer_email: 'b@example.org' }),
    });
    if (reply.status === 200) {
      // An accepted ID works everywhere.
      const params = { buyerId: id };
      const edit = await cloud.admin.call('updateBuyer', { params, body: { probability: 2 } });
      const read = await cloud.admin.call('getBuyer', { params });
      const { buyer_balances } = await cloud.admin.ok('getDashboardInitialData');
      const { order } = await cloud.admin.ok('createOrder', { body: { buyer_id: id, lead_limit: 2 } });
      expect(await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: id }) })).toMatchObject({
        status: 'assigned',
        buyer: id,
      });
      await cloud.admin.ok('getBuyerStats', { query: { buyer_id: id } });
      await cloud.admin.ok('simulate', { body: { days: 7, buyers: [{ buyer_id: id, probability: 3 }] } });
      await cloud.admin.call('deleteOrder', { params: { ...params, orderId: String(order.order_id) } });
      const restore = await cloud.admin.call('restoreLastDeletedOrder', { params });
      expect([edit.status, restore.status, Object.hasOwn(buyer_balances, id)]).toEqual([200, 200, true]);
      expect(read.body).toMatchObject({ buyer: { buyer_id: id } });
    } else expect(reply.status).toBe(400);
  },
);
