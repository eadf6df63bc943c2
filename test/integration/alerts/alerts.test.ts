/** Admins are alerted once per incident despite crashes, and again when it recurs. */
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { Sent } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

const TO = 'admins@example.org';
const ON = { email: true, push: false };
const OFF = { email: false, push: false };

const cloud = cloudOfFile();

const mails = () => cloud.inbox.mails.filter(({ to }) => to[0] === TO).map(({ subject }) => subject);
const pushes = () => cloud.partners.calls.filter(({ partner }) => partner === 'pushover').length;
const save = (body: Sent<'saveAlertSettings', 'body'>) => cloud.admin.ok('saveAlertSettings', { body });
const post = async (count: number, buyer_id: string) => {
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', {
      body: aLeadRequest({ buyer_id, email: `${cloud.runtime.newId()}@example.org` }),
    });
};
/** Advances to the next run of the frequent checks. */
const look = async (milliseconds = 10 * MINUTE_MS) => {
  await cloud.settled();
  await cloud.advance(milliseconds);
  await cloud.settled();
};

beforeAll(async () => {
  // A Monday on a full hour; checks follow every ten minutes.
  cloud.clock.set(new Date('2027-05-10T08:00:00.000Z'));
  const { admin } = cloud;
  await admin.logIn();
  await admin.ok('createPushoverCredential', { body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) } });
  await openOrder(admin, { buyer_id: 'alpha', probability: 50, buyer_type: 'prepay' }, 5);
  await save({ emails: [TO] });
});
// Some conditions wait for days.
beforeEach(() => cloud.admin.logIn());

describe('an alert', () => {
  it('is sent once by each medium, and again after the incident has ended', async () => {
    const [mailed, pushed] = [mails().length, pushes()];
    const notified = () => [mails().slice(mailed), pushes() - pushed];
    await save({
      order_nearly_full: { email: true, push: true, threshold: 80 },
      order_full: { ...ON, threshold: null },
    });
    await post(4, 'alpha');
    await look();
    const nearlyFull = 'Order 1 (no. 1 of alpha) is nearly full: 4 of 5 leads.';
    expect(notified()).toEqual([[nearlyFull], 1]);
    await look();
    expect(notified()).toEqual([[nearlyFull], 1]);

    await post(1, 'alpha');
    await look();
    const full = 'Order 1 (no. 1 of alpha) is full: 5 of 5 leads.';
    expect(notified()).toEqual([[nearlyFull, full], 1]);

    await cloud.admin.ok('updateOrderLimit', { params: { buyerId: 'alpha' }, body: { lead_limit: 6 } });
    await look();
    expect(notified()).toEqual([
      [nearlyFull, full, 'Order 1 (no. 1 of alpha) is nearly full: 5 of 6 leads.'],
      2,
    ]);

    // The current incidents, even with other thresholds.
    const { active_alerts: found } = await cloud.admin.ok('previewAlerts', {
      query: { order_nearly_full: 84 },
    });
    expect(found).toEqual([]);
    const { active_alerts: sooner } = await cloud.admin.ok('previewAlerts', {
      query: { order_nearly_full: 83 },
    });
    expect(sooner.map(({ kind }) => kind)).toEqual(['order_nearly_full']);
    await save({ order_nearly_full: { ...OFF, threshold: 80 }, order_full: { ...OFF, threshold: null } });
  });

  it('can be tested by each medium', async () => {
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
