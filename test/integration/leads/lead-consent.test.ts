/** What a buyer sees of a lead's consent by its link, and who sees it. */
import { describe, expect } from 'vitest';
import * as XLSX from 'xlsx';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { Client, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { isSigned } from '#test/harness/proofs';

const cloud = cloudOfFile();
it.beforeEach(() => cloud.admin.logIn());

const TEXT = 'Ich bin einverstanden, dass mich Muster GmbH zu Geldanlagen anruft.';
const visitor = () => new Client(cloud.url);

/** @param wording null for a lead without consent */
async function delivered(wording: string | null = TEXT) {
  const order = await openOrder(cloud.admin, { probability: 0 });
  const consent = aSentConsent({
    text: wording ?? '',
    page_url: 'https://example.org/anfrage',
    ip: '203.0.113.7',
    user_agent: 'Firefox',
  });
  const { lead_id } = await cloud.admin.ok('createLead', {
    body: aLeadRequest({ buyer_id: order.buyer_id, ...(wording !== null && { consent }) }),
  });
  await cloud.settled();
  /** Download of the link. */
  const file = async (path: string, token = order.token) => {
    const answer = await fetch(`${cloud.url}/api/leads-view/${token}/${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const [type, policy] = ['content-type', 'content-security-policy'].map((name) =>
      answer.headers.get(name),
    );
    return { status: answer.status, type, policy, bytes };
  };
  const proof = (format: 'json' | 'html', token = order.token) =>
    file(`leads/${lead_id}/consent/${format}`, token);
  const view = (token = order.token, client = visitor()) =>
    client.call('viewLeadConsent', { params: { token, leadId: lead_id } });
  const listed = async () => {
    const { leads } = await visitor().ok('viewLeads', { params: { token: order.token }, query: {} });
    return leads.original.find((lead) => lead.lead_id === lead_id);
  };
  return { ...order, lead_id, view, listed, file, proof };
}

describe('the consent of a lead', () => {
  it('is marked in the list, and read on demand without network address and browser', async () => {
    const { view, listed } = await delivered();
    expect(await listed()).toMatchObject({ consent: true });
    expect(await view()).toMatchObject({
      status: 200,
      body: {
        given_at: '2026-01-01T10:00:00.000Z',
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
    const { view, listed } = await delivered(null);
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
    const { lead_id } = await delivered();
    const { lead } = await cloud.admin.ok('getLead', { params: { leadId: lead_id } });
    expect(lead.consent).toMatchObject({ text: TEXT });
  });

  it('is a column of the exports', async () => {
    const { token } = await delivered();
    const csv = await (await fetch(`${cloud.url}/api/leads-view/${token}/export/csv`)).text();
    const [heads, row] = csv.split('\r\n');
    expect(heads).toMatch(/;"Einwilligung"$/);
    expect(row).toMatch(/;"\d\d\.\d\d\.\d{4}, \d\d:\d\d Uhr, Formular"$/);
  });
});

describe('the proof of a consent', () => {
  it('is signed JSON with the person as given, wording and technical context', async () => {
    const { proof, orderId } = await delivered();
    const { status, bytes } = await proof('json');
    expect(status).toBe(200);
    const content = JSON.parse(bytes.toString());
    expect(content).toMatchObject({
      format: 'consent-proof/1',
      lead: { number: `${orderId}-1` },
      consent: { ip: '203.0.113.7', user_agent: 'Firefox', page_url: 'https://example.org/anfrage' },
      wording: TEXT,
      seal: null,
    });
    expect(content.person).toHaveProperty('nachname');
    expect(isSigned(content)).toBe(true);
  });

  it('is a page in German that cannot run code', async () => {
    const { proof } = await delivered(`${TEXT} <script>alert(1)</script>`);
    const { status, bytes, type, policy } = await proof('html');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policy).toContain("style-src 'unsafe-inline'");
    for (const part of [
      'Nachweis einer Einwilligung',
      TEXT,
      '203.0.113.7',
      '01.01.2026, 11:00 Uhr',
      'Noch nicht versiegelt',
      '/nachweis',
    ])
      expect(bytes.toString()).toContain(part);
    expect(bytes.toString()).not.toContain('<script>');
  });

  it.each(['json', 'html'] as const)(
    'is refused as %s by the link of another order, and without consent',
    async (format) => {
      const [own, other, without] = [await delivered(), await delivered(), await delivered(null)];
      expect((await own.proof(format, other.token)).status).toBe(403);
      expect((await own.proof(format, 'A'.repeat(43))).status).toBe(404);
      expect((await without.proof(format)).status).toBe(404);
      await cloud.admin.ok('deleteLead', { params: { leadId: own.lead_id } });
      expect((await own.proof(format)).status).toBe(409);
    },
  );

  it('is in the ZIP of the order, with a list, and no proof of other orders', async () => {
    const [own] = [await delivered(), await delivered()];
    await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: own.buyer_id }) });
    await cloud.settled();
    const { status, bytes } = await own.file('consent-proofs/1');
    expect(status).toBe(200);
    const zip: { FullPaths: string[]; FileIndex: { content?: Uint8Array }[] } = XLSX.CFB.read(bytes, {
      type: 'buffer',
    });
    const files = new Map(
      zip.FullPaths.map((path, at) => [path.replace(/^.*\//, ''), zip.FileIndex[at]?.content]),
    );
    const name = `Einwilligung ${own.orderId}-1.json`;
    expect([...files.keys()].filter((file) => file.includes('.'))).toEqual([name, 'Liste.csv']);
    const text = (file: string) => Buffer.from(files.get(file) ?? []).toString();
    expect(isSigned(JSON.parse(text(name)))).toBe(true);
    expect(text('Liste.csv').split('\r\n')[1]).toMatch(
      new RegExp(`^"${own.orderId}-1";".+ Uhr, Formular";"noch nicht";"${name}"$`),
    );
    // The second part begins after a thousand leads.
    const second = await own.file('consent-proofs/2');
    expect(XLSX.CFB.read(second.bytes, { type: 'buffer' }).FullPaths.join()).not.toContain('.json');
  });

  it('is downloaded by admins on the lead page, which the access log shows', async () => {
    const { lead_id } = await delivered();
    const answer = await cloud.admin.raw('GET', `/api/admin/leads/${lead_id}/consent-proof/json`);
    expect(answer.status).toBe(200);
    const { entries } = await cloud.admin.ok('listAudit', { query: { kind: 'accesses' } });
    expect(entries[0]).toMatchObject({ action: 'exported', entity_id: lead_id });
    expect((await fetch(`${cloud.url}/api/admin/leads/${lead_id}/consent-proof/json`)).status).toBe(401);
  });

  it('says when the person withdrew, as list and export do', async () => {
    const { lead_id, listed, proof, file } = await delivered();
    await cloud.admin.ok('withdrawConsent', { body: { lead_ids: [lead_id] } });
    await cloud.settled();
    const at = (await listed())?.withdrawn_at;
    expect(at).toBeDefined();
    expect(JSON.parse((await proof('json')).bytes.toString())).toMatchObject({ withdrawn_at: at });
    expect((await proof('html')).bytes.toString()).toMatch(/am \d\d\.\d\d\.\d{4}, \d\d:\d\d Uhr widerrufen/);
    expect((await file('export/csv')).bytes.toString()).toMatch(/Formular; widerrufen am \d\d\./);
  });
});
