/** The proof of a delivered lead's consent outlives the person, encrypted, until its period ends. On the in-memory table. */
import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as consentStore from '#functions/data/leads/consent';
import * as keptConsentStore from '#functions/data/leads/kept-consent-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { eraseLead } from '#functions/domain/leads/erasure';
import { openKeptConsent } from '#functions/domain/leads/kept-consents';
import { saveRetention } from '#functions/domain/leads/retention';
import { createErasure } from '#functions/platform/erasure';
import { A_CONSENT } from '#test/factories/consents';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  quietRuntime,
  runDying,
} from '#test/harness/distribution';
import { erasuresOn } from '#test/harness/erasures';
import { memoryTable } from '#test/harness/memory-table';

const BEGINS = Date.parse('2026-11-24T10:00:00.000Z');
const PERSON = aPerson({ email: 'qzx.wert@example.org', telefon: '+4915198765432', nachname: 'Qzxwert' });
const CONSENT = A_CONSENT.consent;
// Six letters, because a random seed contains three of them by chance.
const NAMED = /qzxwert|qzx\.wert|98765432/i;

/** A lead with consent; a buyer received it unless there is none. */
async function aLead(buyers = 1) {
  const table = memoryTable();
  let now = BEGINS;
  const runtime = { ...quietRuntime, now: () => new Date(now), sleep: async () => undefined };
  const admin = adminOn(table, runtime);
  if (buyers > 0) await addBuyers(table, [{ id: 'anna', probability: 60, limit: 9 }], runtime);
  const { lead_id } = await ingest(distributionOn(table, { runtime }), PERSON, undefined, {
    lead_id: runtime.newId(),
    consent: { ...A_CONSENT, wording: 'I agree' },
  });
  const before = await consentStore.get({ table }, lead_id);
  const erase = (on: Table = table) =>
    eraseLead(erasuresOn({ table, runtime }, on), 'ada', lead_id, 'request');
  const found = (typed: string) =>
    keptConsentStore.ofPerson({ table }, Buffer.alloc(32), typed, runtime.now());
  const open = () => openKeptConsent(admin, 'ada', lead_id, 'Asked by the authority');
  const leaf = async () => consentStore.consentLeaf((await consentStore.get({ table }, lead_id))!);
  return {
    table,
    admin,
    lead_id,
    before: before!,
    erase,
    found,
    open,
    leaf,
    at: (t: string) => void (now = Date.parse(t)),
  };
}

describe('the proof of consent of an erased lead', () => {
  it('is found by the whole address or number, and opened with a reason that is recorded', async () => {
    const one = await aLead();
    const sealed = await one.leaf();
    await one.erase();
    expect(JSON.stringify(await itemsOf(one.table))).not.toMatch(NAMED);
    expect(JSON.stringify(await itemsOf(one.table))).not.toContain(CONSENT.ip);
    expect(await one.leaf()).toBe(sealed);
    const kept = [{ lead_id: one.lead_id, kept_until: '2031-11-24T10:00:00.000Z' }];
    expect(await one.found('QZX.wert@example.org')).toEqual(kept);
    expect(await one.found('0151 98765432')).toEqual(kept);
    expect(await one.found('qzx')).toEqual([]);
    const proof = await one.open();
    expect(proof).toMatchObject({
      seed: one.before.seed,
      person: { nachname: 'Qzxwert', telefon: '+4915198765432' },
      consent: { ip: CONSENT.ip, text: CONSENT.text },
      received: [{ buyer: 1, number: '1-1' }],
    });
    expect((await one.open()).kept_until).toBe(proof.kept_until);
    const { entries } = await auditStore.list(one, { entity: 'lead', entityId: one.lead_id }, { limit: 1 });
    expect(entries[0]).toMatchObject({
      who: 'ada',
      action: 'consent_proof_opened',
      changes: [{ field: 'reason', from: null, to: 'Asked by the authority' }],
    });
  });

  it('is gone at the end of its period, even if the table has not removed it yet', async () => {
    const one = await aLead();
    await one.erase();
    expect(await one.table.get(keys.keptConsent(one.lead_id))).toMatchObject({
      expires_at: Date.parse('2031-11-24T10:00:00.000Z') / 1000,
    });
    one.at('2031-11-24T09:59:59.000Z');
    expect(await one.found(PERSON.email)).toHaveLength(1);
    one.at('2031-11-24T10:00:00.000Z');
    expect(await one.found(PERSON.email)).toEqual([]);
    await expect(one.open()).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('stays as it is when the erasure is repeated, whichever call its process dies at', async () => {
    for (const when of ['before', 'after'] as const)
      for (let call = 1; ; call += 1) {
        const one = await aLead();
        const died = await runDying(one.table, call, when, one.erase);
        await one.erase();
        const first = await one.table.get(keys.keptConsent(one.lead_id));
        expect(first, `died at call ${call}`).toBeDefined();
        await one.erase();
        expect(await one.table.get(keys.keptConsent(one.lead_id))).toEqual(first);
        expect(JSON.stringify(await itemsOf(one.table))).not.toMatch(NAMED);
        if (!died) break;
      }
  }, 30_000);

  it('is not kept of a lead that no buyer received, nor if the setting is off', async () => {
    for (const years of [5, null]) {
      const one = await aLead(years === null ? 1 : 0);
      await saveRetention(one.admin, 'ada', { consent_years: years }, { consent_years: 5 });
      const sealed = await one.leaf();
      await one.erase();
      expect(await one.table.get(keys.keptConsent(one.lead_id))).toBeUndefined();
      expect(JSON.stringify(await itemsOf(one.table))).not.toMatch(NAMED);
      expect(await one.leaf()).toBe(sealed);
    }
  });

  it('is required: without the application keys a delivered lead is not erased', async () => {
    const { table, lead_id } = await aLead();
    const keyless = createErasure(table, quietRuntime);
    await expect(eraseLead(keyless, 'operator', lead_id, 'request')).rejects.toMatchObject({
      code: 'keys_required',
    });
  });
});
