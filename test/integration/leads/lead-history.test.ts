/** What the history of a lead tells of its buyer: when the list was opened, and how a claim was made good. */

import { describe, expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { type Table } from '#functions/data/table/table';
import { viewLeads } from '#functions/domain/leads/leads-view';
import { aVisitor } from '#test/factories/links';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud, tokenOf } from '#test/harness/cloud';
import { changedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const buyerWithOrder = (limit = 10) => openOrder(cloud.admin, { probability: 0 }, limit);
type Buyer = Awaited<ReturnType<typeof buyerWithOrder>>;

async function leadFor({ buyer_id }: Buyer): Promise<string> {
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  return lead_id;
}

const detailsOf = async (leadId: string) => (await cloud.admin.ok('getLead', { params: { leadId } })).lead;
const open = ({ token }: Buyer, who = cloud.visitor) => who.ok('viewLeads', { params: { token } });
const listViews = ({ orderId }: Buyer) => cloud.table.queryAll({ partition: keys.listViews(orderId) });

describe('when a buyer opened a lead', () => {
  it('is the first time that the buyer sees it in its list', async () => {
    const buyer = await buyerWithOrder();
    const [first, second] = [await leadFor(buyer), await leadFor(buyer)];
    expect((await detailsOf(first)).opened_at).toBeNull();

    const before = new Date().toISOString();
    await open(buyer);
    const after = new Date().toISOString();
    const { opened_at } = await detailsOf(first);
    expect(opened_at! >= before && opened_at! <= after, opened_at!).toBe(true);
    expect((await detailsOf(second)).opened_at).toBe(opened_at);

    const third = await leadFor(buyer);
    expect((await detailsOf(third)).opened_at).toBeNull();
    await open(buyer);
    const later = (await detailsOf(third)).opened_at!;
    expect(later > after).toBe(true);
    expect((await detailsOf(first)).opened_at).toBe(opened_at);
  });

  it('is recorded once, however often the list is opened', async () => {
    const buyer = await buyerWithOrder();
    await open(buyer);
    expect(await listViews(buyer)).toEqual([]);
    await leadFor(buyer);
    await leadFor(buyer);
    await Promise.all(Array.from({ length: 10 }, () => open(buyer)));
    for (let look = 0; look < 3; look += 1) await open(buyer);
    expect(await listViews(buyer)).toHaveLength(1);
  });

  it('is not recorded for an admin, and is kept after the link is renewed', async () => {
    const buyer = await buyerWithOrder();
    const lead = await leadFor(buyer);
    await open(buyer, cloud.admin);
    expect((await detailsOf(lead)).opened_at).toBeNull();
    await open(buyer);
    const { opened_at } = await detailsOf(lead);
    await cloud.admin.ok('regenerateToken', { params: { buyerId: buyer.buyer_id } });
    expect((await detailsOf(lead)).opened_at).toBe(opened_at);
    expect(opened_at).not.toBeNull();
  });

  const stuck = () => new Promise<never>(() => {});
  const broken = () => Promise.reject(new Error('The table does not answer'));
  it.each<[string, Partial<Table>, number]>([
    ['cannot be read', { query: broken }, 1],
    ['cannot be written', { put: broken }, 1],
    ['never ends', { put: stuck }, 0],
  ])('that %s neither fails nor holds up the page', async (_, faults, warnings) => {
    const buyer = await buyerWithOrder();
    await leadFor(buyer);
    const warned: string[] = [];
    const table = changedTable(cloud.table, faults);
    const { view } = await viewLeads(
      {
        table,
        runtime: {
          ...cloud.runtime,
          log: { ...cloud.runtime.log, warn: (message) => warned.push(message) },
        },
      },
      buyer.token,
      aVisitor(),
    );
    expect(view?.leads).toHaveLength(1);
    expect(warned).toHaveLength(warnings);
    expect(await listViews(buyer)).toEqual([]);
  });
});

describe('replacement of a claimed lead', () => {
  const claimApproved = async (buyer: Buyer, lead_id: string) => {
    const { claim } = await cloud.visitor.ok('fileClaim', {
      query: { token: buyer.token },
      body: {
        lead_id,
        order_id: buyer.orderId,
        buyer_id: buyer.buyer_id,
        claim_reason: 'falsche_nummer',
      },
    });
    await cloud.admin.ok('approveClaim', { params: { claimId: claim.claim_id }, body: {} });
    return claim.claim_id;
  };

  it('links lead and replacement in the order of the claims', async () => {
    const buyer = await buyerWithOrder(2);
    const [first, second] = [await leadFor(buyer), await leadFor(buyer)];
    expect(await detailsOf(first)).toMatchObject({ replacement: null, replaces: null });
    const claim = await claimApproved(buyer, second);
    await claimApproved(buyer, first);
    const owed = (await detailsOf(second)).replacement!;
    expect(owed).toMatchObject({ order_id: buyer.orderId, delivered_at: null, lead: null });

    const replacing = await leadFor(buyer);
    const { replacement } = await detailsOf(second);
    const its = await detailsOf(replacing);
    expect(replacement).toEqual({
      owed_since: owed.owed_since,
      order_id: buyer.orderId,
      delivered_at: its.delivery_timestamp,
      lead: { lead_id: replacing, display_id: `${buyer.orderId}-3` },
    });
    expect(its).toMatchObject({
      lead_type: 'reimbursement',
      replaces: { lead_id: second, display_id: `${buyer.orderId}-2`, claim_id: claim },
    });
    expect((await detailsOf(first)).replacement).toMatchObject({ delivered_at: null, lead: null });

    await cloud.admin.ok('deleteLead', { params: { leadId: replacing } });
    expect((await detailsOf(second)).replacement).toMatchObject({ delivered_at: null, lead: null });
    expect((await detailsOf(replacing)).replaces).toBeNull();
  });

  it('is credited to the balance without an order, and absent for a postpay buyer', async () => {
    const buyer = await buyerWithOrder(1);
    const lead = await leadFor(buyer);
    await cloud.admin.ok('deleteOrder', { params: { buyerId: buyer.buyer_id, orderId: buyer.orderId } });
    await claimApproved(buyer, lead);
    expect((await detailsOf(lead)).replacement).toMatchObject({ order_id: null, lead: null });

    const later = await buyerWithOrder(1);
    await cloud.admin.ok('updateBuyer', {
      params: { buyerId: later.buyer_id },
      body: { buyer_type: 'postpay' },
    });
    const next = await cloud.admin.ok('deleteOrder', {
      params: { buyerId: later.buyer_id, orderId: later.orderId },
    });
    expect(next.message).not.toBe('');
    const { order } = await cloud.admin.ok('createOrder', {
      body: { buyer_id: later.buyer_id, lead_limit: 1 },
    });
    const postpay = { ...later, orderId: order.order_id, token: tokenOf(order.excel_link) };
    const itsLead = await leadFor(postpay);
    await claimApproved(postpay, itsLead);
    expect(await detailsOf(itsLead)).toMatchObject({ claim_status: 'approved', replacement: null });
  });
});
