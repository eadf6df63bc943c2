import { beforeAll, describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const lead = aLeadRequest({
  vorname: 'Jürgen',
  nachname: 'Groß',
  telefon: '+49 170 1112233',
  anlagebetrag: 30_000,
});

/** One business day for all tests below. */
async function businessDay(): Promise<void> {
  const { admin } = cloud;
  await openOrder(admin, { buyer_id: 'alpha', probability: 75, price_per_lead: '40,50' }, 50);
  await openOrder(admin, { buyer_id: 'beta', buyer_email: 'b@beta.example', probability: 25 }, 10);
  for (let at = 0; at < 8; at += 1)
    await admin.ok('createLead', { body: { ...lead, email: `j${at}@example.org` } });
  const byHand = await admin.ok('createLead', {
    body: { ...lead, nachname: 'Handverlesen', buyer_id: 'beta' },
  });
  expect(byHand.status).toBe('assigned');
  const pending = await admin.ok('createLead', { body: { ...lead, nachname: 'Wartend', telefon: '123' } });
  expect(pending.status).toBe('ineligible');
  await cloud.settled();
}

describe('after a day with two buyers and nine leads', () => {
  beforeAll(businessDay);

  it('counts orders, pending leads and revenue on the dashboard', async () => {
    expect(await cloud.admin.ok('getDashboardStats')).toEqual({
      ineligible_leads_count: 1,
      active_orders_count: 2,
      active_orders_delivered: 9,
      active_orders_limit: 60,
      pending_reclamations_count: 0,
      total_pending_reimbursements: 0,
      orders_with_pending_reimbursements: 0,
      total_revenue: 6 * 40.5,
      failed_deliveries_count: 0,
      first_lead_delivered: false,
    });
  });

  it('returns all data of the first screen in one call', async () => {
    const data = await cloud.admin.ok('getDashboardInitialData');
    expect(data.buyers.map(({ buyer_id }) => buyer_id).sort()).toEqual(['alpha', 'beta']);
    expect(data.buyer_balances).toEqual({ alpha: 0, beta: 0 });
    expect(data.ineligible_leads.map(({ nachname }) => nachname)).toEqual(['Wartend']);
    expect(data.pushover_creds).toEqual([]);
    expect(data.stats.active_orders_count).toBe(2);
  });

  it('returns statistics with a row per buyer and a day for each of the last 7', async () => {
    const { buyer_stats, time_series } = await cloud.admin.ok('getBuyerStats', { query: { time_range: 7 } });
    expect(time_series.map((day) => day.leads_received)).toEqual([0, 0, 0, 0, 0, 0, 9]);
    expect(time_series.at(-1)).toMatchObject({ original_leads: 9, reimbursement_leads: 0 });
    expect(buyer_stats.find(({ buyer_id }) => buyer_id === 'alpha')).toMatchObject({
      total_leads_received: 6,
      active_orders: 1,
      completed_orders: 0,
      claim_approval_rate: null,
      price_per_lead: 40.5,
      total_revenue: 243,
      share_wanted: 6,
      share_got: 6,
      share_distance: 0,
      active: 1,
    });
    // The manually assigned lead is in addition to its share.
    expect(buyer_stats.find(({ buyer_id }) => buyer_id === 'beta')).toMatchObject({
      total_leads_received: 3,
      share_wanted: 2,
      share_got: 2,
      total_revenue: null,
    });
  });

  it('simulates equal weights, a minimum and limits', async () => {
    const would = async (
      buyers: { buyer_id: string; probability?: number; min_investment?: number; lead_limit?: number }[],
    ) => {
      const answer = await cloud.admin.ok('simulate', { body: { days: 7, buyers } });
      return [
        ...answer.buyers.map(({ would_have_received }) => would_have_received),
        answer.unassigned_after,
      ];
    };
    const equal = [
      { buyer_id: 'alpha', probability: 50 },
      { buyer_id: 'beta', probability: 50 },
    ];
    const limits = [
      { buyer_id: 'alpha', lead_limit: 1 },
      { buyer_id: 'beta', lead_limit: 2 },
    ];
    expect(await would(equal)).toEqual([4, 4, 0]);
    expect(await would([{ buyer_id: 'alpha', min_investment: 30_000.01 }])).toEqual([0, 8, 0]);
    expect(await would(limits)).toEqual([1, 2, 5]);
    const unknown = { days: 7, buyers: [{ buyer_id: 'nobody' }] };
    expect((await cloud.admin.call('simulate', { body: unknown })).status).toBe(404);
  });
});
