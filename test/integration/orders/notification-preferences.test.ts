/** Notifications by e-mail: real messages from a template's server and the platform's own, and unsubscribing. */
import { beforeAll, expect } from 'vitest';
import { bounceEvent, publish } from '#local/ses-events';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
beforeAll(async () => {
  // Sunday evening, before a Monday.
  cloud.clock.set(new Date('2027-05-09T18:00:00Z'));
  await cloud.admin.logIn();
});

const mailsTo = (address: string, text: string) =>
  cloud.inbox.mails.filter(({ to, subject }) => to[0] === address && subject.includes(text));
const post = async (buyer_id: string, count: number) => {
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', {
      body: aLeadRequest({ buyer_id, email: `${cloud.runtime.newId()}@example.org` }),
    });
  await cloud.settled();
};
const reconcile = async () => {
  // Checks run on the full hour.
  await cloud.advance(3_600_000 - (cloud.clock.now().getTime() % 3_600_000));
  await cloud.settled();
};

it('are sent by the buyer’s preferences, and end with one click', async () => {
  const { admin, visitor } = cloud;
  const template = await addTemplate(cloud);
  const to = 'wants@example.org';
  const { token } = await openOrder(
    admin,
    { buyer_id: 'wants', buyer_email: to, probability: 0, send_email: true, email_template_id: template },
    5,
  );
  const params = { token };
  expect(await visitor.ok('viewNotificationPreferences', { params })).toEqual({
    preferences: { claim_decided: true, order_nearly_full: false, weekly_statement: false },
    email: 'w…@…org',
    closed: null,
  });
  await post('wants', 4);
  await reconcile();
  expect(mailsTo(to, 'fast vollständig')).toEqual([]);
  await visitor.ok('changeNotificationPreferences', {
    params,
    body: { order_nearly_full: true, weekly_statement: true },
  });
  await reconcile();
  await reconcile();
  const [letter, ...more] = mailsTo(to, 'fast vollständig');
  expect(more).toEqual([]);
  expect(letter?.text).toContain('4 von 5 Leads');
  expect(letter?.unsubscribePost).toBe('List-Unsubscribe=One-Click');
  const url = /^<(.*)>$/.exec(letter?.unsubscribe ?? '')?.[1] ?? '';
  expect(url).toMatch(new RegExp(`^${cloud.url}/api/unsubscriptions/`));
  const page = url.replace('/api/unsubscriptions/', '/unsubscribe/');
  expect(letter?.text).toContain(`abbestellen: ${page}`);

  // A link scanner changes nothing and is redirected to the page.
  const opened = await fetch(url, { redirect: 'manual' });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, page]);
  const state = { params: { subscription: url.split('/').at(-1) ?? '' } };
  expect(await visitor.ok('viewSubscription', state)).toEqual({ kind: 'order_nearly_full', on: true });
  for (let time = 0; time < 2; time += 1) {
    const clicked = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example.com' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect([clicked.status, await clicked.json()]).toEqual([200, { kind: 'order_nearly_full', on: false }]);
  }
  expect((await visitor.ok('viewNotificationPreferences', { params })).preferences).toEqual({
    claim_decided: true,
    order_nearly_full: false,
    weekly_statement: true,
  });
  expect(await visitor.ok('subscribeAgain', state)).toEqual({ kind: 'order_nearly_full', on: true });

  // Sent once on Monday at seven in Berlin.
  cloud.clock.set(new Date('2027-05-10T04:30:00Z'));
  expect(mailsTo(to, 'Abrechnung')).toEqual([]);
  await reconcile();
  await reconcile();
  const statements = mailsTo(to, 'Abrechnung');
  expect(statements).toHaveLength(1);
  expect(statements[0]?.text).toContain(`/leads/${token}?kontoauszug`);
  expect(statements[0]?.unsubscribe).toContain('-weekly_statement-');
});

it('use the platform’s own server without a template, and skip dead addresses', async () => {
  const { admin, visitor } = cloud;
  await admin.logIn();
  const to = 'none@example.org';
  const { token } = await openOrder(
    admin,
    { buyer_id: 'none', buyer_email: to, probability: 0, notify_order_nearly_full: true },
    5,
  );
  await post('none', 4);
  await reconcile();
  const letters = mailsTo(to, 'fast vollständig');
  expect(letters).toHaveLength(1);
  expect(letters[0]).toMatchObject({ unsubscribePost: 'List-Unsubscribe=One-Click' });
  expect(letters[0]?.text).toContain('4 von 5 Leads Ihrer Bestellung #1 sind geliefert.');

  await publish(
    cloud.queues.client,
    cloud.queues.urls.bounces,
    bounceEvent({ to: [to] }, 'dead', cloud.runtime.now()),
  );
  await cloud.settled();
  expect((await visitor.ok('viewNotificationPreferences', { params: { token } })).closed).toBe(
    'bounced_hard',
  );
  const { buyers } = await admin.ok('listBuyers');
  expect(buyers.find(({ buyer_id }) => buyer_id === 'none')?.email_state?.state).toBe('bounced_hard');
  await admin.ok('updateBuyer', { params: { buyerId: 'none' }, body: { notify_weekly_statement: true } });
  cloud.clock.set(new Date('2027-05-17T04:30:00Z'));
  await reconcile();
  expect(mailsTo(to, 'Abrechnung')).toEqual([]);
  expect(cloud.logs.filter((line) => line.includes('notification not sent'))).toHaveLength(1);
  // The other buyer's week was empty.
  expect(mailsTo('wants@example.org', 'Abrechnung')).toHaveLength(1);
});
