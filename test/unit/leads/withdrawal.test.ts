/** The withdrawal of a consent, on the in-memory table: what it changes, and what a death at any call leaves to the next run. */
import { describe, expect, it } from 'vitest';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { keys } from '#functions/data/table/keys';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { continueErasures } from '#functions/domain/leads/erasures';
import { personToken, readPersonToken } from '#functions/domain/leads/person-links';
import { withdrawConsent } from '#functions/domain/leads/withdrawal';
import type { DeliveryStatus } from '#shared/rules/constants';
import { aPerson } from '#test/factories/people';
import { addBuyers, distributionOn, itemsOf, leadsAmong, runDying } from '#test/harness/distribution';
import { type ErasureWorld, erasuresOn, erasureWorld, laterWorld } from '#test/harness/erasures';
import { addSources, fingerprintsOf, intakeOn, post } from '#test/harness/intake';

const PERSON = { email: 'anna@example.org', telefon: '+4917012345' };
const ASKED = { who: 'ada', way: 'admin' } as const;

const intake = ({ table, runtime }: ErasureWorld) => intakeOn(table, runtime);

/** One lead of the person at each of two buyers, whose deliveries are open, and one that is pending. */
async function plant(one: ErasureWorld) {
  const { table, runtime } = one;
  await addBuyers(
    table,
    [
      { id: 'anna', probability: 50, limit: 1 },
      { id: 'bert', probability: 50, limit: 1 },
    ],
    runtime,
  );
  const sources = await addSources(table, 3);
  for (const source of sources) await post(table, source, PERSON, intake(one));
  const leads = leadsAmong(await itemsOf(table));
  expect(leads.map(({ status }) => status).toSorted()).toEqual(['assigned', 'assigned', 'pending']);
  // The pending one last: it is discarded, and then no longer names the person.
  const inOrder = leads.toSorted((one, other) => (one.status < other.status ? -1 : 1));
  return { leadIds: inOrder.map(({ lead_id }) => lead_id), source: sources[0]! };
}

const leadsOf = async ({ table }: ErasureWorld) => leadsAmong(await itemsOf(table));
const deliveriesOf = async ({ table }: ErasureWorld) =>
  (await itemsOf(table)).filter(({ sk }) => String(sk).startsWith('DELIVERY#'));
const emailsOf = async ({ table }: ErasureWorld) =>
  (await itemsOf(table)).filter(({ sk, about }) => sk === 'NOTIFICATION' && about === 'erasure');

async function expectWithdrawn(one: ErasureWorld, why = '') {
  const leads = await leadsOf(one);
  expect(leads.map(({ status }) => status).toSorted(), why).toEqual(['assigned', 'assigned', 'discarded']);
  for (const lead of leads) expect(lead.withdrawn_at, why).toBeDefined();
  const statuses = (await deliveriesOf(one)).map(({ status }) => status as DeliveryStatus);
  expect(new Set(statuses), why).toEqual(new Set(['failed']));
  for (const hash of await fingerprintsOf(aPerson(PERSON)))
    expect((await doNotContactStore.ofEach(one, [hash]))[0]?.withdrawn_at, why).toBeDefined();
  const emails = await emailsOf(one);
  expect(
    emails.map(({ buyer, email_number }) => `${String(buyer)}: ${String(email_number)}`).toSorted(),
    why,
  ).toEqual(['1: 1', '2: 1']);
}

describe('a withdrawal', () => {
  it('takes the person’s leads out of distribution, fails open deliveries and notifies each buyer once', async () => {
    const one = erasureWorld();
    const { leadIds } = await plant(one);
    const withdrawal = await withdrawConsent(erasuresOn(one), ASKED, [leadIds[0]!]);
    expect(withdrawal).toMatchObject({ purpose: 'withdrawal', way: 'admin', stage: 'checking' });
    await expectWithdrawn(one);
    const pending = (await leadsOf(one)).find(({ status }) => status === 'discarded');
    expect(pending).toMatchObject({ email: '', telefon: '', erased_at: expect.any(String) });
    one.later(61_000);
    await continueErasures(erasuresOn(one));
    const stored = await erasureStore.get(one, withdrawal?.erasure_id ?? '');
    expect(stored).toMatchObject({ stage: 'done' });
    expect(stored).not.toHaveProperty('persons');
    expect(stored).not.toHaveProperty('fingerprints');
    await expectWithdrawn(one);
  });

  it('is the same when it is repeated, also at the same time', async () => {
    const one = erasureWorld();
    const { leadIds } = await plant(one);
    const context = erasuresOn(one);
    const both = await Promise.all([
      withdrawConsent(context, ASKED, [leadIds[0]!]),
      withdrawConsent(context, ASKED, [leadIds[1]!]),
    ]);
    const again = await withdrawConsent(context, { who: 'link', way: 'link' }, [leadIds[0]!]);
    const ids = [...both, again].map((withdrawal) => withdrawal?.erasure_id);
    expect(new Set(ids).size).toBe(1);
    await expectWithdrawn(one);
  });

  it.each(['link', 'source'] as const)(
    'by a %s leaves alone the leads of a person of whom only the phone number was posted',
    async (way) => {
      const one = erasureWorld();
      const { leadIds } = await plant(one);
      const sources = await addSources(one.table, 6);
      const forged = { email: 'mallory@example.org', telefon: PERSON.telefon };
      const { lead_id } = await post(one.table, sources[4]!, forged, intake(one));
      const withdrawal = await withdrawConsent(erasuresOn(one), { who: way, way }, [lead_id]);
      expect(withdrawal?.lead_ids).toEqual([lead_id]);
      one.later(61_000);
      await continueErasures(erasuresOn(one));
      for (const id of leadIds) expect(await leadStore.get(one, id)).not.toHaveProperty('withdrawn_at');
      expect((await post(one.table, sources[5]!, PERSON, intake(one))).status).toBe('accepted');
      expect((await post(one.table, sources[3]!, forged, intake(one))).status).toBe('withdrawn');
    },
  );

  it('by a link covers the leads with the same phone number and e-mail address', async () => {
    const one = erasureWorld();
    const { leadIds } = await plant(one);
    await withdrawConsent(erasuresOn(one), { who: 'link', way: 'link' }, [leadIds[0]!]);
    const leads = await leadsOf(one);
    expect(leads.map(({ withdrawn_at }) => withdrawn_at)).not.toContain(undefined);
    const fresh = (await addSources(one.table, 4))[3]!;
    expect((await post(one.table, fresh, PERSON, intake(one))).status).toBe('withdrawn');
  });

  it('of nobody that is known does nothing', async () => {
    const one = erasureWorld();
    expect(await withdrawConsent(erasuresOn(one), ASKED, ['unknown'])).toBeUndefined();
    expect(await itemsOf(one.table)).toEqual([]);
  });

  it.for(['before', 'after'] as const)(
    'is completed by the next run if the process died %s a call took effect',
    async (when) => {
      const planted = erasureWorld();
      const { leadIds } = await plant(planted);
      for (let call = 1; ; call += 1) {
        const one = laterWorld(planted);
        const died = await runDying(one.table, call, when, (on) =>
          withdrawConsent(erasuresOn(one, on), ASKED, [leadIds[0]!]),
        );
        const isBegun = (await erasureStore.list(one, { limit: 9 })).erasures.length > 0;
        if (!isBegun) await withdrawConsent(erasuresOn(one), ASKED, [leadIds[0]!]);
        for (let minute = 0; minute < 3; minute += 1) {
          one.later(61_000);
          await continueErasures(erasuresOn(one));
        }
        await expectWithdrawn(one, `died at call ${call}`);
        const { erasures } = await erasureStore.list(one, { limit: 9 });
        expect(erasures.map(({ stage }) => stage)).toEqual(['done']);
        if (!died) return;
      }
    },
  );

  it('takes out a lead that was stored meanwhile, after a minute', async () => {
    const one = erasureWorld();
    const { leadIds, source } = await plant(one);
    await withdrawConsent(erasuresOn(one), ASKED, [leadIds[0]!]);
    // Its process read the marks before they were written.
    for (const mark of await fingerprintsOf(aPerson(PERSON)))
      await one.table.delete({ delete: keys.doNotContact(mark) });
    const other = (await addSources(one.table, 4))[3]!;
    const { lead_id } = await post(one.table, other, PERSON, intake(one));
    expect(source.source).not.toBe(other.source);
    one.later(61_000);
    await continueErasures(erasuresOn(one));
    expect(await leadStore.get(one, lead_id)).toMatchObject({
      status: 'discarded',
      withdrawn_at: expect.any(String),
    });
    expect(await emailsOf(one)).toHaveLength(2);
  });
});

describe('a new lead of a person who withdrew the consent', () => {
  const withdrawn = async () => {
    const one = erasureWorld();
    const { leadIds } = await plant(one);
    await withdrawConsent(erasuresOn(one), ASKED, [leadIds[0]!]);
    const [, , , , fresh] = await addSources(one.table, 5);
    return { one, source: fresh! };
  };
  const NEWS = { email: 'new@example.org', telefon: '+4917099999' };

  it.each([
    ['phone number', { ...NEWS, telefon: PERSON.telefon }],
    ['e-mail address', { ...NEWS, email: PERSON.email }],
  ])('is refused by its %s alone, without the person, and with the same answer again', async (_, person) => {
    const { one, source } = await withdrawn();
    const first = await post(one.table, source, person, intake(one), 'x');
    expect(first.status).toBe('withdrawn');
    expect(await post(one.table, source, person, intake(one), 'x')).toEqual(first);
    expect(await leadStore.get(one, first.lead_id)).toMatchObject({
      status: 'withdrawn',
      email: '',
      telefon: '',
    });
  });

  it('is refused also if the source has no window for duplicates', async () => {
    const { one, source } = await withdrawn();
    const open = { ...source, window_days: 0 };
    expect((await post(one.table, open, PERSON, intake(one))).status).toBe('withdrawn');
    expect((await post(one.table, open, NEWS, intake(one))).status).toBe('accepted');
  });

  it('from an admin is refused and not stored', async () => {
    const { one } = await withdrawn();
    const before = (await leadsOf(one)).length;
    const context = { ...distributionOn(one.table, one), fingerprintsOf };
    for (const buyer of [undefined, 'anna'])
      await expect(ingest(context, aPerson(PERSON), buyer)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'consent_withdrawn',
      });
    expect(await leadsOf(one)).toHaveLength(before);
  });

  it('is refused by the reconciliation if its process died after it was stored', async () => {
    const { one } = await withdrawn();
    const at = one.runtime.now().toISOString();
    const lead_id = one.runtime.newId();
    const lead = {
      ...aPerson(PERSON),
      lead_id,
      status: 'received',
      received_at: at,
      distribution_attempt: 1,
    } as const;
    await leadStore.receive(one, { ...lead, in_flight_since: at });
    one.later(60_000);
    await reconcile({ ...distributionOn(one.table, one), fingerprintsOf });
    expect(await leadStore.get(one, lead_id)).toMatchObject({ status: 'withdrawn', email: '' });
  });
});

describe('a person’s link', () => {
  const KEY = Buffer.alloc(32, 7);
  const LEAD = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

  it('names its lead and purpose, and no other key or lead makes it', () => {
    const token = personToken(KEY, LEAD, 'withdraw');
    expect(readPersonToken(KEY, token)).toEqual({ leadId: LEAD, purpose: 'withdraw' });
    expect(readPersonToken(Buffer.alloc(32, 8), token)).toBeUndefined();
    expect(readPersonToken(KEY, token.replace('01A', '02A'))).toBeUndefined();
    for (let at = 0; at < token.length; at += 1) {
      const forged = `${token.slice(0, at)}${token[at] === '0' ? '1' : '0'}${token.slice(at + 1)}`;
      // The last character has two bits that decode to nothing.
      if (at < token.length - 1) expect(readPersonToken(KEY, forged), `character ${at}`).toBeUndefined();
    }
  });
});
