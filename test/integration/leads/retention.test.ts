/**
 * Old leads are erased automatically, except with open claims, owed replacements or incomplete deliveries. No figure
 * changes.
 */

import { expect } from 'vitest';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { leadSchema } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';
import { DAY_MS } from '#test/harness/time';

const cloud = cloudOfFile();
/** The leads by their outcome. */
const leads: Record<string, string> = {};

it.beforeAll(async () => {
  const { admin, inbox } = cloud;
  const template = await addTemplate(cloud);
  const mailed = { send_email: true, email_template_id: template, probability: 0 };
  const keeper = { ...mailed, buyer_id: 'keeper', buyer_email: 'keeper@example.org', price_per_lead: 50 };
  const { buyer_id, orderId } = await openOrder(admin, { ...keeper, buyer_type: 'prepay' });
  const broken = { ...mailed, buyer_id: 'broken', buyer_email: 'broken@example.org' };
  await openOrder(admin, broken);
  const post = async (to?: string) => {
    const { lead_id } = await admin.ok('createLead', {
      body: aLeadRequest(to === undefined ? {} : { buyer_id: to }),
    });
    return lead_id;
  };
  const claim = async (leadId: string) =>
    (
      await admin.ok('fileClaim', {
        body: { lead_id: leadId, order_id: orderId, buyer_id, claim_reason: 'doppelt' },
      })
    ).claim.claim_id;
  for (const name of ['plain', 'another', 'claimed', 'owed', 'rejectedClaim', 'deleted'])
    leads[name] = await post('keeper');
  leads.pending = await post();
  leads.discarded = await post();
  inbox.rule = (recipient) => (recipient === 'broken@example.org' ? 'refuse' : 'ok');
  leads.undelivered = await post('broken');
  await cloud.settled();
  await admin.ok('deleteLead', { params: { leadId: leads.deleted ?? '' } });
  await admin.ok('discardPendingLead', { params: { leadId: leads.discarded ?? '' } });
  await claim(leads.claimed ?? '');
  const approved = await claim(leads.owed ?? '');
  await admin.ok('approveClaim', { params: { claimId: approved }, body: { admin_notes: 'ok' } });
  const refused = await claim(leads.rejectedClaim ?? '');
  await admin.ok('rejectClaim', { params: { claimId: refused }, body: { admin_notes: 'Alt5 gibt es' } });
  await cloud.settled();
  await cloud.advance(40 * DAY_MS);
  await admin.logIn();
  // Paused, because the other buyer would receive it as the replacement.
  leads.young = await post('broken');
  await cloud.settled();
});

const stored = async (name: string) => leadSchema.parse(await cloud.table.get(keys.lead(leads[name] ?? '')));
const named = async () => {
  const entries = await Promise.all(
    Object.keys(leads).map(async (name) => [name, (await stored(name)).nachname] as const),
  );
  return entries.filter(([, nachname]) => nachname !== '').map(([name]) => name);
};

/** The figures that must not change. */
async function figures() {
  const { admin, table, runtime } = cloud;
  await cloud.settled();
  const rebuilt = await rebuildStatistics({ table, runtime }, false);
  expect(rebuilt.differences).toEqual([]);
  const [stats, accounting, orders, dashboard] = await Promise.all([
    admin.ok('getBuyerStats', { query: { time_range: 90 } }),
    admin.call('exportAccounting', { params: { format: 'csv' } }),
    admin.ok('listOrders'),
    admin.ok('getDashboardStats'),
  ]);
  return { stats, accounting: accounting.body, orders, dashboard };
}

it('is off by default, previews what it would erase, and erases exactly that by kind', async () => {
  const { admin } = cloud;
  // Off, without overwriting another admin's setting.
  expect(await admin.ok('getRetention')).toEqual({
    days: { delivered: null, pending: null, rejected: null },
    consent_years: 5,
    pass: null,
  });
  await cloud.reconcile();
  expect(await named()).toHaveLength(9);
  const body = { delivered: 30, expected: { delivered: 60 } };
  expect(await admin.call('saveRetention', { body })).toMatchObject({ status: 409 });
  for (const delivered of [0, 3651, 1.5])
    expect(await admin.call('saveRetention', { body: { delivered } })).toMatchObject({ status: 400 });

  // The preview shows what is then erased, including the reason, and no figure changes.
  const { kinds } = await admin.ok('previewRetention', { query: { delivered: 30, rejected: 41 } });
  expect(kinds).toEqual([
    { kind: 'rejected', leads: 0, held_back: 0, oldest: null, newest: null, more: false },
    expect.objectContaining({ kind: 'delivered', leads: 3, held_back: 3, more: false }),
  ]);
  const oldest = (await stored('plain')).assigned_at;
  expect(kinds[1]).toMatchObject({ oldest, newest: (await stored('rejectedClaim')).assigned_at });
  const before = await figures();
  await admin.ok('saveRetention', { body: { delivered: 30 } });
  await cloud.reconcile();
  expect(await named()).toEqual(['claimed', 'owed', 'deleted', 'pending', 'undelivered', 'young']);
  expect(await figures()).toEqual(before);
  const { entries } = await admin.ok('listAudit', { query: { entity: 'lead', entity_id: leads.plain } });
  expect(entries[0]).toMatchObject({ who: 'system', action: 'erased' });
  expect(entries[0]?.changes).toContainEqual({ field: 'because_of', from: null, to: 'retention' });
  expect(cloud.inbox.mails.filter(({ subject }) => /lösch/i.test(subject))).toEqual([]);
  expect((await admin.ok('getRetention')).pass).toMatchObject({ erased: 3, over: true });

  // Pending and deleted leads have their own periods, from the next day on.
  await admin.ok('saveRetention', { body: { pending: 30, rejected: 30 } });
  await cloud.reconcile();
  expect(await named()).toContain('pending');
  await cloud.advance(DAY_MS);
  await admin.logIn();
  expect(await named()).toEqual(['claimed', 'owed', 'undelivered', 'young']);
  expect(await stored('pending')).toMatchObject({ status: 'discarded' });
  expect((await admin.ok('listPendingLeads', { query: { limit: 10 } })).total).toBe(0);
  expect((await figures()).stats).toBeDefined();

  // The audit chain is intact.
  await cloud.advance(DAY_MS);
  const found = await verifyAudit(
    auditChainStore.links(cloud),
    cloud.table.scan(),
    auditStore.listed(cloud),
    [],
  );
  expect(found).toMatchObject({ findings: [], waiting: 0 });
});
