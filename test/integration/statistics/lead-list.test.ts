/** The list of all leads agrees with the dashboard and the statistics, before and after its rows are packed. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

it.beforeAll(async ({ cloud }) => {
  const { admin, visitor } = cloud;
  const { token, orderId } = await openOrder(admin, { buyer_id: 'alpha', probability: 60 }, 4);
  await openOrder(admin, { buyer_id: 'beta', probability: 40, buyer_type: 'postpay' }, 3);
  for (let at = 0; at < 9; at += 1)
    await admin.ok('createLead', { body: aLeadRequest({ anlagebetrag: 10_000 * (at + 1) }) });
  const { ineligible_leads } = await admin.ok('listPendingLeads', { query: {} });
  await admin.ok('discardPendingLead', { params: { leadId: ineligible_leads[0]!.lead_id } });
  const { leads } = await visitor.ok('viewLeads', { params: { token } });
  const { claim } = await visitor.ok('fileClaim', {
    query: { token },
    body: { lead_id: leads.original[0]!.lead_id, order_id: orderId, buyer_id: 'alpha', claim_reason: 'fake' },
  });
  await visitor.ok('fileClaim', {
    query: { token },
    body: { lead_id: leads.original[1]!.lead_id, order_id: orderId, buyer_id: 'alpha', claim_reason: 'fake' },
  });
  await admin.ok('rejectClaim', { params: { claimId: claim.claim_id }, body: {} });
  await cloud.settled();
});

const total = async ({ admin }: TestCloud, query: object) =>
  (await admin.ok('listLeads', { query: { ...query, count: 'yes' } })).total;

describe('the list of all leads', () => {
  it('has the numbers of the dashboard and the statistics', async ({ cloud }) => {
    const stats = await cloud.admin.ok('getDashboardStats');
    expect(await total(cloud, { status: 'pending' })).toBe(stats.ineligible_leads_count);
    expect(await total(cloud, { claim: 'pending' })).toBe(stats.pending_reclamations_count);
    expect(await total(cloud, { status: 'discarded' })).toBe(1);
    expect(await total(cloud, {})).toBe(9);
    const { buyer_stats, totals } = await cloud.admin.ok('getBuyerStats', { query: {} });
    expect(buyer_stats).toHaveLength(2);
    for (const { buyer_id, ...figures } of buyer_stats) {
      const assigned = { by: 'assigned', buyer_id };
      expect(await total(cloud, assigned)).toBe(figures.total_leads_received);
      expect(await total(cloud, { ...assigned, lead_type: 'original' })).toBe(
        figures.original_leads_received,
      );
      const claimed = { by: 'claimed', buyer_id };
      expect(await total(cloud, claimed)).toBe(figures.total_claims);
      expect(await total(cloud, { ...claimed, claim: 'rejected' })).toBe(figures.rejected_claims);
      expect(await total(cloud, { by: 'refused', buyer_id })).toBe(figures.refused);
    }
    expect(await total(cloud, { by: 'assigned', from: totals.from, to: totals.to })).toBe(
      totals.leads_received,
    );
  });

  it('shows each lead as its page does, and all fields for a file', async ({ cloud }) => {
    const { admin } = cloud;
    const { leads } = await admin.ok('listLeads', { query: { sort: 'amount', limit: 4 } });
    expect(leads.map(({ anlagebetrag }) => anlagebetrag)).toEqual([90_000, 80_000, 70_000, 60_000]);
    const { leads: few } = await admin.ok('listLeads', {
      query: { amount_from: '20.000', amount_to: 30_000, direction: 'asc', delivery: 'delivered' },
    });
    expect(few).toHaveLength(2);
    for (const row of [...leads, ...few]) {
      const { lead } = await admin.ok('getLead', { params: { leadId: row.lead_id } });
      expect(row).toMatchObject({
        display_id: lead.display_id,
        received_at: lead.created_at,
        status: lead.status,
        reason: lead.reason,
        buyer_id: lead.buyer_id,
        order_id: lead.order_id,
        lead_type: lead.lead_type,
        claim_status: lead.claim_status,
        vorname: lead.vorname,
        nachname: lead.nachname,
        laufzeit: lead.laufzeit,
        source: null,
        consent: false,
      });
    }
    const file = await admin.ok('exportLeadRows', { query: { sort: 'amount' } });
    expect(file.leads).toHaveLength(9);
    expect(file.leads[0]).toMatchObject(leads[0]!);
    expect(file.leads.at(-1)!.telefon).not.toBe('');
    const { entries } = await admin.ok('listAudit', {
      query: { kind: 'accesses', entity: 'lead', entity_id: 'list' },
    });
    expect(entries.map(({ action }) => action)).toEqual(['exported']);
  });

  it('refuses unknown buyers, reversed days and cursors of another order', async ({ cloud }) => {
    const { admin } = cloud;
    const refused = (query: object, error: object) =>
      expect(admin.ok('listLeads', { query })).rejects.toMatchObject(error);
    await refused({ buyer_id: 'nobody' }, { status: 404, code: 'buyer_not_found' });
    await refused(
      { from: '2026-05-02', to: '2026-05-01' },
      {
        status: 400,
        code: 'days_reversed',
      },
    );
    await refused({ from: '2026-02-30' }, { status: 400, code: 'no_such_day' });
    const { next_cursor } = await admin.ok('listLeads', { query: { sort: 'amount', limit: 1 } });
    await refused(
      { cursor: next_cursor, sort: 'time' },
      {
        status: 400,
        code: 'invalid_cursor',
      },
    );
    await refused({ cursor: 'x' }, { status: 400, code: 'invalid_cursor' });
  });
});
