/** A consent is withdrawn by the source's key, by the person and by an admin; the buyer is notified once and confirms. */
import { expect } from 'vitest';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
let key = '';
const consent = () =>
  aSentConsent({ given_at: new Date(cloud.runtime.now().getTime() - 1000).toISOString() });

it.beforeAll(async () => {
  const { admin } = cloud;
  const email_template_id = await addTemplate(cloud);
  await openOrder(admin, {
    buyer_id: 'kapital',
    buyer_email: 'einkauf@example.org',
    send_email: true,
    email_template_id,
  });
  const { source } = await admin.ok('createSource', {
    body: { name: 'Form', src: 'form', consent: 'ignore' },
  });
  const params = { sourceId: source.source_id };
  ({ key } = await admin.ok('createSourceKey', { params }));
  await admin.ok('updateSource', { params, body: { state: 'live' } });
});

const as = () => ({ authorization: `Bearer ${key}` });
async function send(externalId: string, changes: object = {}) {
  const lead = { ...aPostedLead({ external_id: externalId }), ...changes };
  const { status, body } = await cloud.visitor.raw('POST', '/api/intake', lead, as());
  expect(status).toBe(202);
  return (body as { results: { status: string; lead_id: string; withdrawal_url?: string }[] }).results[0]!;
}
const letters = () => cloud.inbox.mails.filter(({ text }) => text.includes('/erasure/'));

it('a source withdraws by its own ID, with the same answer for an unknown one', async () => {
  const person = { email: 'one@example.org', telefon: '+49 170 1111111' };
  const { lead_id } = await send('one', person);
  await cloud.settled();
  const before = letters().length;
  const answers = [];
  for (const id of ['one', 'one', 'unknown'])
    answers.push(await cloud.visitor.raw('POST', `/api/intake/${id}/withdrawal`, {}, as()));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 3 }, () => [200, { message: 'Consent withdrawn' }]),
  );
  await cloud.settled();
  expect(letters().length).toBe(before + 1);
  const { lead } = await cloud.admin.ok('getLead', { params: { leadId: lead_id } });
  expect(lead).toMatchObject({ status: 'assigned', withdrawn_at: expect.any(String) });
  const params = { leadId: lead_id, channel: 'email' as const };
  expect(await cloud.admin.call('resendDelivery', { params })).toMatchObject({
    status: 409,
    body: { code: 'consent_withdrawn' },
  });

  const again = await send('two', person);
  expect(again.status).toBe('withdrawn');
  const state = await cloud.visitor.raw('GET', '/api/intake/two', undefined, as());
  expect(state.body).toMatchObject({ status: 'withdrawn', state: 'withdrawn' });
  const body = aLeadRequest({ ...person, telefon: '+491701111111' });
  expect(await cloud.admin.call('createLead', { body })).toMatchObject({
    status: 409,
    body: { code: 'consent_withdrawn' },
  });
  await cloud.advance(1000);
  expect((await send('three', { ...person, consent: consent() })).status).toBe('accepted');
});

it('a source withdraws nobody by a duplicate that shares only the phone number', async () => {
  const telefon = '+49 170 2222222';
  const { lead_id } = await send('victim', { email: 'victim@example.org', telefon });
  await cloud.settled();
  const withdraw = (id: string) => cloud.visitor.raw('POST', `/api/intake/${id}/withdrawal`, {}, as());
  const victim = async () =>
    (await cloud.admin.ok('getLead', { params: { leadId: lead_id } })).lead.withdrawn_at;

  const other = await send('other', { email: 'other@example.org', telefon });
  expect(other.status).toBe('duplicate');
  expect((await withdraw('other')).status).toBe(200);
  await cloud.settled();
  expect(await victim()).toBeNull();

  expect((await send('same', { email: 'Victim@example.org', telefon })).status).toBe('duplicate');
  await withdraw('same');
  expect(await victim()).not.toBeNull();
});

it('a person withdraws by the link of the intake’s answer, and the buyer confirms', async () => {
  const { withdrawal_url = '' } = await send('four', {
    email: 'four@example.org',
    telefon: '+49 170 4444444',
    consent: consent(),
  });
  await cloud.settled();
  const token = /\/widerruf\/(\w{26}[\w-]{43})$/.exec(withdrawal_url)?.[1] ?? '';
  const params = { token };
  expect(await cloud.visitor.ok('viewConsentLink', { params })).toMatchObject({
    purpose: 'withdraw',
    done_at: null,
  });
  const before = letters().length;
  const { done_at } = await cloud.visitor.ok('followConsentLink', { params });
  expect(done_at).not.toBeNull();
  expect(await cloud.visitor.ok('followConsentLink', { params })).toMatchObject({ done_at });
  await cloud.settled();
  const [letter, ...others] = letters().slice(before);
  expect(others).toEqual([]);
  expect(letter?.subject).toContain('nicht mehr kontaktieren');
  expect(letter?.text).not.toContain('four');
  expect(letter?.text).not.toContain('4444444');

  const confirmation = { token: /\/erasure\/([\w-]{43})/.exec(letter?.text ?? '')?.[1] ?? '' };
  expect(await cloud.visitor.ok('viewErasureConfirmation', { params: confirmation })).toMatchObject({
    purpose: 'withdrawal',
    confirmed_at: null,
  });
  await cloud.visitor.ok('confirmErasure', { params: confirmation });
  const { erasures } = await cloud.admin.ok('listErasures', { query: {} });
  expect(erasures[0]).toMatchObject({
    purpose: 'withdrawal',
    way: 'link',
    begun_by: 'link',
    recipients: [{ buyer_id: 'kapital', confirmed_by: 'link' }],
  });
  const sent = letters().length;
  await cloud.advance(8 * 24 * 3_600_000);
  await cloud.settled();
  expect(
    letters()
      .slice(sent)
      .some(({ text }) => text === letter?.text),
  ).toBe(false);
  await cloud.admin.logIn();
});

it('a link to withdraw says that the person’s data is gone once the lead is erased', async () => {
  const { lead_id, withdrawal_url = '' } = await send('gone', {
    email: 'gone@example.org',
    telefon: '+49 170 4444445',
    consent: consent(),
  });
  await cloud.settled();
  const params = { token: withdrawal_url.split('/').at(-1) ?? '' };
  await cloud.admin.ok('beginErasure', { body: { lead_ids: [lead_id] } });
  await cloud.settled();
  const over = { purpose: 'withdraw', state: 'over', done_at: null };
  expect(await cloud.visitor.ok('viewConsentLink', { params })).toEqual(over);
  expect(await cloud.visitor.ok('followConsentLink', { params })).toEqual(over);
});

it('an admin withdraws, and the person’s mark outlives the erasure', async () => {
  const { admin } = cloud;
  const person = { email: 'five@example.org', telefon: '+49 170 5555555' };
  const { lead_id } = await admin.ok('createLead', { body: aLeadRequest(person) });
  await cloud.settled();
  const body = { lead_ids: [lead_id] };
  const { erasure } = await admin.ok('withdrawConsent', { body });
  expect(erasure).toMatchObject({ purpose: 'withdrawal', way: 'admin', stage: 'checking' });
  expect((await admin.ok('withdrawConsent', { body })).erasure.erasure_id).toBe(erasure.erasure_id);
  const { sections } = await admin.ok('getPerson', { query: { leads: lead_id } });
  expect(sections.map(({ kind }) => kind)).toContain('doNotContact');
  const certificate = await admin.raw('GET', `/api/people/erasures/${erasure.erasure_id}/certificate`);
  expect(Buffer.from(certificate.body as Uint8Array).toString('utf8')).toContain('Nachweis eines Widerrufs');

  await admin.ok('beginErasure', { body });
  await cloud.advance(121_000);
  await cloud.settled();
  expect(await admin.call('createLead', { body: aLeadRequest(person) })).toMatchObject({
    status: 409,
    body: { code: 'consent_withdrawn' },
  });
});
