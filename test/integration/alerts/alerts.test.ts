/** Admins are alerted once for each occasion, whatever dies meanwhile, and again when it comes back. */
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { Sent } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TO = 'admins@example.org';
const ON = { email: true, push: false };
const OFF = { email: false, push: false };

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const mails = () => cloud.inbox.mails.filter(({ to }) => to[0] === TO).map(({ subject }) => subject);
const pushes = () => cloud.partners.calls.filter(({ partner }) => partner === 'pushover').length;
const save = (body: Sent<'saveAlertSettings', 'body'>) => cloud.admin.ok('saveAlertSettings', { body });
const post = async (count: number, buyer_id: string) => {
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', {
      body: aLeadRequest({ buyer_id, email: `${cloud.runtime.newId()}@example.org` }),
    });
};
/** Until the next look at everything that is looked for often. */
const look = async (milliseconds = 10 * MINUTE_MS) => {
  await cloud.settled();
  await cloud.advance(milliseconds);
  await cloud.settled();
};

/** Until a look at everything: on a full hour, after so many days. */
const lookAfter = async (days: number) => {
  const now = cloud.clock.now().getTime();
  const hour = 60 * MINUTE_MS;
  await look(Math.ceil((now + days * DAY_MS) / hour) * hour - now);
};

beforeAll(async () => {
  // A Monday, on a full hour, so that a look follows every ten minutes.
  cloud.clock.set(new Date('2027-05-10T08:00:00.000Z'));
  const { admin } = cloud;
  await admin.logIn();
  await admin.ok('createPushoverCredential', { body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) } });
  await openOrder(admin, { buyer_id: 'alpha', probability: 50, buyer_type: 'prepay' }, 5);
  await save({ emails: [TO] });
});
// Some of them wait for days.
beforeEach(() => cloud.admin.logIn());

describe('an alert', () => {
  it('is told once by each medium, and again when it was over', async () => {
    const [mailed, pushed] = [mails().length, pushes()];
    const told = () => [mails().slice(mailed), pushes() - pushed];
    await save({
      order_nearly_full: { email: true, push: true, threshold: 80 },
      order_full: { ...ON, threshold: null },
    });
    await post(4, 'alpha');
    await look();
    const nearlyFull = 'Order 1 of alpha is nearly full: 4 of 5 leads.';
    expect(told()).toEqual([[nearlyFull], 1]);
    await look();
    expect(told()).toEqual([[nearlyFull], 1]);

    await post(1, 'alpha');
    await look();
    const full = 'Order 1 of alpha is full: 5 of 5 leads.';
    expect(told()).toEqual([[nearlyFull, full], 1]);

    await cloud.admin.ok('updateOrderLimit', { params: { buyerId: 'alpha' }, body: { lead_limit: 6 } });
    await look();
    expect(told()).toEqual([[nearlyFull, full, 'Order 1 of alpha is nearly full: 5 of 6 leads.'], 2]);

    // What there would be now, also by other numbers.
    const { found } = await cloud.admin.ok('previewAlerts', { query: { order_nearly_full: 84 } });
    expect(found).toEqual([]);
    const { found: sooner } = await cloud.admin.ok('previewAlerts', { query: { order_nearly_full: 83 } });
    expect(sooner.map(({ kind }) => kind)).toEqual(['order_nearly_full']);
    await save({ order_nearly_full: { ...OFF, threshold: 80 }, order_full: { ...OFF, threshold: null } });
  });

  it('can be tried by each medium', async () => {
    await cloud.settled();
    const before = [mails().length, pushes()] as const;
    expect(await cloud.admin.ok('sendTestAlert', { body: { medium: 'email' } })).toMatchObject({
      ok: true,
      detail: TO,
    });
    expect(await cloud.admin.ok('sendTestAlert', { body: { medium: 'push' } })).toMatchObject({ ok: true });
    expect([mails().length, pushes()]).toEqual([before[0] + 1, before[1] + 1]);
  });
});

describe('what waits, is owed or silent', () => {
  it('is told after its time: buyers, leads, claims and replacements', async () => {
    const { admin } = cloud;
    const { orderId } = await openOrder(
      admin,
      { buyer_id: 'beta', buyer_email: 'beta@example.org', probability: 50, buyer_type: 'prepay' },
      5,
    );
    const claim = async () => {
      const { lead_id } = await admin.ok('createLead', { body: aLeadRequest({ buyer_id: 'beta' }) });
      const body = { lead_id, order_id: orderId, buyer_id: 'beta', claim_reason: 'doppelt' };
      return (await admin.ok('fileClaim', { body })).claim.claim_id;
    };
    await cloud.settled();
    const approved = await claim();
    await claim();
    await admin.ok('approveClaim', { params: { claimId: approved }, body: { admin_notes: '' } });
    await admin.ok('createLead', { body: aLeadRequest({ telefon: '123' }) });
    await save({
      buyer_without_leads: { ...ON, threshold: 3 },
      leads_waiting: { ...ON, threshold: 24 },
      claims_waiting: { ...ON, threshold: 3 },
      replacements_owed: { ...ON, threshold: 7 },
    });
    const seen = mails().length;
    await look();
    expect(mails().slice(seen)).toEqual([]);
    await lookAfter(10);
    const [alert, ...others] = cloud.inbox.mails.filter(({ to }) => to[0] === TO).slice(seen);
    expect(others).toEqual([]);
    expect(alert?.subject).toBe('5 alerts');
    expect(alert?.text?.replaceAll(/\d\d\.\d\d\.\d{4}|\d+ working|http.*/g, 'N')).toMatchInlineSnapshot(`
      "alpha is active and had no lead for 3 days.
      beta is active and had no lead for 3 days.
      1 pending lead waits for more than 24 hours, the oldest since N.
      1 claim is open, the oldest since N: N days.
      beta is owed 1 replacement, the oldest since N.

      N
      "
    `);
    await lookAfter(0);
    expect(mails().slice(seen)).toEqual(['5 alerts']);
    await admin.logIn();
    await save({
      buyer_without_leads: { ...OFF, threshold: 3 },
      leads_waiting: { ...OFF, threshold: 24 },
      claims_waiting: { ...OFF, threshold: 3 },
      replacements_owed: { ...OFF, threshold: 7 },
    });
  });

  it('is summed up once a day', async () => {
    await openOrder(cloud.admin, { buyer_id: 'gamma', buyer_email: 'gamma@example.org', probability: 0 }, 5);
    await save({ daily_summary: { ...ON, threshold: 0 } });
    await post(1, 'gamma');
    const seen = mails().length;
    await look();
    await look();
    expect(mails().slice(seen)).toEqual([expect.stringMatching(/^\d\d\.\d\d\.\d{4}: 0 leads, 0,00/)]);
    await lookAfter(1);
    await look();
    const [, summary] = cloud.inbox.mails.filter(({ to }) => to[0] === TO).slice(seen);
    expect(summary?.text).toContain('gamma: 1 lead\n');
    expect(mails().slice(seen)).toHaveLength(2);
    await cloud.admin.logIn();
    await save({ daily_summary: { ...OFF, threshold: 0 } });
    await cloud.admin.ok('deleteBuyer', { params: { buyerId: 'gamma' } });
  });
});
