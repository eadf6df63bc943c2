import { beforeEach, describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

const cloud = cloudOfFile();
const KEY = (name: string) => name.padEnd(30, '0');

it.beforeAll(async () => {
  for (const [name, leads, claims] of [
    ['leads', true, false],
    ['claims', false, true],
    ['both', true, true],
    ['none', false, false],
  ] as const)
    await cloud.admin.ok('createPushoverCredential', {
      body: {
        user_key: KEY(`user${name}`),
        app_key: KEY(`app${name}`),
        notify_lead_assignment: leads,
        notify_lead_claims: claims,
      },
    });
  const email_template_id = await addTemplate(cloud);
  for (const [buyer_id, send_email] of [
    ['acme', true],
    ['quiet', false],
  ] as const)
    await openOrder(cloud.admin, { buyer_id, probability: 0, send_email, email_template_id }, 100);
});
beforeEach(async () => {
  await cloud.settled();
  cloud.partners.clear();
  cloud.inbox.clear();
  cloud.partners.modes.pushover = 'ok';
});

const newLead = (buyer_id?: string) =>
  cloud.admin.ok('createLead', { body: aLeadRequest(buyer_id === undefined ? {} : { buyer_id }) });
const pushes = () =>
  cloud.partners.calls.map(({ fields }) => fields as { user: string; title: string; message: string });
const receivers = () =>
  pushes()
    .map(({ user }) => user.replace(/^user|0+$/g, ''))
    .sort();
const letters = (buyerId = 'acme') =>
  cloud.inbox.mails.filter(({ to }) => to[0] === `${buyerId}@buyers.example`);
const claimOf = async (buyerId: string) => {
  const next = async () => {
    const { lead_id: leadId } = await newLead(buyerId);
    return (await cloud.admin.ok('getLead', { params: { leadId } })).lead;
  };
  let lead = await next();
  // After an approved claim the next lead is the replacement, which cannot be claimed.
  if (lead.lead_type === 'reimbursement') lead = await next();
  await cloud.settled();
  cloud.partners.clear();
  cloud.inbox.clear();
  const { claim } = await cloud.admin.ok('fileClaim', {
    body: {
      lead_id: lead.lead_id,
      order_id: lead.order_id ?? 0,
      buyer_id: buyerId,
      claim_reason: 'falsche_nummer',
    },
  });
  await cloud.settled();
  return { claim, lead };
};

describe('push notifications of leads and claims', () => {
  it('announce an assigned lead to subscribers with the default text', async () => {
    const { display_id } = await newLead('acme');
    await cloud.settled();
    expect(receivers()).toEqual(['both', 'leads']);
    expect(pushes()[0]?.title).toBe(`Lead ${display_id} assigned`);
    expect(pushes()[0]?.message).toMatch(/^Lead assigned\nSource: .*\nBuyer: acme\n/);
    expect(pushes()[0]?.message).not.toMatch(/Herr|Frau|@/);
  });

  it('announce a pending lead with its reason', async () => {
    await newLead();
    await cloud.settled();
    expect(receivers()).toEqual(['both', 'leads']);
    expect(pushes()[0]).toMatchObject({
      title: 'Lead ineligible: No active buyer has an order and a probability above 0%',
    });
    expect(pushes()[0]?.message).toMatch(/^Lead ineligible\n/);
  });

  it('use the saved text', async () => {
    await cloud.admin.ok('savePushoverTemplate', {
      body: { template: '$$status$$|$$src$$|$$buyer_id$$|$$date$$|$$anlagebetrag$$' },
    });
    await cloud.admin.ok('createLead', {
      body: aLeadRequest({ src: '$$email$$', anlagebetrag: 25_000, buyer_id: 'acme' }),
    });
    await cloud.settled();
    expect(pushes()[0]?.message).toMatch(
      /^assigned\|\$\$email\$\$\|acme\|\d\d\.\d\d\.\d{4}, \d\d:\d\d\|25\.000$/,
    );
  });

  it('announce a claim to subscribers', async () => {
    const { claim } = await claimOf('acme');
    expect(receivers()).toEqual(['both', 'claims']);
    expect(pushes()[0]?.title).toContain(`New claim #${claim.claim_id} for lead `);
    expect(pushes()[0]?.message).toMatch(/^Falsche Telefonnummer/);
  });
});

describe('the decision on a claim', () => {
  it('is sent once to the buyer in German, with the server of its template', async () => {
    const { claim, lead } = await claimOf('acme');
    await cloud.admin.ok('approveClaim', {
      params: { claimId: claim.claim_id },
      body: { admin_notes: 'Alles klar' },
    });
    await cloud.settled();
    expect(letters()).toHaveLength(1);
    const [letter] = letters();
    expect(letter).toMatchObject({
      from: 'sender@leads.example',
      subject: `Reklamation #${claim.claim_id} genehmigt`,
    });
    expect(letter?.text).toContain(`zum Lead ${lead.display_id} wurde genehmigt.`);
    expect(letter?.text).toContain('Reklamationsgrund: Falsche Telefonnummer');
    expect(letter?.text).toContain('Anmerkung: Alles klar');
    expect(letter?.text).toContain('Sie erhalten dafür einen Ersatzlead.');
    expect(letter?.text).toContain(lead.excel_link ?? 'no link');
  });

  it('promises no replacement when the claim is rejected', async () => {
    const { claim } = await claimOf('acme');
    await cloud.admin.ok('rejectClaim', { params: { claimId: claim.claim_id }, body: {} });
    await cloud.settled();
    expect(letters()[0]?.subject).toBe(`Reklamation #${claim.claim_id} abgelehnt`);
    expect(letters()[0]?.text).not.toMatch(/Ersatzlead|Anmerkung/);
  });

  it('is made once by the reconciliation after its deadline, and sent', async () => {
    const { email_template_id } = (await cloud.admin.ok('getBuyer', { params: { buyerId: 'acme' } })).buyer;
    await openOrder(cloud.admin, {
      buyer_id: 'patient',
      probability: 0,
      send_email: true,
      email_template_id,
      decision_days: 1,
      default_decision: 'reject',
    });
    const { claim } = await claimOf('patient');
    expect(claim).toMatchObject({ claim_status: 'pending', default_decision: 'reject' });
    // Skips every weekend and holiday.
    await Promise.all([cloud.advance(8 * 24 * 60 * MINUTE_MS), cloud.reconcile()]);
    await cloud.admin.logIn();
    await cloud.reconcile();
    await cloud.settled();
    expect(letters('patient')).toHaveLength(1);
    expect(letters('patient')[0]?.subject).toBe(`Reklamation #${claim.claim_id} abgelehnt`);
    expect(letters('patient')[0]?.text).toContain('Anmerkung: Automatisch abgelehnt. Bis zum ');
    const { entries } = await cloud.admin.ok('listAudit', {
      query: { entity: 'claim', entity_id: String(claim.claim_id) },
    });
    expect(entries.map(({ who, action }) => [who, action])).toEqual([
      ['system', 'rejected'],
      ['admin', 'filed'],
    ]);
  });
});
