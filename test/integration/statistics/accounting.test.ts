/** The accounting export agrees with the dashboard and the lists. */
import { describe, expect } from 'vitest';
import * as XLSX from 'xlsx';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

type Line = Record<string, string | number>;

it.beforeAll(async ({ cloud }) => {
  const { admin, visitor } = cloud;
  const give = async (buyer_id: string, leads: number) => {
    for (let at = 0; at < leads; at += 1) await admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  };
  // Two orders at two prices. One lead of the first order is deleted, and three claims are decided each way.
  const first = await openOrder(admin, { buyer_id: 'alpha', probability: 50, price_per_lead: '40,50' }, 4);
  await give('alpha', 4);
  await admin.ok('updateBuyer', { params: { buyerId: 'alpha' }, body: { price_per_lead: '19,99' } });
  await admin.ok('createOrder', { body: { buyer_id: 'alpha', lead_limit: 10 } });
  await give('alpha', 3);
  const { leads } = await visitor.ok('viewLeads', { params: { token: first.token } });
  const [deleted, ...claimed] = leads.original;
  await admin.ok('deleteLead', { params: { leadId: deleted!.lead_id } });
  const claims: number[] = [];
  for (const { lead_id } of claimed)
    claims.push(
      (
        await visitor.ok('fileClaim', {
          query: { token: first.token },
          body: { lead_id, order_id: first.orderId, buyer_id: 'alpha', claim_reason: 'fake' },
        })
      ).claim.claim_id,
    );
  await admin.ok('approveClaim', { params: { claimId: claims[0]! }, body: {} });
  await admin.ok('rejectClaim', { params: { claimId: claims[1]! }, body: {} });
  // The approved claim is compensated by the buyer's next lead from the share rule.
  await openOrder(admin, { buyer_id: 'beta', buyer_type: 'postpay', probability: 50 }, 5);
  for (let at = 0; at < 4; at += 1) await admin.ok('createLead', { body: aLeadRequest() });
  await openOrder(admin, { buyer_id: 'gone', probability: 0, price_per_lead: 5 }, 5);
  await give('gone', 2);
  await admin.ok('deleteBuyer', { params: { buyerId: 'gone' } });
  await cloud.settled();
});

async function lines(
  cloud: TestCloud,
  query: { from?: string; to?: string } = {},
  sheet = 0,
): Promise<Line[]> {
  const { status, body } = await cloud.admin.call('exportAccounting', { params: { format: 'xlsx' }, query });
  expect(status).toBe(200);
  const book = XLSX.read(body);
  return XLSX.utils.sheet_to_json<Line>(book.Sheets[book.SheetNames[sheet]!]!);
}

const sumOf = (all: readonly Line[], column: string) =>
  all.reduce((sum, line) => sum + Math.round(Number(line[column]) * 100), 0) / 100;

describe('the accounting export', () => {
  it('has a line for each buyer and month, with the billed amounts', async ({ cloud }) => {
    const all = await lines(cloud);
    expect(all.map((line) => line['Buyer ID'])).toEqual(['alpha', 'beta', 'gone']);
    expect(all[0]).toMatchObject({
      Month: new Date().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' }).slice(0, 7),
      Type: 'prepay',
      Orders: 2,
      'Leads ordered': 14,
      Replacements: 1,
      'Price/Lead (€)': 19.99,
      'Highest Price/Lead (€)': 40.5,
      Claims: 3,
      'Claims approved': 1,
      'Claims rejected': 1,
      'Claims pending': 1,
    });
    expect(all[1]).toMatchObject({ Type: 'postpay', Replacements: 0, 'Revenue (€)': 0, Claims: 0 });
    expect(all[1]).not.toHaveProperty('Price/Lead (€)');
    expect(all[2]).toMatchObject({ 'Original leads': 2, 'Revenue (€)': 10 });
  });

  it('sums up to the dashboard, the statistics and the orders', async ({ cloud }) => {
    const all = await lines(cloud);
    const stats = await cloud.admin.ok('getDashboardStats');
    const { buyer_stats } = await cloud.admin.ok('getBuyerStats');
    const { orders } = await cloud.admin.ok('listOrders');
    const total = (
      field: 'total_leads_received' | 'reimbursement_leads_received' | 'total_claims' | 'approved_claims',
    ) => buyer_stats.reduce((sum, row) => sum + row[field], 0);
    expect(stats.total_revenue).toBeGreaterThan(100);
    expect(orders.map((order) => order.actual_cost)).toEqual([10, null, 79.96, 121.5]);
    expect(sumOf(all, 'Revenue (€)')).toBe(stats.total_revenue);
    expect(sumOf(all, 'Revenue (€)')).toBe(
      buyer_stats.reduce((cents, row) => cents + Math.round((row.total_revenue ?? 0) * 100), 0) / 100,
    );
    expect(sumOf(all, 'Claims pending')).toBe(stats.pending_reclamations_count);
    expect(sumOf(all, 'Leads delivered')).toBe(total('total_leads_received'));
    expect(sumOf(all, 'Replacements')).toBe(total('reimbursement_leads_received'));
    expect(sumOf(all, 'Original leads') + sumOf(all, 'Replacements')).toBe(sumOf(all, 'Leads delivered'));
    expect(sumOf(all, 'Claims')).toBe(total('total_claims'));
    expect(sumOf(all, 'Claims approved')).toBe(total('approved_claims'));
    expect(sumOf(all, 'Orders')).toBe(orders.length);
    expect(sumOf(all, 'Leads ordered')).toBe(orders.reduce((sum, order) => sum + order.lead_limit, 0));
  });

  it('can be limited to a valid range of months', async ({ cloud }) => {
    expect(await lines(cloud, { to: '2020-12' })).toEqual([]);
    expect(await lines(cloud, { from: '2020-01', to: '2099-12' })).toHaveLength(3);
    for (const query of [{ from: '2026-13' }, { from: 'x' }, { from: '2026-02', to: '2026-01' }])
      expect(await cloud.admin.call('exportAccounting', { params: { format: 'csv' }, query })).toMatchObject({
        status: 400,
      });
  });

  it('has a sheet with the cost and margin of each source and month', async ({ cloud }) => {
    const { admin } = cloud;
    const revenue = async () => (await admin.ok('getDashboardStats')).total_revenue ?? 0;
    const before = await revenue();
    const settings = { src: 'page', consent: 'ignore' } as const;
    const { source } = await admin.ok('createSource', {
      body: { ...settings, name: 'Dear', cost_per_lead: '99,90' },
    });
    const { source: unknown } = await admin.ok('createSource', { body: { ...settings, name: 'Unknown' } });
    const params = { sourceId: source.source_id };
    expect(source.cost_per_lead).toBe(99.9);
    const negative = { params, body: { cost_per_lead: -1 } };
    expect(await admin.call('updateSource', negative)).toMatchObject({ status: 400 });
    const { source: changed } = await admin.ok('updateSource', {
      params,
      body: { cost_per_lead: 25.5, state: 'live', expected: { cost_per_lead: 99.9 } },
    });
    expect(changed.cost_per_lead).toBe(25.5);
    const leads = Array.from({ length: 4 }, () => aPostedLead());
    // The same person again costs nothing.
    leads.push({ ...leads[0]!, external_id: 'again' });
    await admin.ok('importLeads', { params, body: { leads } });
    const other = { sourceId: unknown.source_id };
    await admin.ok('updateSource', { params: other, body: { state: 'live' } });
    await admin.ok('importLeads', { params: other, body: { leads: [aPostedLead()] } });
    await cloud.settled();

    const all = await lines(cloud, {}, 1);
    expect(all.map((line) => line.Source)).toEqual(['Dear', 'Unknown']);
    const [dear] = all;
    expect(dear).toMatchObject({
      src: 'page',
      Leads: 4,
      Refused: 1,
      'Leads without cost': 0,
      'Cost (€)': 102,
    });
    expect(dear?.['Margin (€)']).toBeCloseTo(Number(dear?.['Revenue (€)']) - 102, 5);
    expect(all[1]).toMatchObject({ Leads: 1, 'Leads without cost': 1 });
    for (const column of ['Cost (€)', 'Margin (€)', 'Margin %']) expect(all[1]).not.toHaveProperty(column);
    expect(sumOf(all, 'Revenue (€)')).toBeCloseTo((await revenue()) - before, 5);

    const { sources } = await admin.ok('getSourceStats', { query: { time_range: 7 } });
    expect(sources[0]).toMatchObject({ cost: 102, uncosted: 0, margin: dear?.['Margin (€)'] });
    expect(sources[0]?.months).toMatchObject([{ month: dear?.Month, accepted: 4, cost: 102 }]);
    expect(sources[1]).toMatchObject({ cost: null, margin: null, margin_percent: null, uncosted: 1 });
    const csv = await admin.call('exportAccounting', {
      params: { format: 'csv' },
      query: { of: 'sources' },
    });
    expect(csv.headers.get('content-disposition')).toContain('Accounting by source.csv');
    expect(new TextDecoder().decode(csv.body as Uint8Array)).toContain(';102,00;');
  });
});
