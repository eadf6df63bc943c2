/** A full order gets exactly one successor, automatically or after a buyer's request and an admin's confirmation. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
let template: string;
it.beforeAll(async () => {
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
