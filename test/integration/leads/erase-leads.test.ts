/** Nothing that a person told us, or that was written about them, outlives a discarded or an erased lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personSchema } from '#functions/data/leads/lead';
import { blanked, personalFields } from '#functions/data/personal';
import { eraseLead } from '#functions/domain/leads/erasure';
import { createErasure } from '#functions/platform/erasure';
import { leadSchemas } from '#shared/contract/schemas/leads';
import { startTestCloud, type TestCloud } from '#test/harness/cloud';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
}, 60_000);
afterAll(() => cloud.stop());

const PERSON = {
  anrede: 'Frau',
  vorname: 'Erika',
  nachname: 'Mustermann',
  email: 'erika.mustermann@web.example.org',
  telefon: '+49 151 23456789',
  anlagebetrag: 25_000,
  laufzeit: 24,
} as const;

/**
 * What is planted begins so: three letters are the shortest beginning of a word that still tells a person. Not after a
 * letter or digit, for there they stand by chance: once in a few thousand ids.
 */
const MARKER = /(?<![0-9a-z])qzx/i;

/** Every field that a call takes of a person, also one that nobody has thought of here, filled with a text to look for. */
function planted(id: 'createLead' | 'updateLead', text: string): Record<string, unknown> {
  const staying = new Set(personalFields(personSchema).filter((name) => !(name in blanked(personSchema))));
  return Object.fromEntries(
    Object.entries(leadSchemas[id].body.shape).flatMap(([name, schema]) => {
      const value = [text, `${text}@example.org`].find((candidate) => schema.safeParse(candidate).success);
      return value === undefined || staying.has(name) || name === 'buyer_id' ? [] : [[name, value]];
    }),
  );
}

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** The keys of all items in which something planted stands. */
async function knowing(): Promise<string[]> {
  await cloud.settled();
  const found: string[] = [];
  for await (const items of cloud.table.scan())
    for (const item of items)
      if (MARKER.test(JSON.stringify(item, withSets))) found.push(`${String(item.pk)} ${String(item.sk)}`);
  return found;
}

describe('the person of', () => {
  it('a discarded lead is gone', async () => {
    const { lead_id: leadId, status } = await cloud.admin.ok(
      'createLead',
      { body: { ...PERSON, ...planted('createLead', 'qzxalt') } },
      { 'idempotency-key': 'a-key-of-the-clients-own' },
    );
    expect(status).toBe('ineligible');
    await cloud.admin.ok('updateLead', { params: { leadId }, body: planted('updateLead', 'qzxneu') });
    expect(await knowing()).toEqual(
      expect.arrayContaining([`LEAD#${leadId} LEAD`, expect.stringContaining(`AUDIT#lead#${leadId}`)]),
    );
    await cloud.admin.ok('discardPendingLead', { params: { leadId } });
    expect(await knowing()).toEqual([]);
    const { lead } = await cloud.admin.ok('getLead', { params: { leadId } });
    expect(lead).toMatchObject({ status: 'discarded', vorname: '', email: '', anlagebetrag: 25_000 });
  });

  it('a delivered, claimed and deleted lead is gone once it is erased', async () => {
    const deps = createErasure(cloud.table, cloud.runtime);
    await cloud.admin.ok('createBuyer', {
      body: { buyer_id: 'b', buyer_email: 'b@example.org', probability: 0, use_sellanylead_api: true },
    });
    const { order } = await cloud.admin.ok('createOrder', { body: { buyer_id: 'b', lead_limit: 5 } });
    const { lead_id: leadId } = await cloud.admin.ok('createLead', {
      body: { ...PERSON, ...planted('createLead', 'qzxalt') },
    });
    await cloud.admin.ok('assignPendingLead', {
      params: { leadId },
      body: { ...planted('updateLead', 'qzxgut'), buyer_id: 'b' },
    });
    await cloud.settled();
    const { claim } = await cloud.admin.ok('fileClaim', {
      body: {
        lead_id: leadId,
        order_id: order.order_id,
        buyer_id: 'b',
        claim_reason: 'Frau Qzxalt gibt es nicht',
      },
    });
    const claimId = claim.claim_id;
    await cloud.admin.ok('updateLead', { params: { leadId }, body: planted('updateLead', 'qzxneu') });
    await cloud.admin.ok('rejectClaim', { params: { claimId }, body: { admin_notes: 'Herr Qzxalt doch' } });
    await cloud.admin.ok('deleteLead', { params: { leadId } });
    expect(await knowing()).toEqual(
      expect.arrayContaining([
        `LEAD#${leadId} LEAD`,
        `LEAD#${leadId} DELIVERY#sellanylead`,
        `CLAIM#${claimId} CLAIM`,
        expect.stringContaining(`AUDIT#lead#${leadId}`),
        expect.stringContaining(`AUDIT#claim#${claimId}`),
        expect.stringContaining('CLAIMS#ALL#rejected'),
        expect.stringContaining('CLAIMWORDS#'),
      ]),
    );

    await eraseLead(deps, 'operator', leadId, 'request');
    expect(await knowing()).toEqual([]);
    const { claims } = await cloud.admin.ok('listClaims', {
      query: { sort_by: 'nachname', search: String(claimId) },
    });
    expect(claims).toEqual([
      expect.objectContaining({
        claim_id: claimId,
        claim_status: 'rejected',
        claim_reason: '',
        nachname: 'erased',
      }),
    ]);
    await eraseLead(deps, 'operator', leadId, 'request');
    expect(await knowing()).toEqual([]);
  });
});
