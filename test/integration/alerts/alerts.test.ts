/** Admins are alerted once for each occasion, whatever dies meanwhile, and again when it comes back. */
import { beforeAll, describe, expect } from 'vitest';
import { ALERT_TEXTS } from '#functions/alert-texts';
import { createAlerts } from '#functions/alerts';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { raiseAlerts } from '#functions/domain/alerts/alerts';
import type { Sent } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { dyingTable, Killed } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TO = 'admins@example.org';
const ON = { email: true, push: false };

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
  // On a full hour, so that a look follows every ten minutes.
  cloud.clock.set(new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000));
  const { admin } = cloud;
  await admin.ok('createPushoverCredential', { body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) } });
  await openOrder(admin, { buyer_id: 'alpha', probability: 50, buyer_type: 'prepay' }, 5);
});

describe('an alert', () => {
  it('is told once by each medium, and again when it was over', async () => {
    await save({
      emails: [TO],
      order_nearly_full: { email: true, push: true, threshold: 80 },
      order_full: { ...ON, threshold: null },
    });
    await post(4, 'alpha');
    await look();
    const nearlyFull = 'Order 1 of alpha is nearly full: 4 of 5 leads.';
    expect([mails(), pushes()]).toEqual([[nearlyFull], 1]);
    await look();
    expect([mails(), pushes()]).toEqual([[nearlyFull], 1]);

    await post(1, 'alpha');
    await look();
    const full = 'Order 1 of alpha is full: 5 of 5 leads.';
    expect([mails(), pushes()]).toEqual([[nearlyFull, full], 1]);

    await cloud.admin.ok('updateOrderLimit', { params: { buyerId: 'alpha' }, body: { lead_limit: 6 } });
    await look();
    expect(mails()).toEqual([nearlyFull, full, 'Order 1 of alpha is nearly full: 5 of 6 leads.']);
  });

  it('is told once, wherever the process dies, and by two at the same moment', async () => {
    const forget = async () => {
      const items = await cloud.table.queryAll({
        partition: keys.alerts(),
        sort: { prefix: 'OCCASION#' },
        consistent: true,
      });
      for (const { sk } of items) await cloud.table.delete({ delete: { pk: keys.alerts(), sk: String(sk) } });
    };
    const told = async () => {
      let notices = 0;
      for await (const items of cloud.table.scan())
        notices += items.filter(({ about, medium }) => about === 'alert' && medium === 'email').length;
      return notices;
    };
    const raise = (table: Table) =>
      raiseAlerts({ ...createAlerts(table, cloud.runtime), texts: ALERT_TEXTS }, false);
    for (const when of ['before', 'after'] as const)
      for (let n = 1; ; n += 1) {
        await forget();
        const before = await told();
        const { table: dying, died, quiet } = dyingTable(cloud.table, n, when);
        await raise(dying).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
        await quiet();
        if (!died()) break;
        await Promise.all([raise(cloud.table), raise(cloud.table)]);
        await raise(cloud.table);
        expect((await told()) - before, `${when} call ${n}`).toBe(1);
      }
  });

  it('is listed as it would be now, also by other numbers and while it is switched off', async () => {
    const { found } = await cloud.admin.ok('previewAlerts', { query: { order_nearly_full: 84 } });
    expect(found).toEqual([]);
    const { found: sooner } = await cloud.admin.ok('previewAlerts', { query: { order_nearly_full: 83 } });
    expect(sooner.map(({ kind }) => kind)).toEqual(['order_nearly_full']);
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
    await openOrder(admin, { buyer_id: 'beta', buyer_email: 'beta@example.org', probability: 50 }, 5);
    const claim = async (nth: number) => {
      const { leads } = await admin.ok('viewLeads', { params: { token: await tokenOf('alpha') } });
      const { lead_id } = leads.original[nth]!;
      const body = { lead_id, order_id: 1, buyer_id: 'alpha', claim_reason: 'doppelt' };
      return (await admin.ok('fileClaim', { body })).claim.claim_id;
    };
    const tokenOf = async (buyer_id: string) => {
      const { buyers } = await admin.ok('listBuyers');
      return (
        buyers
          .find((row) => row.buyer_id === buyer_id)
          ?.excel_link?.split('/')
          .at(-1) ?? ''
      );
    };
    await cloud.settled();
    const approved = await claim(0);
    await admin.ok('approveClaim', { params: { claimId: approved }, body: { admin_notes: '' } });
    await claim(1);
    await admin.ok('createLead', { body: aLeadRequest({ telefon: '123' }) });
    await save({
      order_nearly_full: { email: false, push: false, threshold: 80 },
      order_full: { email: false, push: false, threshold: null },
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
      alpha is owed 1 replacement, the oldest since N.

      N
      "
    `);
    await lookAfter(0);
    expect(mails().slice(seen)).toEqual(['5 alerts']);
  });

  it('is summed up once a day', async () => {
    await cloud.admin.logIn();
    await save({ daily_summary: { ...ON, threshold: 0 } });
    await post(1, 'beta');
    const seen = mails().length;
    await look();
    await look();
    expect(mails().slice(seen)).toEqual([expect.stringMatching(/^\d\d\.\d\d\.\d{4}: 0 leads, 0,00/)]);
    await lookAfter(1);
    await look();
    const [, summary] = cloud.inbox.mails.filter(({ to }) => to[0] === TO).slice(seen);
    expect(summary?.text).toContain('beta: 1 lead\n');
    expect(mails().slice(seen)).toHaveLength(2);
  });
});
