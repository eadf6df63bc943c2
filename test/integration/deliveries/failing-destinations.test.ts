/** Leads over all channels while a third of all calls fails, with planted secrets in every place that can store one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Delivery, deliverySchema } from '#functions/data/leads/lead';
import type { MailMode } from '#local/mail';
import type { PartnerMode } from '#local/partners';
import { CHANNELS, type Channel } from '#shared/channels/channels';
import { settingsOf } from '#test/factories/buyers';
import { people } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { itemsOf } from '#test/harness/distribution';
import { NO_ENGINE_NAMED } from '#test/harness/memory-table';
import { seeded } from '#test/harness/random';
import { MINUTE_MS } from '#test/harness/time';

/** `FAULTY_LEADS` sets a thousand once a week. */
const LEADS = Number(process.env.FAULTY_LEADS ?? 90);
const AT_ONCE = 16;
/** Each is stored in the place of a secret, and must not appear anywhere else. */
const PLANTED = {
  smtp: 'planted+smtp/pass=Q7x!',
  trackboxPassword: 'planted-box-pass-Z9?',
  trackboxKey: 'planted-box-key-41ab',
  heroleadsKey: 'planted-hero-key-77cd',
  httpSecret: 'planted-http-secret-55ef',
  sellanyleadKey: 'planted-sell-key-90ef',
  pushUser: 'plantedPushUserKey000000000001',
  pushApp: 'plantedPushAppKey0000000000002',
} as const;

let cloud: TestCloud;
const logged: string[] = [];
const answers: string[] = [];
let rounds = 0;

const random = seeded(7);
const PARTNER_FAULTS: PartnerMode[] = ['500', '429', 'cut', 'garbage', 'html', 'reject'];
const MAIL_FAULTS: MailMode[] = ['greylist', 'cut', 'refuse'];
/** A fault in a third of all calls. */
const faultOf = <T>(faults: readonly T[]) => (random.next() < 1 / 3 ? random.pick(faults) : 'ok');

const everything = () => itemsOf(cloud.table);
const deliveries = async (): Promise<Delivery[]> =>
  (await everything())
    .filter(({ sk }) => String(sk).startsWith('DELIVERY#'))
    .map((item) => deliverySchema.parse(item));

const unfinished = async () =>
  (await deliveries()).filter(({ status }) => status === 'pending' || status === 'retrying').length;

beforeAll(async () => {
  cloud = await startTestCloud({ onLog: (line) => logged.push(line) }, { inMemory: NO_ENGINE_NAMED });
  const templateId = await addTemplate(cloud, { smtp_pass: PLANTED.smtp });
  await cloud.admin.ok('createPushoverCredential', {
    body: { user_key: PLANTED.pushUser, app_key: PLANTED.pushApp, notify_lead_assignment: true },
  });
  for (const channel of CHANNELS) {
    const settings = settingsOf(channel, { templateId, partners: cloud.partners.host }, PLANTED);
    await openOrder(
      cloud.admin,
      { buyer_id: channel, probability: 100 / CHANNELS.length, ...settings },
      LEADS,
    );
  }
  for (const partner of ['trackbox', 'heroleads', 'sellanylead', 'http', 'pushover'] as const)
    cloud.partners.rules[partner] = () => faultOf(PARTNER_FAULTS);
  cloud.inbox.rule = () => faultOf(MAIL_FAULTS);

  const waiting = people(LEADS, 5);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let lead = waiting.pop(); lead !== undefined; lead = waiting.pop())
        await cloud.admin.ok('createLead', { body: lead });
    }),
  );
  await cloud.settled();
  while ((await unfinished()) > 0 && rounds < 200) {
    rounds += 1;
    await cloud.advance(15 * MINUTE_MS);
    await cloud.settled();
  }
  for (const id of [
    'listBuyers',
    'listEmailTemplates',
    'listPushoverCredentials',
    'listAudit',
    'getDashboardInitialData',
  ] as const)
    answers.push(JSON.stringify((await cloud.admin.call(id)).body));
}, 900_000);
afterAll(() => cloud.stop());

it('deliveries while a third of all calls fails end delivered or visibly failed', async () => {
  const all = await deliveries();
  expect(all).toHaveLength(LEADS);
  const of = (status: Delivery['status']) => all.filter((delivery) => delivery.status === status).length;
  expect(of('delivered') + of('failed')).toBe(LEADS);
  // Only permanent refusals failed: about one sixth of a third for partners, a ninth for e-mail.
  expect(of('failed')).toBeGreaterThan(LEADS / 50);
  expect(of('failed')).toBeLessThan(LEADS / 5);
  const { failed_count } = await cloud.admin.ok('listDeliveries', { query: { status: 'failed' } });
  expect(failed_count).toBe(of('failed'));
  for (const delivery of all.filter(({ status }) => status === 'failed'))
    expect(delivery.error).toMatch(/refused/);
});

describe('planted secrets', () => {
  const forms = Object.values(PLANTED).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]);
  const expectClean = (what: string) => {
    for (const form of forms) expect(what.includes(form)).toBe(false);
  };

  it('reach the partners, so that the searches are meaningful', () => {
    const received = JSON.stringify(cloud.partners.calls.map(({ headers, fields }) => ({ headers, fields })));
    for (const secret of [
      PLANTED.trackboxPassword,
      PLANTED.heroleadsKey,
      PLANTED.httpSecret,
      PLANTED.sellanyleadKey,
      PLANTED.pushApp,
    ])
      expect(received.includes(secret)).toBe(true);
  });

  it('appear in no log line, and neither do personal data', () => {
    expect(logged.length).toBeGreaterThan(LEADS);
    expectClean(logged.join('\n'));
    expect(logged.join('\n')).not.toMatch(/@post\.example\.org|Müller-Lüdenscheidt/);
  });

  it('appear in no answer of the API', async () => {
    for (const buyer_id of CHANNELS satisfies readonly Channel[])
      answers.push(
        JSON.stringify(await cloud.admin.ok('listDeliveries', { query: { buyer_id, limit: 200 } })),
      );
    expect(answers.join('\n').length).toBeGreaterThan(100_000);
    expectClean(answers.join('\n'));
    // The login that TrackBox returns with every lead does not appear either.
    expect(answers.join('\n')).not.toMatch(/\/u\/d\/\w/);
  });

  it('appear nowhere in the table', async () => {
    expectClean(JSON.stringify(await everything()));
  });

  it('appear in no e-mail and no queue', async () => {
    expectClean(JSON.stringify(cloud.inbox.mails));
    for (const queue of ['deliver', 'notify', 'redistribute'] as const)
      expectClean(JSON.stringify([await cloud.queues.content(queue), await cloud.queues.deadLetters(queue)]));
  });
});

it('failed deliveries of a buyer are resent together', async () => {
  for (const channel of CHANNELS) {
    const count = (await deliveries()).filter(
      (one) => one.channel === channel && one.status === 'failed',
    ).length;
    const answer = await cloud.admin.ok('resendFailedDeliveries', { params: { buyerId: channel } });
    expect(answer).toEqual({
      message: expect.stringMatching(`^${count} deliver(y|ies) queued again$`),
      count,
    });
  }
});
