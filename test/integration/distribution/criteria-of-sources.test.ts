/** Buyers that take the leads of some sources only. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

async function aSource({ admin, visitor }: TestCloud, name: string) {
  const { source } = await admin.ok('createSource', {
    body: { name, src: 'page', consent: 'ignore', sees_buyers: true },
  });
  const params = { sourceId: source.source_id };
  const { key } = await admin.ok('createSourceKey', { params });
  const live = () => admin.ok('updateSource', { params, body: { state: 'live' } });
  const post = async (...leads: object[]) => {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await visitor.raw('POST', '/api/intake', { leads }, headers);
    return (body as { results: { lead_id?: string; predicted_outcome?: object }[] }).results;
  };
  return { number: source.source_id, live, post };
}

const some = (count: number) => Array.from({ length: count }, () => aPostedLead());

describe('a buyer that excludes a source, next to one that allows only this source', () => {
  it('gets none of its leads, single, in a batch and in a test', async ({ cloud }) => {
    const { admin } = cloud;
    const { buyers } = await admin.ok('listBuyers', {});
    for (const { buyer_id } of buyers) await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
    const [cheap, good] = [await aSource(cloud, 'Cheap'), await aSource(cloud, 'Good')];
    const wary = await openOrder(admin, { probability: 50, sources_excluded: [cheap.number] }, 99);
    const loyal = await openOrder(admin, { probability: 30, sources_allowed: [cheap.number] }, 99);
    const tested = await cheap.post(...some(3));
    for (const { predicted_outcome } of tested)
      expect(predicted_outcome).toMatchObject({ status: 'assigned', buyer: loyal.buyer_id });
    await cheap.live();
    await good.live();
    const posted = [
      ...(await cheap.post(...some(2))),
      ...(await cheap.post(...some(12))),
      ...(await good.post(...some(2))),
      ...(await good.post(...some(12))),
    ];
    const { lead_id: typed } = await admin.ok('createLead', { body: aLeadRequest() });
    await cloud.settled();
    const buyerOf = async (leadId = '') => (await admin.ok('getLead', { params: { leadId } })).lead.buyer_id;
    const got = await Promise.all(posted.map(({ lead_id }) => buyerOf(lead_id)));
    expect(got.slice(0, 14)).toEqual(Array.from({ length: 14 }, () => loyal.buyer_id));
    expect(got.slice(14)).toEqual(Array.from({ length: 14 }, () => wary.buyer_id));
    expect(await buyerOf(typed)).toBe(wary.buyer_id);

    const params = { buyerId: loyal.buyer_id };
    await admin.ok('updateBuyer', { params, body: { active: false } });
    const late = [...(await cheap.post(...some(1))), ...(await cheap.post(...some(12)))];
    await cloud.settled();
    for (const { lead_id = '' } of late) {
      const { lead } = await admin.ok('getLead', { params: { leadId: lead_id } });
      expect([lead.status, lead.reason]).toEqual(['pending', 'source_excluded']);
      expect(JSON.stringify(lead.decision)).toContain('source_excluded');
    }
    await admin.ok('updateBuyer', { params: { buyerId: wary.buyer_id }, body: { sources_excluded: [] } });
    await cloud.settled();
    for (const { lead_id } of late) expect(await buyerOf(lead_id)).toBe(wary.buyer_id);
  });
});
