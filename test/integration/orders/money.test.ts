/** Euro in, whole cents stored, the same euro out: with amounts that are no exact binary fractions. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

let number = 0;
const nextId = () => {
  number += 1;
  return `money-${number}`;
};

/** 100 times each is a little less than a whole number. */
describe.each([19.99, 0.29, 1.15])('%d euro', (amount) => {
  it('as price and minimum of a new buyer', async () => {
    const { admin } = cloud;
    const { buyer_id } = await openOrder(admin, {
      buyer_id: nextId(),
      price_per_lead: amount,
      min_investment: amount,
      probability: 0.29,
    });
    const { buyer } = await admin.ok('getBuyer', { params: { buyerId: buyer_id } });
    expect(buyer).toMatchObject({ price_per_lead: amount, min_investment: amount, probability: 0.29 });
    await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
  });

  it('as changed price and minimum', async () => {
    const { admin } = cloud;
    const { buyer_id } = await openOrder(admin, { buyer_id: nextId(), price_per_lead: 1, probability: 1 });
    await admin.ok('updateBuyer', {
      params: { buyerId: buyer_id },
      body: { price_per_lead: amount, min_investment: amount, probability: 1.15 },
    });
    const { buyer } = await admin.ok('getBuyer', { params: { buyerId: buyer_id } });
    expect(buyer).toMatchObject({ price_per_lead: amount, min_investment: amount, probability: 1.15 });
    await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
  });

  it('as revenue of three leads', async () => {
    const { admin } = cloud;
    const { buyer_id } = await openOrder(admin, {
      buyer_id: nextId(),
      price_per_lead: amount,
      probability: 0,
    });
    for (let at = 0; at < 3; at += 1)
      await admin.ok('createLead', { body: aLeadRequest({ buyer_id, email: `m${at}@example.org` }) });
    const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId: buyer_id } });
    expect(orders[0]?.actual_cost).toBe((3 * Math.round(amount * 100)) / 100);
    await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
  });

  it('as investment of a lead, new and edited', async () => {
    const { admin } = cloud;
    const { lead_id: leadId } = await admin.ok('createLead', {
      body: aLeadRequest({ anlagebetrag: amount }),
    });
    const read = async () => (await admin.ok('getLead', { params: { leadId } })).lead.anlagebetrag;
    expect(await read()).toBe(amount);
    await admin.ok('updateLead', { params: { leadId }, body: { anlagebetrag: 5 } });
    await admin.ok('updateLead', { params: { leadId }, body: { anlagebetrag: amount } });
    expect(await read()).toBe(amount);
  });
});
