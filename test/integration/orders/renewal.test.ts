/** A full order gets exactly one successor, automatically or after a buyer's request and an admin's confirmation. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder, type TestCloud, tokenOf } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
let template: string;
it.beforeAll(async ({ cloud: started }) => {
  cloud = started;
  template = await addTemplate(cloud);
});
// Each test has its own buyer, the only one with leads.
it.beforeEach(async () => {
  await cloud.admin.logIn();
  const { buyers } = await cloud.admin.ok('listBuyers');
  for (const { buyer_id } of buyers)
    await cloud.admin.ok('updateBuyer', { params: { buyerId: buyer_id }, body: { probability: 0 } });
});

const post = async (count: number) => {
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', { body: aLeadRequest({ email: `${cloud.runtime.newId()}@a.de` }) });
};
const ordersOf = async (buyerId: string) => {
  const { orders } = await cloud.admin.ok('listBuyerOrders', { params: { buyerId } });
  return orders.toReversed();
};

/** An order for two leads with automatic renewal. */
async function renewing(buyerId: string) {
  const { orderId } = await openOrder(
    cloud.admin,
    {
      buyer_id: buyerId,
      buyer_email: `${buyerId}@example.org`,
      price_per_lead: 10,
      send_email: true,
      email_template_id: template,
      buyer_type: 'postpay',
      probability: 100,
    },
    2,
  );
  await cloud.admin.ok('updateOrderRenewal', { params: { orderId }, body: { renewal: 'auto' } });
}

describe('an order with automatic renewal', () => {
  it('gets a successor at the current price, which receives the pending leads', async () => {
    await renewing('auto');
    await cloud.admin.ok('updateBuyer', { params: { buyerId: 'auto' }, body: { price_per_lead: 12 } });
    await post(5);
    await cloud.settled();
    const orders = await ordersOf('auto');
    expect(
      orders.map(({ lead_limit, leads_received, price_per_lead, renewal, status }) => [
        lead_limit,
        leads_received,
        price_per_lead,
        renewal,
        status,
      ]),
    ).toEqual([
      [2, 2, 10, 'auto', 'Completed'],
      [2, 2, 12, 'auto', 'Completed'],
      [2, 1, 12, 'auto', 'Active'],
    ]);
    expect(orders.map(({ renewed_as }) => renewed_as)).toEqual([
      orders[1]?.order_id,
      orders[2]?.order_id,
      null,
    ]);
    const { entries } = await cloud.admin.ok('listAudit', {
      query: { entity: 'order', entity_id: String(orders[1]?.order_id), limit: 10 },
    });
    expect(entries.map(({ who, action }) => [who, action])).toContainEqual(['system', 'created']);
    const next = 'Ihre Bestellung 2 ist eröffnet';
    const letter = cloud.inbox.mails.find(
      ({ to, subject }) => to[0] === 'auto@example.org' && subject === next,
    );
    expect(letter?.text).toContain(orders[1]?.excel_link);
  });
});

describe('a buyer that requests the next order', () => {
  it('gets it after an admin’s confirmation, when the order is full', async () => {
    const { admin, visitor } = cloud;
    const { orderId: id, token } = await openOrder(
      admin,
      { buyer_id: 'asks', buyer_email: 'asks@example.org', probability: 100, buyer_type: 'prepay' },
      5,
    );
    const params = { token };
    const offered = async () => (await visitor.ok('viewLeads', { params })).reorder;
    const ask = (lead_limit: number) => visitor.ok('requestReorder', { params, body: { lead_limit } });
    const decide = (decision: 'confirmed' | 'declined') =>
      admin.ok('decideReorder', { params: { orderId: id }, body: { decision } });

    await admin.ok('updateOrderRenewal', { params: { orderId: id }, body: { renewal: 'ask' } });
    await post(4);
    expect(await offered()).toEqual({ state: 'possible', lead_limit: 5 });
    await ask(3);
    await cloud.settled();
    await expect(ask(3)).rejects.toThrow(/schon nachbestellt/);
    expect(await offered()).toEqual({ state: 'open', lead_limit: 3 });
    expect(cloud.inbox.mails.map(({ subject }) => subject)).toContain('asks requests the next order');
    const { buyers } = await admin.ok('listBuyers');
    expect(buyers.find(({ buyer_id }) => buyer_id === 'asks')?.reorder).toMatchObject({ lead_limit: 3 });
    expect((await decide('confirmed')).next).toBeNull();
    await expect(decide('declined')).rejects.toThrow(/no open request/);
    expect(await offered()).toEqual({ state: 'confirmed', lead_limit: 3 });
    await post(1);
    await cloud.settled();
    const orders = await ordersOf('asks');
    expect(orders.map(({ lead_limit, status, renewal }) => [lead_limit, status, renewal])).toEqual([
      [5, 'Completed', 'ask'],
      [3, 'Active', 'ask'],
    ]);
    expect(await offered()).toBeNull();
    expect(tokenOf(orders[1]?.excel_link)).not.toBe(token);
  });
});
