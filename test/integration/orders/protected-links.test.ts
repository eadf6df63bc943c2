/** Protected links: a code by e-mail on a new device, an expiry, and a new link at the buyer's request. */
import { expect } from 'vitest';
import type { BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, Client, openOrder, tokenOf } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { DAY_MS, HOUR_MS } from '#test/harness/time';

const cloud = cloudOfFile();
let template: string;
it.beforeAll(async () => {
  template = await addTemplate(cloud);
});
// Codes have an hourly limit per address, and some tests move the clock past the end of a session.
it.beforeEach(async () => {
  await cloud.advance(HOUR_MS);
  await cloud.admin.logIn();
});

async function anOrder(buyer: Partial<BuyerRequest>) {
  const made = await openOrder(cloud.admin, {
    probability: 0,
    email_template_id: template,
    ...buyer,
  });
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: made.buyer_id }) });
  const to = `${made.buyer_id}@buyers.example`;
  await cloud.admin.ok('updateBuyer', { params: { buyerId: made.buyer_id }, body: { buyer_email: to } });
  const letters = async () => {
    await cloud.settled();
    return cloud.inbox.mails.filter((mail) => mail.to[0] === to);
  };
  /** The answers to all calls with the link. */
  const calls = async (client: Client, token = made.token) => {
    const params = { token };
    const lead = { lead_id, order_id: made.orderId, buyer_id: made.buyer_id };
    const replies = [
      await client.call('viewLeads', { params, query: {} }),
      await client.raw('GET', `/api/leads-view/${token}/export/csv`),
      await client.raw('GET', `/api/leads-view/${token}/share`),
      await client.raw('GET', `/api/leads-view/${token}/statement`),
      await client.raw('GET', `/api/leads-view/${token}/statement/csv`),
      await client.raw('GET', `/api/leads-view/${token}/export/xlsx/original`),
      await client.raw('GET', `/api/leads-view/${token}/consent-proofs/1`),
      await client.raw('GET', `/api/leads-view/${token}/leads/${lead_id}/consent`),
      await client.raw('GET', `/api/leads-view/${token}/leads/${lead_id}/consent/json`),
      await client.call('saveFeedback', {
        params: { token, leadId: lead_id },
        body: { feedback: 'reached' },
      }),
      await client.call('getLeadClaim', { params: { leadId: lead_id }, query: { token } }),
      await client.call('fileClaim', { query: { token }, body: { ...lead, claim_reason: 'doppelt' } }),
    ];
    return replies.map(({ status }) => status);
  };
  return { ...made, lead_id, letters, calls };
}

const codeIn = (text: string) => /(\d{4} \d{4})/.exec(text)?.[1] ?? '';
const codeOf = async ({ letters }: Awaited<ReturnType<typeof anOrder>>) =>
  codeIn((await letters()).at(-1)?.text ?? '');

it('a link with a code allows no call on a device without the code, and every call of the buyer with it', async () => {
  const order = await anOrder({ link_code: true });
  const params = { token: order.token };
  const device = new Client(cloud.url);
  expect(await order.calls(device)).toEqual(Array.from({ length: 12 }, () => 403));
  expect(await device.call('viewLeads', { params, query: {} })).toMatchObject({
    body: { code: 'link_code_required', fields: { email: `${order.buyer_id[0]}…@…example` } },
  });
  // Admins open it without a code.
  expect((await cloud.admin.call('viewLeads', { params, query: {} })).status).toBe(200);

  await device.ok('sendLinkCode', { params });
  const code = await codeOf(order);
  expect(code).toMatch(/^\d{4} \d{4}$/);
  const wrong = await device.call('confirmLinkCode', { params, body: { code: '0000 0000' } });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
  await device.ok('confirmLinkCode', { params, body: { code } });
  expect(await order.calls(device)).toEqual([200, 200, 200, 200, 200, 200, 200, 404, 404, 200, 404, 200]);
  expect(await order.calls(new Client(cloud.url))).toEqual(Array.from({ length: 12 }, () => 403));
  // A code works for one device.
  const other = await new Client(cloud.url).call('confirmLinkCode', { params, body: { code } });
  expect(other.status).toBe(400);

  // The cookie is for this buyer only, and for its current address.
  const stranger = await anOrder({ link_code: true });
  expect((await device.call('viewLeads', { params: { token: stranger.token }, query: {} })).status).toBe(403);
  await cloud.admin.ok('updateBuyer', {
    params: { buyerId: order.buyer_id },
    body: { buyer_email: 'new@buyers.example' },
  });
  expect((await device.call('viewLeads', { params, query: {} })).status).toBe(403);
});

it('a link with an expiry is like an unknown link once expired, and is replaced by one e-mail for any number of requests', async () => {
  const order = await anOrder({ link_days: 3 });
  const device = new Client(cloud.url);
  await cloud.advance(3 * DAY_MS - 60_000);
  expect((await order.calls(device))[0]).toBe(200);
  await cloud.advance(60_000);
  expect(await order.calls(device)).toEqual(await order.calls(device, 'A'.repeat(43)));
  cloud.inbox.clear();
  const ask = (token: string) => device.ok('requestNewLink', { body: { token } });
  const [answer, ...others] = await Promise.all([ask(order.token), ask(order.token), ask('B'.repeat(43))]);
  for (const other of others) expect(other).toEqual(answer);
  const letters = await order.letters();
  expect(letters).toHaveLength(1);
  const token = tokenOf(/http\S+\/leads\/\S+/.exec(letters[0]?.text ?? '')?.[0] ?? '');
  expect(token).not.toBe(order.token);
  expect(await order.calls(device, token)).toEqual([
    200, 200, 200, 200, 200, 200, 200, 404, 404, 200, 200, 409,
  ]);
  // The old link never works again.
  await ask(order.token);
  expect(await order.letters()).toHaveLength(1);
  // The previous session has expired.
  const admin = new Client(cloud.url);
  await admin.logIn();
  const { entries } = await admin.ok('listAudit', {
    query: { entity: 'order', entity_id: String(order.orderId) },
  });
  expect(entries[0]).toMatchObject({ who: 'link', action: 'token_renewed' });
  // A renewed link is valid for the same time.
  await cloud.advance(3 * DAY_MS);
  expect((await device.call('viewLeads', { params: { token }, query: {} })).status).toBe(404);
});

it('the e-mail with the statement contains the link of the latest order with a working one, and no figures', async () => {
  const { buyer_id, token, letters } = await anOrder({ link_days: 3, price_per_lead: '45,50' });
  const params = { buyerId: buyer_id };
  expect(await cloud.admin.ok('sendStatement', { params })).toMatchObject({
    email: `${buyer_id}@buyers.example`,
  });
  const letter = (await letters()).at(-1);
  expect(letter?.subject).toBe('Ihre Abrechnung');
  expect(letter?.text).toContain(`/leads/${token}?kontoauszug`);
  expect(letter?.text).not.toContain('€');
  const { entries } = await cloud.admin.ok('listAudit', { query: { entity: 'buyer' } });
  expect(entries[0]).toMatchObject({ action: 'statement_sent', who: 'admin' });

  await cloud.advance(3 * 24 * HOUR_MS);
  await cloud.admin.logIn();
  expect(await cloud.admin.call('sendStatement', { params })).toMatchObject({
    status: 409,
    body: { code: 'no_working_link' },
  });
  expect(await letters()).toHaveLength(1);
});
