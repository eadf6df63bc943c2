/** The secret links to orders: admins can renew each or turn it off in any state of the order. */
import { expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, tokenOf } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

/** A buyer with two orders of one lead each; the first is completed. */
async function twoOrders() {
  const { buyer_id: buyerId, orderId, token } = await openOrder(cloud.admin, { probability: 0 }, 1);
  const first = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: buyerId }) });
  await cloud.admin.ok('createOrder', { body: { buyer_id: buyerId, lead_limit: 5 } });
  await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: buyerId }) });
  return { buyerId, leadId: first.lead_id, orderId, token };
}
type TwoOrders = Awaited<ReturnType<typeof twoOrders>>;

const linkOf = async (buyerId: string, orderId: number) => {
  const { orders } = await cloud.admin.ok('listBuyerOrders', { params: { buyerId } });
  return orders.find(({ order_id }) => order_id === orderId)!.excel_link;
};

/** The answers to all calls with a link. */
async function answersTo(token: string, { buyerId, leadId, orderId }: TwoOrders) {
  const claim = { lead_id: leadId, order_id: orderId, buyer_id: buyerId, claim_reason: 'fake' };
  const answers: unknown[] = [];
  for (const [method, path, body] of [
    ['GET', `/api/leads-view/${token}`],
    ['GET', `/api/leads-view/${token}/export/csv`],
    ['GET', `/api/leads-view/${token}/share`],
    ['GET', `/api/leads-view/${token}/statement`],
    ['GET', `/api/leads-view/${token}/statement/csv`],
    ['GET', `/api/leads-view/${token}/export/xlsx/original`],
    ['GET', `/api/lead-claims/lead/${leadId}?token=${token}`],
    ['POST', `/api/lead-claims?token=${token}`, claim],
    ['PUT', `/api/leads-view/${token}/leads/${leadId}/feedback`, { feedback: 'closed' }],
    ['GET', `/leads/${token}`],
  ] as const) {
    const answer = await fetch(`${cloud.url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
    answers.push({
      path: path.replace(token, '…'),
      status: answer.status,
      headers,
      body: await answer.text(),
    });
  }
  return answers;
}

it('the link of an order can be turned off, is then like an unknown link, and is turned on with a new one', async () => {
  const its = await twoOrders();
  const { orderId, token } = its;
  const unknown = await answersTo('A'.repeat(43), its);
  expect(await answersTo(token, its)).not.toEqual(unknown);
  await cloud.admin.ok('switchOffOrderToken', { params: { orderId } });
  await cloud.admin.ok('switchOffOrderToken', { params: { orderId } });
  expect(await answersTo(token, its)).toEqual(unknown);
  expect(await linkOf(its.buyerId, orderId)).toBeNull();
  expect(await cloud.admin.ok('getLead', { params: { leadId: its.leadId } })).toMatchObject({
    lead: { excel_link: null },
  });

  const { excel_link } = await cloud.admin.ok('regenerateOrderToken', { params: { orderId } });
  expect(await answersTo(token, its)).toEqual(unknown);
  const view = await cloud.visitor.ok('viewLeads', { params: { token: tokenOf(excel_link) } });
  expect(view.leads.original).toHaveLength(1);

  const { entries } = await cloud.admin.ok('listAudit', {
    query: { entity: 'order', entity_id: String(orderId), limit: 10 },
  });
  expect(entries.filter(({ action }) => action.startsWith('token_'))).toMatchObject([
    { action: 'token_renewed', changes: [{ field: 'link_active', from: false, to: true }] },
    { action: 'token_switched_off', changes: [{ field: 'link_active', from: true, to: false }] },
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});
