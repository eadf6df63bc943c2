/**
 * An erasure whose process dies at any call is finished by the next run. Afterwards nothing identifies the person, neither
 * data nor hashes. Runs on the in-memory table.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as verificationResultStore from '#functions/data/distribution/verification-result-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import * as intakeKeyStore from '#functions/data/leads/idempotency-key-store';
import { intakeKeyName } from '#functions/data/leads/idempotency-key-store';
import type { Person } from '#functions/data/leads/lead';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { ingest } from '#functions/domain/distribution/distribution';
import { eraseLead } from '#functions/domain/leads/erasure';
import {
  beginErasure,
  confirmByToken,
  continueErasure,
  continueErasures,
} from '#functions/domain/leads/erasures';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { aPerson } from '#test/factories/people';
import { aTemplate } from '#test/factories/templates';
import { claimLead } from '#test/harness/claims';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  leadsAmong,
  runDying,
} from '#test/harness/distribution';
import { type ErasureWorld, erasuresOn, erasureWorld, laterWorld } from '#test/harness/erasures';
import { addSources, fingerprintsOf, intakeOn, post } from '#test/harness/intake';

const PERSON = {
  vorname: 'Qzxqzxana',
  nachname: 'Qzxqzxwert',
  email: 'qzxqzx.wert@example.org',
  telefon: '+49151987654',
};

const RESULT = 'the hash of the verification result';
const REQUEST = 'the hash of the whole request';
const verifiedAs = async ({ email }: Person) => (email === PERSON.email ? [RESULT] : []);

const contextOn = (one: ErasureWorld, on?: Table) => {
  // It forgets only what the table no longer holds.
  const forgetSidecar = async () => (await traces(one.table)).length === 0;
  return erasuresOn(one, on, { verifiedAs, forgetSidecar });
};

/** The person came from a source twice and from an admin; one lead is claimed, one edited, one a duplicate. */
async function plant(one: ErasureWorld): Promise<string[]> {
  const { table, runtime } = one;
  const admin = adminOn(table, runtime);
  await addBuyers(table, [{ id: 'anna', probability: 60, limit: 9 }], runtime);
  const [source] = await addSources(table, 1);
  const intake = intakeOn(table, runtime);
  const person = aPerson({ ...PERSON, clickId: 'qzxqzx-click' });
  await post(table, source!, person, intake);
  await post(table, source!, person, intake);
  const key = 'a key of the client';
  const named = {
    lead_id: runtime.newId(),
    fingerprint: REQUEST,
    taken_at: runtime.now().toISOString(),
  };
  await intakeKeyStore.take({ table }, key, named);
  const byHand = { lead_id: named.lead_id, intake_key: intakeKeyName(key) };
  await ingest(distributionOn(table, { runtime }), person, 'anna', byHand);
  await verificationResultStore.put(
    { table },
    RESULT,
    { status: 'valid', note: null },
    new Date(runtime.now().getTime() * 2),
  );
  const event = {
    id: 'e',
    state: 'bounced_hard',
    at: runtime.now().toISOString(),
    by: 'smtp',
    code: '550',
  } as const;
  await addressStore.write(
    admin,
    await addressStore.read(admin, PERSON.email),
    { events: [{ ...event, diagnostic: null }] },
    runtime.now(),
  );
  const leads = leadsAmong(await itemsOf(table));
  const assigned = leads.filter(({ status }) => status === 'assigned');
  const [claimed, edited] = assigned;
  await claimLead(admin, claimed!.lead_id, { reason: 'Frau Qzxqzxwert gibt es nicht' });
  await editLead(admin, 'ada', edited!.lead_id, { vorname: 'Qzxqzxneu' });
  await deleteLead(admin, 'ada', edited!.lead_id);
  expect(leads.map(({ status }) => status).toSorted()).toEqual(['assigned', 'assigned', 'duplicate']);
  return leads.map(({ lead_id }) => lead_id);
}

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Items that still identify the person, in plain text or by a hash. */
async function traces(table: Table): Promise<string[]> {
  const address = await addressStore.keyOf(adminOn(table), PERSON.email);
  const telling = [...(await fingerprintsOf(aPerson(PERSON))), RESULT, address.pk, REQUEST];
  return (await itemsOf(table)).flatMap((item) => {
    const text = JSON.stringify(item, withSets);
    const key = `${String(item.pk)} ${String(item.sk)}`;
    // Six letters and nine digits, because a random seed contains three of them by chance.
    const isKnown =
      /qzxqzx|151987654/i.test(text) ||
      telling.some((hash) => (item.sk === 'LEAD' ? key : text).includes(hash));
    return isKnown ? [key] : [];
  });
}

describe('a person', () => {
  const planted = erasureWorld();
  let leadIds: string[];
  beforeAll(async () => {
    leadIds = await plant(planted);
  });
  const next = () => laterWorld(planted);

  it('is identified by every kind of item before the erasure', async () => {
    const found = (await traces(planted.table)).join('\n');
    for (const place of [
      'LEAD#',
      'AUDIT#',
      'CLAIM#',
      'CLAIMWORDS#',
      'PERSON#',
      'INTAKE#',
      'ADDRESS#',
      'VERIFICATION#',
    ])
      expect(found).toContain(place);
  });

  it.for(['before', 'after'] as const)(
    'leaves no trace after an erasure whose process died %s a call took effect',
    async (when) => {
      for (let call = 1; ; call += 1) {
        const one = next();
        await beginErasure(contextOn(one), 'ada', leadIds);
        const died = await runDying(one.table, call, when, (on) => continueErasures(contextOn(one, on)));
        // The next runs of the reconciliation: one erases, one checks.
        for (let minute = 0; minute < 4; minute += 1) {
          one.later(61_000);
          await continueErasures(contextOn(one));
        }
        const { erasures } = await erasureStore.list(one, { limit: 9 });
        expect(
          erasures.map(({ stage }) => stage),
          `died at call ${call}`,
        ).toEqual(['done']);
        expect(await traces(one.table), `died at call ${call}`).toEqual([]);
        if (!died) return;
      }
    },
  );

  it('leaves no trace after the check if a running call stored fingerprints during the erasure', async () => {
    const one = next();
    await beginErasure(contextOn(one), 'ada', leadIds);
    await continueErasures(contextOn(one));
    for (const hash of await fingerprintsOf(aPerson(PERSON))) {
      const lead = { lead_id: leadIds[0]!, source: 1, received_at: one.runtime.now().toISOString() };
      await personFingerprintStore.take(one, { hash, lead, days: 30 });
    }
    expect((await traces(one.table)).join()).toContain('PERSON#');
    one.later(61_000);
    await continueErasures(contextOn(one));
    expect(await traces(one.table)).toEqual([]);
  });

  it('leaves no trace after the remaining leads of an interrupted run are erased', async () => {
    for (let call = 1; ; call += 1) {
      const one = next();
      const erase = async (on: Table, ids: readonly string[]) => {
        for (const id of ids) await eraseLead(contextOn(one, on), 'system', id, 'retention');
      };
      const when = call % 2 === 0 ? 'before' : 'after';
      const died = await runDying(one.table, call, when, (on) => erase(on, leadIds));
      // Retention skips leads that are already blank.
      const leads = leadsAmong(await itemsOf(one.table));
      const left = leads.filter(({ erased_at }) => erased_at === undefined);
      await erase(
        one.table,
        left.map(({ lead_id }) => lead_id),
      );
      expect(await traces(one.table), `died at call ${call}`).toEqual([]);
      if (!died) return;
    }
  });
});

describe('an erasure', () => {
  /** An erasure of one lead that went to two buyers. */
  async function begun() {
    const one = erasureWorld();
    const context = contextOn(one);
    await addBuyers(one.table, [{ id: 'anna', probability: 60, limit: 9 }], one.runtime);
    const { lead_id } = await ingest(distributionOn(one.table, one), aPerson(PERSON), undefined);
    const erasure = await beginErasure(context, 'ada', [lead_id]);
    const [recipient] = await erasureStore.recipients(one, erasure.erasure_id);
    const byHand = { ...recipient!, buyer: 2, by_hand: true };
    await one.table.put({ put: { ...keys.erasureRecipient(erasure.erasure_id, 2), ...byHand } });
    const recipients = () => erasureStore.recipients(one, erasure.erasure_id);
    return { one, context, erasure, lead_id, recipients };
  }

  it('asks each buyer with an address once, even if its first step is repeated', async () => {
    const { context, erasure, recipients } = await begun();
    for (let times = 0; times < 2; times += 1)
      expect(await continueErasure(context, erasure)).toMatchObject({ stage: 'checking' });
    expect((await recipients()).map(({ buyer, email_count }) => [buyer, email_count])).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });

  it('erases data that reappears after a minute, and ends when external copies are gone too', async () => {
    const { one, context, erasure, lead_id } = await begun();
    let isForgotten = false;
    const waiting = { ...context, forgetSidecar: async () => isForgotten };
    const checking = await continueErasure(waiting, erasure);
    const back = { key: keys.lead(lead_id), update: 'SET vorname = :name', values: { ':name': 'Qzxqzx' } };
    await one.table.update(back);
    expect(await continueErasure(waiting, checking)).toBe(checking);
    expect(await traces(one.table)).toHaveLength(1);
    one.later(60_000);
    expect(await continueErasure(waiting, checking)).toBe(checking);
    expect(await traces(one.table)).toEqual([]);
    expect(await erasureStore.open(one, one.runtime.now(), 9)).toEqual([]);
    isForgotten = true;
    one.later(60_000);
    expect(await erasureStore.open(one, one.runtime.now(), 9)).toHaveLength(1);
    const done = await continueErasure(waiting, checking);
    expect(done).toMatchObject({ stage: 'done', done_at: expect.any(String) });
    expect(await continueErasure(waiting, done)).toBe(done);
  });

  it('is confirmed once by a buyer’s link, which removes the lead’s identifiers', async () => {
    const { one, context, erasure, lead_id, recipients } = await begun();
    const [first] = await recipients();
    await erasureStore.tokenMade(one, 'token', first!, one.runtime.now());
    await expect(confirmByToken(context, 'other')).rejects.toMatchObject({ kind: 'not_found' });
    const confirmed = await confirmByToken(context, 'token');
    expect(confirmed).toMatchObject({ buyer: 1, confirmed_at: expect.any(String), confirmed_by: 'link' });
    one.later(1000);
    expect(await confirmByToken(context, 'token')).toEqual(confirmed);
    const { entries } = await auditStore.list(one, { entity: 'lead', entityId: lead_id }, { limit: 9 });
    expect(entries.map(({ who, action }) => [who, action])).toEqual([
      ['link', 'erasure_confirmed'],
      ['ada', 'erasure_begun'],
    ]);
    await continueErasure(context, erasure);
    expect((await recipients()).map(({ email_count }) => email_count)).toEqual([0, 0]);
  });

  const NO_ADDRESS = { key: keys.buyer(1), update: 'SET buyer_email = :none', values: { ':none': '' } };
  it.each([
    ['a buyer without an address', NO_ADDRESS],
    ['all without a template', { delete: keys.template(aTemplate().id) }],
  ])('is left to manual notification for %s', async (_, change) => {
    const { one, context, lead_id } = await begun();
    const isByHand = async () => {
      const { erasure_id } = await beginErasure(context, 'ada', [lead_id]);
      return (await erasureStore.recipients(one, erasure_id)).map(({ by_hand }) => by_hand);
    };
    expect(await isByHand()).toEqual([false]);
    expect(await one.table.transact([change])).toMatchObject({ ok: true });
    expect(await isByHand()).toEqual([true]);
  });
});
