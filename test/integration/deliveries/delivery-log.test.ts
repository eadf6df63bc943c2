/** The delivery log for admins, for all behaviours of partners and mail servers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PartnerMode } from '#local/partners';
import { CHANNELS, type Channel } from '#shared/channels/channels';
import type { Answer } from '#shared/contract/schemas';
import { settingsOf } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { NO_ENGINE_NAMED } from '#test/harness/memory-table';
import { MINUTE_MS } from '#test/harness/time';

let cloud: TestCloud;
let templateId: string;
let count = 0;
/** Timeouts are shortened to this fraction. */
let patience = 1;

const PARTNERS = ['trackbox', 'heroleads', 'sellanylead', 'http'] as const;

beforeAll(async () => {
  cloud = await startTestCloud(
    { runtime: { timeout: (milliseconds) => AbortSignal.timeout(milliseconds * patience) } },
    { inMemory: NO_ENGINE_NAMED },
  );
  templateId = await addTemplate(cloud);
});
afterAll(() => cloud.stop());
beforeEach(() => {
  cloud.inbox.mode = 'ok';
  cloud.inbox.clear();
  cloud.partners.clear();
  for (const partner of PARTNERS) cloud.partners.modes[partner] = 'ok';
});

/** A separate buyer with one lead, so that circuits of others do not matter. */
const leadOver = async (channel: Channel, template = templateId) => {
  count += 1;
  const { buyer_id } = await openOrder(cloud.admin, {
    buyer_id: `${channel}-${count}`,
    probability: 0,
    ...settingsOf(
      channel,
      { templateId: template, partners: cloud.partners.host },
      {
        heroleadsKey: 'planted-heroleads-key',
        trackboxPassword: 'planted-trackbox-password',
        trackboxKey: 'planted-trackbox-key',
        httpSecret: 'planted-http-secret',
      },
    ),
  });
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  await cloud.settled();
  return { buyer_id, lead_id };
};
const logOf = async (lead: { buyer_id: string }): Promise<Answer<'listDeliveries'>['deliveries'][0]> => {
  const { deliveries } = await cloud.admin.ok('listDeliveries', { query: { buyer_id: lead.buyer_id } });
  return deliveries[0]!;
};
/** E-mails to buyers, without those to the operator. */
const letters = () => cloud.inbox.mails.filter(({ to }) => to[0]?.endsWith('@buyers.example'));
const outcomes = (row: { attempts: readonly { outcome: string }[] }) =>
  row.attempts.map(({ outcome }) => outcome);
const retry = async () => {
  await cloud.advance(2 * MINUTE_MS);
  await cloud.settled();
};

describe.each(CHANNELS)('delivery over %s', (channel) => {
  it('is logged with the request, the answer and the duration', async () => {
    const lead = await leadOver(channel);
    const row = await logOf(lead);
    expect(row).toMatchObject({
      status: 'delivered',
      channel,
      buyer_id: lead.buyer_id,
      error: null,
      next_attempt_at: null,
    });
    expect(row.attempts).toHaveLength(1);
    expect(row.attempts[0]).toMatchObject({
      outcome: 'delivered',
      status_code: channel === 'email' ? 250 : expect.any(Number),
    });
    expect(row.attempts[0]?.request).not.toBeNull();
    if (channel !== 'email') expect(row.external_id).not.toBeNull();
    expect(JSON.stringify(row)).not.toContain('planted');
    const { lead: details } = await cloud.admin.ok('getLead', { params: { leadId: lead.lead_id } });
    expect(details.deliveries).toEqual([row]);
  });

  it('can be tested with an invented lead that is not counted', async () => {
    const lead = await leadOver(channel);
    const result = await cloud.admin.ok('sendTestLead', { params: { buyerId: lead.buyer_id, channel } });
    expect(result.outcome).toBe('delivered');
    const { deliveries } = await cloud.admin.ok('listDeliveries', { query: { buyer_id: lead.buyer_id } });
    expect(deliveries).toHaveLength(1);
    const { orders } = await cloud.admin.ok('listBuyerOrders', { params: { buyerId: lead.buyer_id } });
    expect(orders[0]?.leads_received).toBe(1);
  });
});

describe('the link to the list in an e-mail', () => {
  const linked = () => addTemplate(cloud, { smtp_body: 'Ihre Liste: $$leads_link$$' });
  const lastText = () => letters().at(-1)?.text.trim();

  it('is the valid one when the e-mail is sent, and is not logged', async () => {
    const lead = await leadOver('email', await linked());
    const linkOf = async () =>
      (await cloud.admin.ok('getBuyer', { params: { buyerId: lead.buyer_id } })).buyer.excel_link;
    const first = await linkOf();
    expect(lastText()).toBe(`Ihre Liste: ${first}`);

    await cloud.admin.ok('regenerateToken', { params: { buyerId: lead.buyer_id } });
    const renewed = await linkOf();
    expect(renewed).not.toBe(first);
    await cloud.admin.ok('resendDelivery', { params: { leadId: lead.lead_id, channel: 'email' } });
    await cloud.settled();
    expect(lastText()).toBe(`Ihre Liste: ${renewed}`);
    await cloud.visitor.ok('viewLeads', { params: { token: renewed?.split('/').at(-1) ?? '' } });

    const log = JSON.stringify(await logOf(lead));
    for (const link of [first, renewed]) expect(log).not.toContain(link?.split('/').at(-1));
    await cloud.admin.ok('sendTestLead', { params: { buyerId: lead.buyer_id, channel: 'email' } });
    expect(lastText()).toBe(`Ihre Liste: ${renewed}`);
  });
});

const STORIES: [PartnerMode, 'failed' | 'retrying', string][] = [
  ['reject', 'failed', 'permanent'],
  ['duplicate', 'failed', 'permanent'],
  ['wrong-credentials', 'failed', 'permanent'],
  ['429', 'retrying', 'transient'],
  ['500', 'retrying', 'unknown'],
  ['cut', 'retrying', 'unknown'],
  ['garbage', 'retrying', 'unknown'],
  ['html', 'retrying', 'unknown'],
];

describe.each(PARTNERS)('a misbehaving partner %s', (partner) => {
  it.each(STORIES)('%s: %s', async (mode, status, outcome) => {
    cloud.partners.modes[partner] = mode;
    const lead = await leadOver(partner);
    const row = await logOf(lead);
    expect(row.status).toBe(status);
    expect(outcomes(row)).toEqual([outcome]);
    expect(row.error).not.toBeNull();
    expect(row.next_attempt_at === null).toBe(status === 'failed');
    expect(JSON.stringify(row)).not.toContain('planted');

    // When the partner is back, waiting deliveries arrive automatically, failed ones after a resend.
    cloud.partners.modes[partner] = 'ok';
    if (status === 'failed')
      await cloud.admin.ok('resendDelivery', { params: { leadId: lead.lead_id, channel: partner } });
    await retry();
    const after = await logOf(lead);
    expect(after.status).toBe('delivered');
    expect(outcomes(after)).toEqual([outcome, 'delivered']);
  });
});

it('has a timeout for hanging calls, which get an unknown outcome and are retried', async () => {
  for (const partner of PARTNERS) cloud.partners.modes[partner] = 'hang';
  patience = 0.05;
  const leads = await Promise.all(PARTNERS.map((channel) => leadOver(channel)));
  patience = 1;
  for (const lead of leads) {
    const row = await logOf(lead);
    expect(row.status).toBe('retrying');
    expect(outcomes(row)).toEqual(['unknown']);
    expect(row.attempts[0]?.duration_ms).toBeLessThan(2 * 30_000 * 0.05);
  }
  for (const partner of PARTNERS) cloud.partners.modes[partner] = 'ok';
  await retry();
  for (const lead of leads) expect(await logOf(lead)).toMatchObject({ status: 'delivered' });
});

it('keeps secrets out of everything that is logged', () => {
  expect(cloud.logs.join('\n')).not.toMatch(/planted|@buyers\.example/);
});
