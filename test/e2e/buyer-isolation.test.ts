import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ordered, type Shop, startShop } from '#test/e2e/buyer-setup';

/** With one link, nobody reaches the leads behind another. */
let shop: Shop;
let mine: Ordered;
let theirs: Ordered;
let myLead: string;
let theirLead: string;

beforeAll(async () => {
  shop = await startShop();
  await shop.at('2027-05-12T07:00:00Z');
  mine = await shop.order({ buyer_id: 'mine' });
  theirs = await shop.order({ buyer_id: 'theirs' });
  myLead = (await shop.lead('mine', { nachname: 'Meine' })).lead_id;
  theirLead = (await shop.lead('theirs', { nachname: 'Fremde', email: 'fremde@example.de' })).lead_id;
  await shop.cloud.admin.ok('fileClaim', {
    query: { token: theirs.token },
    body: {
      lead_id: theirLead,
      order_id: theirs.orderId,
      buyer_id: 'theirs',
      claim_reason: 'Ein fremdes Geheimnis',
    },
  });
});
afterAll(() => shop.stop());

const claim = (token: string, leadId: string, orderId: number, buyerId: string) =>
  shop.cloud.visitor.call('fileClaim', {
    query: { token },
    body: { lead_id: leadId, order_id: orderId, buyer_id: buyerId, claim_reason: 'fake' },
  });

describe('the link of an order', () => {
  it('shows its own leads only', async () => {
    const { status, body } = await shop.cloud.visitor.call('viewLeads', { params: { token: mine.token } });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('Meine');
    expect(JSON.stringify(body)).not.toMatch(/Fremde|fremde|theirs/);
    expect(body).toMatchObject({ admin: false });
  });

  it('has answers that are compressed and not cached', async () => {
    for (let i = 0; i < 6; i += 1) await shop.lead('mine', { nachname: 'Meine' });
    const answer = await fetch(`${shop.cloud.url}/api/leads-view/${mine.token}`);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ order: { leads_received: 7 } });
  });

  it('exports its own leads only', async () => {
    const answer = await fetch(`${shop.cloud.url}/api/leads-view/${mine.token}/export/csv`);
    const text = await answer.text();
    expect(text).toContain('Meine');
    expect(text).not.toMatch(/Fremde|fremde/);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it('does not open the claim of another link’s lead', async () => {
    const { status, body } = await shop.cloud.visitor.call('getLeadClaim', {
      params: { leadId: theirLead },
      query: { token: mine.token },
    });
    expect([403, 404]).toContain(status);
    expect(JSON.stringify(body)).not.toContain('Geheimnis');
  });

  it.each([
    ['another link’s lead', () => claim(mine.token, theirLead, theirs.orderId, 'theirs')],
    ['another link’s lead as its own', () => claim(mine.token, theirLead, mine.orderId, 'mine')],
    ['its lead under another order', () => claim(mine.token, myLead, theirs.orderId, 'mine')],
    ['its lead for another buyer', () => claim(mine.token, myLead, mine.orderId, 'theirs')],
    ['a lead with an unknown link', () => claim('A'.repeat(43), myLead, mine.orderId, 'mine')],
  ])('cannot claim %s', async (_, attempt) => {
    const { status } = await attempt();
    expect([403, 404]).toContain(status);
    const { claims } = await shop.cloud.admin.ok('listPendingClaims');
    expect(claims.map(({ lead_id: id }) => id)).toEqual([theirLead]);
  });

  it.each([
    [
      'updateLead',
      () => shop.cloud.visitor.call('updateLead', { params: { leadId: myLead }, body: { nachname: 'X' } }),
    ],
    ['deleteLead', () => shop.cloud.visitor.call('deleteLead', { params: { leadId: myLead } })],
    ['getLead', () => shop.cloud.visitor.call('getLead', { params: { leadId: myLead } })],
  ])('is no session: %s is refused', async (_, attempt) => {
    expect((await attempt()).status).toBe(401);
  });

  it('is needed for claims', async () => {
    const { status, body } = await shop.cloud.visitor.call('getLeadClaim', {
      params: { leadId: theirLead },
      query: {},
    });
    expect([401, 403]).toContain(status);
    expect(JSON.stringify(body)).not.toContain('Geheimnis');
  });

  it('makes the browser call for its own order only, and is sent to no other address', async () => {
    const { page, problems, close } = await shop.open('/leads/x');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname);
      expect(request.headers().referer ?? '').not.toContain('/leads/');
    });
    await page.goto(mine.path);
    await page.getByText('Frau Käthe Meine').first().waitFor();
    expect(new Set(asked)).toEqual(new Set([`/api/leads-view/${mine.token}`]));
    expect(problems).toEqual([]);
    const answer = await page.request.get(mine.path);
    expect(answer.headers()['content-security-policy']).toContain("script-src 'self'");
    expect(answer.headers()['x-robots-tag']).toContain('noindex');
    expect(answer.headers()['referrer-policy']).toBe('no-referrer');
    await close();
  });
});
