/** What a buyer sees of a lead's consent by its link, and who sees it. */
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { Client, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
it.beforeEach(() => cloud.admin.logIn());

const TEXT = 'Ich bin einverstanden, dass mich Muster GmbH zu Geldanlagen anruft.';
const visitor = () => new Client(cloud.url);

async function delivered(given = true) {
  const order = await openOrder(cloud.admin, { probability: 0 });
  const consent = {
    given_at: new Date(cloud.clock.now().getTime() - 3_600_000).toISOString(),
    method: 'form' as const,
    channels: ['phone' as const],
    text: TEXT,
    page_url: 'https://example.org/anfrage',
    ip: '203.0.113.7',
    user_agent: 'Firefox',
  };
  const { lead_id } = await cloud.admin.ok('createLead', {
    body: aLeadRequest({ buyer_id: order.buyer_id, ...(given && { consent }) }),
  });
  await cloud.settled();
  const view = (token = order.token, client = visitor()) =>
    client.call('viewLeadConsent', { params: { token, leadId: lead_id } });
  const listed = async () => {
    const { leads } = await visitor().ok('viewLeads', { params: { token: order.token }, query: {} });
    return leads.original.find((lead) => lead.lead_id === lead_id);
  };
  return { ...order, lead_id, consent, view, listed };
}

describe('the consent of a lead', () => {
  it('is marked in the list, and read on demand without network address and browser', async () => {
    const { view, listed, consent } = await delivered();
    expect(await listed()).toMatchObject({ consent: true });
    expect(await view()).toMatchObject({
      status: 200,
      body: {
        given_at: consent.given_at,
        method: 'form',
        channels: ['phone'],
        text: TEXT,
        page_url: 'https://example.org/anfrage',
        confirmed_at: null,
        proof_url: null,
      },
    });
    expect(JSON.stringify(await view())).not.toMatch(/203\.0\.113|Firefox/);
  });

  it('is absent for a lead without', async () => {
    const { view, listed } = await delivered(false);
    expect(await listed()).not.toHaveProperty('consent');
    expect(await view()).toMatchObject({ status: 404, body: { code: 'consent_not_found' } });
  });

  it('is refused by the link of another order or buyer, and by an unknown one', async () => {
    const [own, other] = [await delivered(), await delivered()];
    expect((await own.view(other.token)).status).toBe(403);
    expect((await own.view('A'.repeat(43))).status).toBe(404);
  });

  it('is no longer shown after the lead is deleted or the person erased', async () => {
    const [deleted, erased] = [await delivered(), await delivered()];
    await cloud.admin.ok('deleteLead', { params: { leadId: deleted.lead_id } });
    expect((await deleted.view()).status).toBe(409);
    await cloud.admin.ok('beginErasure', { body: { lead_ids: [erased.lead_id] } });
    await cloud.settled();
    expect(await erased.view()).toMatchObject({ status: 409, body: { code: 'person_erased' } });
    expect(await erased.listed()).not.toHaveProperty('consent');
  });

  it('is shown to admins on the lead page', async () => {
    const { lead_id, consent } = await delivered();
    const { lead } = await cloud.admin.ok('getLead', { params: { leadId: lead_id } });
    expect(lead.consent).toMatchObject({ given_at: consent.given_at, text: TEXT });
  });

  it('is a column of the exports', async () => {
    const { token } = await delivered();
    const csv = await (await fetch(`${cloud.url}/api/leads-view/${token}/export/csv`)).text();
    const [heads, row] = csv.split('\r\n');
    expect(heads).toMatch(/;"Einwilligung"$/);
    expect(row).toMatch(/;"\d\d\.\d\d\.\d{4}, \d\d:\d\d Uhr, Formular"$/);
  });
});
