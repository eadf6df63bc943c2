/** What would have changed if a buyer had not received the leads of a source. */
import { expect } from 'vitest';
import { aPostedLead } from '#test/factories/sources';
import { openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

it('the simulation excludes a source, and estimates claims and revenue by the other leads', async ({
  cloud,
}) => {
  const { admin, visitor } = cloud;
  const { buyer_id, token, orderId } = await openOrder(admin, { probability: 60, price_per_lead: '40,50' });
  const ids: string[] = [];
  const post = async (src: string, leads: number) => {
    const { source } = await admin.ok('createSource', { body: { name: src, src, consent: 'ignore' } });
    const params = { sourceId: source.source_id };
    const { key } = await admin.ok('createSourceKey', { params });
    await admin.ok('updateSource', { params, body: { state: 'live' } });
    for (let at = 0; at < leads; at += 1) {
      const headers = { authorization: `Bearer ${key}` };
      const { results } = await visitor.ok('postIntake', { body: aPostedLead() }, headers);
      ids.push(results[0]?.lead_id ?? '');
    }
    await cloud.settled();
    return source.source_id;
  };
  const kept = await post('kept', 2);
  const ads = await post('ads', 3);
  for (const lead_id of ids.slice(1))
    await visitor.ok('fileClaim', {
      query: { token },
      body: { lead_id, order_id: orderId, buyer_id, claim_reason: 'fake' },
    });
  await cloud.settled();
  const simulated = async (lists: { sources_allowed?: number[]; sources_excluded?: number[] }) => {
    const found = await admin.ok('simulate', { body: { days: 7, buyers: [{ buyer_id, ...lists }] } });
    return { ...found.buyers[0], unassigned: found.unassigned_after - found.unassigned_before };
  };
  const actual = { buyer_id, got: 5, claims: 4, revenue: 202.5 };
  expect(await simulated({})).toEqual({
    ...actual,
    would_have_received: 5,
    simulated_claims: 4,
    simulated_revenue: 202.5,
    unassigned: 0,
  });
  const without = {
    ...actual,
    would_have_received: 2,
    simulated_claims: 1,
    simulated_revenue: 81,
    unassigned: 3,
  };
  expect(await simulated({ sources_excluded: [ads] })).toEqual(without);
  expect(await simulated({ sources_allowed: [kept] })).toEqual(without);
});
