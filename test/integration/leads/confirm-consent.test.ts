/** Double opt-in: a lead waits until its person confirms the consent by the link in an e-mail, or is dropped after a week. */
import { describe, expect, onTestFinished } from 'vitest';
import { aSentConsent } from '#test/factories/consents';
import { aPostedLead } from '#test/factories/sources';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { startMailServer } from '#test/harness/mail-server';

const DAY_MS = 86_400_000;
const cloud = cloudOfFile();
let [key, buyer, sourceId] = ['', '', 0];
const origin = 'https://page.example';

it.beforeAll(async () => {
  const { admin } = cloud;
  const { source } = await admin.ok('createSource', {
    body: { name: 'Form', src: 'form', origins: [origin] },
  });
  sourceId = source.source_id;
  const params = { sourceId };
  ({ key } = await admin.ok('createSourceKey', { params }));
  expect(await admin.call('updateSource', { params, body: { double_opt_in: true } })).toMatchObject({
    status: 400,
    body: { code: 'no_mail_server', fields: { double_opt_in: expect.stringContaining('e-mail template') } },
  });
  await addTemplate(cloud);
  ({ buyer_id: buyer } = await openOrder(admin, { probability: 10 }, 100));
  await admin.ok('updateSource', { params, body: { state: 'live', double_opt_in: true } });
});

const consent = (changes: Parameters<typeof aSentConsent>[0] = {}) =>
  aSentConsent({
    given_at: cloud.runtime.now().toISOString(),
    text: 'Ich willige ein,\nangerufen zu werden.',
    ...changes,
  });
type Row = { status: string; lead_id: string; confirm_by?: string; fields?: object };
const post = async (lead: object, headers: Record<string, string> = {}) =>
  cloud.visitor.raw('POST', '/api/intake', lead, { authorization: `Bearer ${key}`, ...headers });
async function send(lead: object, headers: Record<string, string> = {}): Promise<Row> {
  const { body } = await post(lead, headers);
  await cloud.settled();
  return (body as { results: Row[] }).results[0]!;
}
const lettersTo = (email: string) =>
  cloud.inbox.mails.filter(({ to, text }) => to[0] === email && text.includes('/bestaetigung/'));
const tokenIn = (email: string) =>
  /\/bestaetigung\/(\w{26}[\w-]{43})/.exec(lettersTo(email)[0]?.text ?? '')?.[1] ?? '';
const leadOf = async (leadId: string) => (await cloud.admin.ok('getLead', { params: { leadId } })).lead;
const view = (token: string) => cloud.visitor.ok('viewConsentLink', { params: { token } });
const confirm = (token: string) => cloud.visitor.ok('followConsentLink', { params: { token } });

async function mailsBy(smtp_port: number): Promise<void> {
  const [template] = await cloud.admin.ok('listEmailTemplates');
  const body = { smtp_port, smtp_pass: 'entered-again' };
  await cloud.admin.ok('updateEmailTemplate', { params: { id: template!.id }, body });
}
/** Sends all e-mails, until the inbox is used again. */
async function aRefusingServer() {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  await mailsBy(server.port);
  return server;
}

describe('a lead with the consent of a form', () => {
  it('waits, and goes to a buyer once after its person confirmed', async () => {
    const lead = { ...aPostedLead(), consent: consent() };
    const sent = await send(lead);
    expect(sent).toMatchObject({ status: 'accepted', confirm_by: expect.any(String) });
    expect(await send(lead)).toEqual(sent);
    expect(await leadOf(sent.lead_id)).toMatchObject({ status: 'pending', reason: 'consent_unconfirmed' });

    const [letter, ...others] = lettersTo(lead.email);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ subject: 'Bitte bestätigen Sie Ihre Einwilligung' });
    expect(letter?.text).toContain('> Ich willige ein,\n> angerufen zu werden.');
    expect(letter?.text).toContain('/widerruf/');
    expect(letter?.text).not.toContain(lead.nachname);

    const token = tokenIn(lead.email);
    expect(await view(token)).toEqual({ purpose: 'confirm', state: 'open', done_at: null });
    expect(
      await cloud.admin.call('distributePendingLead', { params: { leadId: sent.lead_id } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'consent_unconfirmed' },
    });
    const clicks = await Promise.all([confirm(token), confirm(token)]);
    const done = { purpose: 'confirm', state: 'done', done_at: expect.any(String) };
    expect(clicks).toEqual([done, done]);
    await cloud.settled();
    expect(await confirm(token)).toEqual(clicks[0]);
    expect(await leadOf(sent.lead_id)).toMatchObject({ status: 'assigned', buyer_id: buyer });
    const { consent: _, ...repeated } = await send(lead).then((row) => ({ consent: null, ...row }));
    expect(repeated).not.toHaveProperty('confirm_by');
    expect(lettersTo(lead.email)).toHaveLength(1);
  });

  it('is distributed at once without a form, or without the setting', async () => {
    const written = await send({ ...aPostedLead(), consent: consent({ method: 'written' }) });
    expect(await leadOf(written.lead_id)).toMatchObject({ status: 'assigned' });
  });

  it('cannot be confirmed once it was discarded or withdrawn', async () => {
    const [one, two] = [aPostedLead(), aPostedLead()];
    const discarded = await send({ ...one, consent: consent() });
    await send({ ...two, consent: consent() });
    const tokens = [tokenIn(one.email), tokenIn(two.email)] as const;
    await cloud.admin.ok('discardPendingLead', { params: { leadId: discarded.lead_id } });
    const over = { purpose: 'confirm', state: 'over', done_at: null };
    expect([await view(tokens[0]), await confirm(tokens[0])]).toEqual([over, over]);
    const text = lettersTo(two.email)[0]?.text ?? '';
    const withdraw = /\/widerruf\/(\w{26}[\w-]{43})/.exec(text)?.[1] ?? '';
    await confirm(withdraw);
    await cloud.settled();
    expect(await confirm(tokens[1])).toMatchObject({ state: 'withdrawn' });
    const forged = `${tokens[0].slice(0, 26)}${tokens[1].slice(26)}`;
    expect(await cloud.visitor.call('followConsentLink', { params: { token: forged } })).toMatchObject({
      status: 404,
    });
  });

  it('shows whether its e-mail was sent, which an admin can have sent again', async () => {
    const { admin } = cloud;
    const server = await aRefusingServer();
    server.login = () => ({ code: 535, text: 'Wrong password' });
    const lead = aPostedLead();
    const { lead_id: leadId } = await send({ ...lead, consent: consent() });
    const email = async () => (await leadOf(leadId)).confirmation_email;
    expect(await email()).toEqual({ state: 'refused', at: expect.any(String) });
    const resend = () => admin.call('resendConfirmation', { params: { leadId } });

    server.login = () => ({ code: 454, text: 'Try later' });
    expect(await resend()).toMatchObject({ status: 200, body: { message: 'E-mail queued again' } });
    await cloud.settled();
    expect(await email()).toMatchObject({ state: 'queued' });
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'already_on_its_way' } });
    await cloud.advance(25 * 3_600_000);
    await cloud.settled();
    await admin.logIn();
    expect(await email()).toMatchObject({ state: 'given_up' });

    await mailsBy(cloud.inbox.port);
    for (const count of [1, 2]) {
      const answers = await Promise.all([resend(), resend()]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      await cloud.settled();
      expect(await email()).toMatchObject({ state: 'sent' });
      expect(lettersTo(lead.email)).toHaveLength(count);
    }
    const [one, two] = lettersTo(lead.email);
    expect(one?.messageId).not.toBe(two?.messageId);
    const { entries } = await admin.ok('listAudit', { query: { entity: 'lead', entity_id: leadId } });
    expect(entries.filter(({ action }) => action === 'sent_again_confirmation')).toHaveLength(3);
    await confirm(tokenIn(lead.email));
    await cloud.settled();
    expect(await email()).toBeNull();
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'confirmation_over' } });
  });

  it('gets no e-mail at an address that returned one', async () => {
    const server = await aRefusingServer();
    server.recipient = () => ({ code: 550, text: '5.1.1 No such user' });
    const { lead_id: leadId } = await send({ ...aPostedLead(), consent: consent() });
    expect(await leadOf(leadId)).toMatchObject({
      confirmation_email: { state: 'refused' },
      email_state: { state: 'bounced_hard' },
    });
    await mailsBy(cloud.inbox.port);
    await cloud.admin.ok('resendConfirmation', { params: { leadId } });
    await cloud.settled();
    expect(await leadOf(leadId)).toMatchObject({ confirmation_email: { state: 'address_closed' } });
  });

  it('is dropped after seven days, without the person', async () => {
    const lead = aPostedLead();
    const { lead_id: leadId } = await send({ ...lead, consent: consent() });
    const token = tokenIn(lead.email);
    await cloud.advance(7 * DAY_MS - 3_600_000);
    await cloud.settled();
    await cloud.admin.logIn();
    expect(await leadOf(leadId)).toMatchObject({ status: 'pending', email: lead.email });
    await cloud.advance(2 * 3_600_000);
    await cloud.settled();
    expect(await leadOf(leadId)).toMatchObject({ status: 'discarded', email: '' });
    expect(await confirm(token)).toMatchObject({ state: 'over' });
    const { entries } = await cloud.admin.ok('listAudit', { query: { entity: 'lead', entity_id: leadId } });
    expect(entries[0]).toMatchObject({ action: 'discarded', who: 'system' });
  });
});

describe('a lead from a visitor’s browser', () => {
  it('has the visitor’s address and no time in the future', async () => {
    const lead = {
      ...aPostedLead(),
      consent: consent({ given_at: new Date(cloud.runtime.now().getTime() + DAY_MS).toISOString() }),
    };
    expect(await send(lead)).toMatchObject({ status: 'invalid' });
    expect(await send(lead, { origin })).toMatchObject({ status: 'accepted' });
  });

  it('is not stored if a program filled the hidden field', async () => {
    const lead = { ...aPostedLead(), form_check: 'https://spam.example' };
    const answer = await send(lead, { origin });
    expect(answer).toEqual({
      external_id: lead.external_id,
      status: 'accepted',
      lead_id: expect.any(String),
    });
    const params = { leadId: answer.lead_id };
    expect((await cloud.admin.call('getLead', { params })).status).toBe(404);
    const { status } = await cloud.visitor.raw('GET', `/api/intake/${lead.external_id}`, undefined, {
      authorization: `Bearer ${key}`,
    });
    expect(status).toBe(404);
    expect(await send(lead)).toMatchObject({ status: 'accepted' });
    expect((await leadOf((await send(lead)).lead_id)).email).toBe(lead.email);
  });

  it('is asked for again if the form was shown for less than two seconds', async () => {
    const lead = { ...aPostedLead(), form_check: '' };
    expect(await send({ ...lead, form_ms: 1999 }, { origin })).toMatchObject({
      status: 'invalid',
      fields: { form_ms: expect.any(String) },
    });
    const first = await send({ ...lead, form_ms: 2000 }, { origin });
    expect(first).toMatchObject({ status: 'accepted' });
    expect(await send({ ...lead, form_ms: 9000 }, { origin })).toEqual(first);
  });

  it('counts for its address', async () => {
    await cloud.advance(11 * 60_000);
    await cloud.admin.logIn();
    const leads = Array.from({ length: 30 }, () => ({ external_id: 'x' }));
    expect((await post({ leads }, { origin })).status).toBe(202);
    const { status, body, headers } = await post(aPostedLead(), { origin });
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'too_many_leads' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(aPostedLead())).status).toBe(202);
    await cloud.admin.ok('updateSource', { params: { sourceId }, body: { double_opt_in: false } });
  });
});

it('the last e-mail template stays while a source has consents confirmed by e-mail', async () => {
  const { admin } = cloud;
  const confirmed = (double_opt_in: boolean) =>
    admin.ok('updateSource', { params: { sourceId }, body: { double_opt_in } });
  const remove = (id: string) => admin.call('deleteEmailTemplate', { params: { id } });
  const [template] = await admin.ok('listEmailTemplates');
  await confirmed(true);
  expect(await remove(template!.id)).toMatchObject({
    status: 409,
    body: { code: 'template_in_use', error: expect.stringContaining('(Form)') },
  });
  const other = await addTemplate(cloud);
  expect(await remove(template!.id)).toMatchObject({ status: 200 });
  await confirmed(false);
  expect(await remove(other)).toMatchObject({ status: 200 });
});
