/** What the history of a lead tells of its buyer: when the list was opened, and how a claim was made good. */

import { describe, expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { type Table } from '#functions/data/table/table';
import { viewLeads } from '#functions/domain/leads/leads-view';
import { aVisitor } from '#test/factories/links';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
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
