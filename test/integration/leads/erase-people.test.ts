/** A person with data in every place is found, informed and erased, and afterwards appears nowhere. */

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import { personSchema } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { eraseLead } from '#functions/domain/leads/erasure';
import { beginErasure, continueErasure } from '#functions/domain/leads/erasures';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { createS3FileStore, createStoredFiles } from '#functions/exports/s3-file-store';
import { createKeyLoader } from '#functions/keys/keys';
import { createErasures } from '#functions/platform/erasure';
import { QUEUES } from '#functions/platform/functions';
import { bounceEvent, publish } from '#local/ses-events';
import { verifyConsentProof } from '#shared/rules/consent-proof';
import { aSentConsent } from '#test/factories/consents';
import { aPostedLead } from '#test/factories/sources';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { IN_MEMORY } from '#test/harness/memory-table';
import { ON_OTHER_ENGINE } from '#test/harness/other-engine';
import { type StubServer, startStub } from '#test/harness/stub-server';

let cloud: TestCloud;
let partner: StubServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erase-people-'));
  partner = await startStub();
  partner.answer = () => ({ status: 503, body: 'not now' });
  cloud = await startTestCloud({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await cloud.stop();
  await partner.stop();
  await rm(folder, { recursive: true, force: true });
});

const NAME = 'Qzxwert';
const PERSON = {
  anrede: 'Frau',
  vorname: 'Ünä "Qzx"',
  nachname: NAME,
  email: 'qzx.wert@example.org',
  telefon: '+49 151 98765432',
  anlagebetrag: 25_000,
  laufzeit: 24,
} as const;
const PHONE = '98765432';
const CONSENT = aSentConsent({ page_url: 'https://example.org/?name=Qzxwert' });

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Whether a text or a file contains the person: plain, escaped as JSON, only the number, or as base64. */
function holds(text: string): boolean {
  const lower = text.toLowerCase();
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(`${' '.repeat(shift)}${PERSON.email}`)
      .toString('base64')
      .slice(shift + 2, -4),
  );
  return (
    /(?<![0-9a-z])qzx/.test(lower) ||
    lower.includes('qzxwert') ||
    text.includes('\\u00dcn\\u00e4') ||
    text.includes(PHONE) ||
    encoded.some((part) => text.includes(part))
  );
}

/** Places that contain the person: items by key, files, queues, log lines, stored exports. */
async function places(): Promise<string[]> {
  await cloud.settled();
  const found: string[] = [];
  for await (const items of cloud.table.scan())
    for (const item of items)
      if (holds(JSON.stringify(item, withSets))) found.push(`${String(item.pk)} ${String(item.sk)}`);
  // In memory there are no sidecar files. What another engine stores is its own affair.
  for (const file of IN_MEMORY ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.|checkpoints\//.test(file) || file.startsWith('dynamodb-local')) continue;
    if (holds(readFileSync(join(folder, file)).toString('latin1'))) found.push(`file ${file}`);
  }
  for (const name of QUEUES)
    if (holds(JSON.stringify([await cloud.queues.content(name), await cloud.queues.deadLetters(name)])))
      found.push(`queue ${name}`);
  if (cloud.logs.some(holds)) found.push('log');
  if ((await createStoredFiles(cloud.environment).count()) > 0) found.push('export');
  return found;
}

const personKey = async () => (await createKeyLoader(cloud.environment)()).person;
const deps = () => createErasures(cloud.environment, cloud.runtime, cloud.table);
const textOf = (body: unknown) =>
  body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : JSON.stringify(body);
const linkIn = (text: string) => /\/erasure\/([\w-]{43})/.exec(text)?.[1] ?? '';

/** Stores the person in every place; returns the lead IDs. */
async function plant(): Promise<{ readonly leadIds: string[]; readonly claimed: string }> {
  const { admin } = cloud;
  const template = await addTemplate(cloud);
  const buyers = [
    { buyer_id: 'mail', buyer_email: 'mail@example.org', send_email: true, email_template_id: template },
    { buyer_id: 'api', buyer_email: 'api@example.org', use_sellanylead_api: true },
  ];
  for (const buyer of buyers) await openOrder(admin, { ...buyer, probability: 0 });
  const post = async (key: string) =>
    (
      await admin.ok(
        'createLead',
        { body: { ...PERSON, clickId: 'qzx-click', consent: CONSENT } },
        { 'idempotency-key': key },
      )
    ).lead_id;
  const assigned = async (buyer_id: string, key: string) => {
    const leadId = await post(key);
    await admin.ok('assignPendingLead', { params: { leadId }, body: { buyer_id } });
    return leadId;
  };
  const mailed = await assigned('mail', 'key-1');
  const sent = await assigned('api', 'key-2');
  const pending = await post('key-3');
  await cloud.settled();

  await publish(
    cloud.queues.client,
    cloud.queues.urls.bounces,
    bounceEvent({ to: [PERSON.email] }, 'own', cloud.runtime.now()),
  );

  const { source } = await admin.ok('createSource', {
    body: { name: 'Form', src: 'form', consent: 'ignore' },
  });
  const params = { sourceId: source.source_id };
  const { key } = await admin.ok('createSourceKey', { params });
  await admin.ok('updateSource', { params, body: { state: 'live' } });
  const webhook = {
    url: `${partner.url}/hook`,
    events: ['lead.pending' as const, 'lead.discarded' as const],
  };
  await admin.ok('updateEndpoints', { params, body: { webhook, postback: null } });
  const lead = aPostedLead({ ...PERSON, external_id: 'qzx-form', clickId: 'qzx-click' });
  const posted = await cloud.visitor.raw('POST', '/api/intake', lead, { authorization: `Bearer ${key}` });
  expect(posted.status).toBe(202);
  const twice = { ...lead, external_id: 'qzx-again' };
  const { results } = await admin.ok('importLeads', { params, body: { leads: [twice] } });
  expect(results[0]?.status).toBe('duplicate');
  await cloud.settled();

  await createS3FileStore(cloud.environment, cloud.runtime).keep({
    filename: 'leads.csv',
    contentType: 'text/csv',
    content: Buffer.from(NAME),
  });
  await admin.ok('updateLead', { params: { leadId: mailed }, body: { vorname: 'Qzxfrau' } });
  const { lead: details } = await admin.ok('getLead', { params: { leadId: mailed } });
  await admin.ok('fileClaim', {
    body: {
      lead_id: mailed,
      order_id: details.order_id ?? 0,
      buyer_id: 'mail',
      claim_reason: 'Frau Qzxwert gibt es nicht',
    },
  });
  await cloud.settled();
  const { people } = await admin.ok('findPeople', { query: { q: PERSON.email } });
  expect(people).toHaveLength(1);
  const leadIds = (people[0]?.leads ?? []).map(({ lead_id }) => lead_id);
  expect(leadIds).toEqual(expect.arrayContaining([mailed, sent, pending]));
  expect(leadIds).toHaveLength(4);
  return { leadIds, claimed: mailed };
}

describe('a person', () => {
  it('is found, informed and erased everywhere, and its buyers confirm', async () => {
    const { admin } = cloud;
    const { leadIds, claimed } = await plant();
    const before = await places();
    for (const place of [
      'LEAD#',
      'AUDIT#',
      'CLAIM#',
      'CLAIMWORDS#',
      'WORD#',
      'CALLBACK#',
      ...(IN_MEMORY ? [] : ['file inbox.jsonl']),
      ...(IN_MEMORY || ON_OTHER_ENGINE ? [] : ['file table.db']),
      'export',
    ])
      expect(before.join('\n')).toContain(place);
    const figures = await admin.ok('getDashboardStats');

    const leads = leadIds.join(',');
    const stored = await admin.ok('getPerson', { query: { leads } });
    expect(stored.sections.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'lead',
        'delivery',
        'callback',
        'claim',
        'leadWord',
        'auditEntry',
        'intakeKey',
        'address',
      ]),
    );
    for (const format of ['json', 'html'] as const) {
      const file = await admin.raw('GET', `/api/people/stored/${format}?leads=${leads}`);
      expect(textOf(file.body)).toContain(NAME);
      expect(textOf(file.body)).toContain('mail');
      expect(textOf(file.body)).not.toContain('"admin"');
    }

    const { erasure } = await admin.ok('beginErasure', { body: { lead_ids: leadIds } });
    expect(erasure.stage).toBe('checking');
    expect(erasure.recipients.map(({ buyer_id }) => buyer_id).toSorted((a, b) => a.localeCompare(b))).toEqual(
      ['api', 'mail'],
    );
    await cloud.settled();
    const letters = cloud.inbox.mails.filter(({ text }) => text.includes('/erasure/'));
    expect(letters.map(({ to }) => String(to[0])).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'api@example.org',
      'mail@example.org',
    ]);

    await cloud.advance(61_000);
    const params = { erasureId: erasure.erasure_id };
    expect((await admin.ok('getErasure', { params })).erasure.stage).toBe('done');
    expect(await addressStore.addressState({ table: cloud.table, personKey }, PERSON.email)).toBeUndefined();
    expect(await places()).toEqual([]);
    const found = await admin.ok('findPeople', { query: { q: PERSON.email } });
    expect(found.kept_proofs).toHaveLength(2);
    const { lead: shown } = await admin.ok('getLead', { params: { leadId: claimed } });
    expect(found.kept_proofs).toContainEqual({ lead_id: claimed, kept_until: shown.consent_kept_until });
    const opening = (reason: string) => ({ params: { leadId: claimed }, body: { reason } });
    expect(await admin.call('openKeptConsent', opening('too short'))).toMatchObject({ status: 400 });
    expect(await cloud.visitor.call('openKeptConsent', opening('A long reason'))).toMatchObject({
      status: 401,
    });
    const { proof, file } = await admin.ok('openKeptConsent', opening('Asked by the authority'));
    expect(file).toContain(proof.received[0]?.number);
    expect(proof).toMatchObject({
      person: { nachname: NAME, email: PERSON.email },
      consent: { text: CONSENT.text, page_url: CONSENT.page_url },
      received: [{ buyer_id: 'mail' }],
    });
    expect(await places()).toEqual([]);
    if (!IN_MEMORY) expect(readFileSync(join(folder, 'erased.jsonl'), 'utf8')).toContain(leadIds[0]);
    expect((await admin.ok('findPeople', { query: { q: PERSON.email } })).people).toEqual([]);
    expect(
      (await admin.ok('getPerson', { query: { leads } })).leads.every(({ erased_at }) => erased_at),
    ).toBe(true);

    // Sold leads stay sold, pending ones are discarded, and the claim can still be decided.
    const after = await admin.ok('getDashboardStats');
    expect(after.total_revenue).toBe(figures.total_revenue);
    const { claims } = await admin.ok('listClaims', { query: {} });
    expect(claims[0]).toMatchObject({ lead_id: claimed, nachname: 'erased', claim_status: 'pending' });
    await admin.ok('approveClaim', { params: { claimId: claims[0]?.claim_id ?? 0 }, body: {} });
    expect(
      await admin.call('updateLead', { params: { leadId: claimed }, body: { vorname: 'Neu' } }),
    ).toMatchObject({ status: 409, body: { code: 'person_erased' } });

    const token = linkIn(letters.find(({ to }) => to[0] === 'mail@example.org')?.text ?? '');
    expect(await cloud.visitor.ok('viewErasureConfirmation', { params: { token } })).toMatchObject({
      confirmed_at: null,
    });
    const { confirmed_at } = await cloud.visitor.ok('confirmErasure', { params: { token } });
    expect(confirmed_at).not.toBeNull();
    expect((await cloud.visitor.ok('confirmErasure', { params: { token } })).confirmed_at).toBe(confirmed_at);

    // The other buyer is reminded every seven days, then by an admin, who records its confirmation.
    const open = erasure.recipients.find(({ buyer_id }) => buyer_id === 'api');
    const emailsTo = (address: string) => cloud.inbox.mails.filter(({ to }) => to[0] === address).length;
    const sentBefore = emailsTo('api@example.org');
    for (let week = 0; week < 5; week += 1) {
      await cloud.advance(7 * 24 * 3_600_000 + 1000);
      await cloud.admin.logIn();
      await cloud.settled();
    }
    expect(emailsTo('api@example.org')).toBe(sentBefore + 4);
    const recipient = { erasureId: erasure.erasure_id, buyer: String(open?.buyer) };
    // The chain has sealed it since, and the erasure left its leaf.
    const opened = await admin.ok('openKeptConsent', opening('Asked by the authority'));
    const bytes = new TextEncoder().encode(opened.file);
    const published = await cloud.visitor.ok('listConsentCheckpoints');
    expect(await verifyConsentProof(bytes, published)).toMatchObject({
      ok: true,
      level: expect.stringMatching(/^(sealed|anchored)$/),
    });
    const forged = new TextEncoder().encode(opened.file.replace(NAME, 'Andere'));
    expect(await verifyConsentProof(forged, published)).toMatchObject({ ok: false });
    await admin.ok('remindOfErasure', { params: recipient });
    await cloud.settled();
    expect(emailsTo('api@example.org')).toBe(sentBefore + 5);
    await admin.ok('confirmErasureForBuyer', { params: recipient });
    expect(await admin.call('remindOfErasure', { params: recipient })).toMatchObject({ status: 409 });
    const certificate = await admin.raw('GET', `/api/people/erasures/${erasure.erasure_id}/certificate`);
    expect(textOf(certificate.body)).toContain('erfasst von admin');
    expect(holds(textOf(certificate.body))).toBe(false);

    // Decisions, figures and audit trail are still consistent, and the trail shows who viewed the person.
    expect((await verifyDecisions(cloud.table.scan())).disagreements).toEqual([]);
    const rebuilt = await rebuildStatistics(cloud, false);
    expect(rebuilt).toMatchObject({ leadsCorrected: 0, differences: [] });
    expect(
      (await verifyAudit(auditChainStore.links(cloud), cloud.table.scan(), auditStore.listed(cloud), []))
        .findings,
    ).toEqual([]);
    const accesses = await admin.ok('listAudit', { query: { kind: 'accesses', entity: 'lead' } });
    expect(new Set(accesses.entries.map(({ action }) => action))).toEqual(new Set(['opened', 'exported']));
  }, 60_000);

  it('is neither restored by a running delivery nor assigned by a running attempt', async () => {
    const { admin, inbox, table, runtime } = cloud;
    const body = { ...PERSON, email: 'qzx.drei@example.org', telefon: '+49 151 44455566' };
    inbox.mode = 'greylist';
    const { lead_id: leadId } = await admin.ok('createLead', { body });
    await admin.ok('assignPendingLead', { params: { leadId }, body: { buyer_id: 'mail' } });
    await cloud.settled();
    inbox.mode = 'ok';
    const seen = await deliveryStore.get({ table }, leadId, 'email');
    expect(seen?.status).toBe('retrying');
    const attempt = { at: runtime.now().toISOString(), outcome: 'unknown', status_code: null } as const;
    const until = new Date(runtime.now().getTime() + 600_000);
    const sending = await sendingStore.claim(
      { table },
      deliveryStore.DELIVERIES,
      seen!,
      { ...attempt, request: 'Qzxwert', answer: 'Qzxwert', duration_ms: 1 },
      until,
    );
    const inFlight = {
      ...personSchema.parse(await leadStore.get({ table }, leadId)),
      lead_id: runtime.newId(),
      status: 'received',
      received_at: runtime.now().toISOString(),
      distribution_attempt: 1,
    } as const;
    await leadStore.receive({ table }, inFlight);

    await eraseLead(deps(), 'system', leadId, 'retention');
    await eraseLead(deps(), 'system', inFlight.lead_id, 'retention');
    // A lead that does not fit the chosen buyer is removed, even if an admin has begun to erase it.
    const away = { ...inFlight, lead_id: runtime.newId() };
    await leadStore.receive({ table }, away);
    const erasure = await beginErasure(deps(), 'admin', [away.lead_id]);
    await leadStore.removeReceived({ table }, away);
    expect(await continueErasure(deps(), erasure)).toMatchObject({ stage: 'checking' });
    const result = { status: 'delivered', attempts: sending!.attempts, attempt_count: 2 } as const;
    const late = { ...result, next_attempt_at: null, external_id: 'qzx-id', error: null };
    expect(
      await sendingStore.finish({ table }, deliveryStore.DELIVERIES, sending!, late, runtime.now()),
    ).toBe(false);
    expect(await deliveryStore.get({ table }, leadId, 'email')).toMatchObject({
      status: 'failed',
      attempts: [],
      series: 2,
    });
    expect(
      await leadStore.markPending({ table }, inFlight, { reason: 'no_active_order', notes: ['Qzx'] }),
    ).toBe(false);
    expect(await leadStore.get({ table }, inFlight.lead_id)).toMatchObject({
      status: 'discarded',
      vorname: '',
    });
    await admin.ok('resendDelivery', { params: { leadId, channel: 'email' } });
    await cloud.settled();
    expect(inbox.mails.some(({ text }) => text.includes('qzx.drei'))).toBe(false);
    const { erasures } = await admin.ok('listErasures', { query: {} });
    expect(erasures.every(({ lead_ids }) => !lead_ids.includes(leadId))).toBe(true);
  });
});
