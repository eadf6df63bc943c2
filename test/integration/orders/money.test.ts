/**
 * Amounts are stored in whole cents and returned unchanged by every call; `test/unit/leads/money.test.ts` tests all
 * amounts.
 */
import { expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

/** A hundred times each is slightly less than a whole number. */
const PRICE = 19.99;
const MINIMUM = 0.29;
const PERCENT = 1.15;

it('returns prices, minimums, weights, investments and revenue unchanged', async ({ cloud }) => {
  const { admin } = cloud;
  const money = { price_per_lead: PRICE, min_investment: MINIMUM, probability: PERCENT };
  const { buyer_id: buyerId } = await openOrder(admin, money);
  const buyer = async () => (await admin.ok('getBuyer', { params: { buyerId } })).buyer;
  expect(await buyer()).toMatchObject(money);
  for (const body of [{ price_per_lead: 1, min_investment: 1, probability: 1 }, money])
    await admin.ok('updateBuyer', { params: { buyerId }, body });
  expect(await buyer()).toMatchObject(money);

  const { lead_id: leadId } = await admin.ok('createLead', {
    body: aLeadRequest({ anlagebetrag: PRICE, buyer_id: buyerId }),
  });
  const invested = async () => (await admin.ok('getLead', { params: { leadId } })).lead.anlagebetrag;
  expect(await invested()).toBe(PRICE);
  for (const anlagebetrag of [5, MINIMUM])
    await admin.ok('updateLead', { params: { leadId }, body: { anlagebetrag } });
  expect(await invested()).toBe(MINIMUM);
  for (let at = 0; at < 2; at += 1)
    await admin.ok('createLead', { body: aLeadRequest({ buyer_id: buyerId }) });
  const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId } });
  expect(orders[0]?.actual_cost).toBe(59.97);
});
