/** What the history of a lead tells of its buyer: when the list was opened, and how a claim was compensated. */

import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
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
  });
});
