/** Where leads without consent to be called go, by their source's policy, on the in-memory table. */
import { describe, expect, it } from 'vitest';
import { readPosted } from '#functions/api/intake/posted';
import { consentPut } from '#functions/data/leads/consent';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { keys } from '#functions/data/table/keys';
import { assignByHand, distributeAgain } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { ingestPosted, tryPosted } from '#functions/domain/sources/intake';
import type { ConsentChannel } from '#shared/rules/consent';
import { A_CONSENT, aSentConsent } from '#test/factories/consents';
import { aPerson } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { addBuyers } from '#test/harness/distribution';
import { addSources, intakeOn } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-06-01T10:00:00Z');

async function aWorld(changes = {}) {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'alpha', probability: 50, limit: 30 }]);
  const [source] = await addSources(table, 1, { consent: 'hold', ...changes });
  if (source === undefined) throw new Error('No source');
  const deps = intakeOn(table);
  const rows = (count: number, channels?: readonly ConsentChannel[]) =>
    Array.from({ length: count }, (_, at) => ({
      external_id: `${channels?.join() ?? 'none'}-${at}`,
      content: `${at}`,
      person: aPerson({
        telefon: `+4930${channels?.length ?? 0}${at}`,
        email: `${channels?.join('-') ?? 'none'}${at}@example.org`,
      }),
      ...(channels !== undefined && {
        consent: { ...A_CONSENT, consent: { ...A_CONSENT.consent, channels: [...channels] } },
      }),
    }));
  const post = async (count: number, channels?: readonly ConsentChannel[]): Promise<Lead[]> => {
    const results = await ingestPosted(deps, source, rows(count, channels), count);
    return (
      await leadStore.getMany(
        deps,
        results.map(({ lead_id }) => lead_id),
      )
    ).flatMap((one) => one ?? []);
  };
  const get = async (id: string) => (await leadStore.get(deps, id))!;
  return { table, deps, source, rows, post, get };
}

const outcome = ({ status, reason }: Lead) => reason ?? status;

describe('a source that holds leads without consent', () => {
  it.each([
    ['a lead', 1, 30],
    ['several leads', 4, 30],
    ['a batch', 12, 30],
    ['a lead without a check for duplicates', 1, 0],
  ])('has %s wait', async (_, count, window_days) => {
    const { post, deps } = await aWorld({ window_days });
    const without = await post(count);
    expect(without.map(outcome)).toEqual(without.map(() => 'consent_missing'));
    const byMail = await post(count, ['email']);
    expect(byMail.map(outcome)).toEqual(byMail.map(() => 'consent_missing'));
    const [called] = await post(1, ['phone', 'email']);
    expect(called?.status).toBe('assigned');
    expect(await reconcile(deps, 0)).toMatchObject({ resumed: 0 });
  });

  it('has a lead wait after a crash, also one whose person was resolved', async () => {
    const { deps, table, post, get } = await aWorld();
    const [one] = await post(1);
    const resumed = async (change: object) => {
      const item = await table.get(keys.lead(one!.lead_id));
      const { reason: _, ...rest } = item!;
      const inFlight = leadStore.restartWith(deps, await get(one!.lead_id), NOW.toISOString(), {
        verified: true,
      });
      await table.transact([inFlight.update]);
      const { reason: __, ...now } = (await table.get(keys.lead(one!.lead_id)))!;
      await table.put({ put: { ...rest, ...now, ...change, ...keys.lead(one!.lead_id) } });
      await reconcile(deps, 0);
      return outcome(await get(one!.lead_id));
    };
    expect(await resumed({})).toBe('consent_missing');
    expect(await resumed({ earlier_leads: ['earlier'] })).toBe('consent_missing');
  });

  it('is predicted by a dry run', async () => {
    const { deps, source, rows } = await aWorld();
    expect((await tryPosted(deps, source, rows(1))).results).toEqual([
      { status: 'pending', reason: 'consent_missing' },
    ]);
    expect((await tryPosted(deps, source, rows(1, ['phone']))).results).toMatchObject([
      { status: 'assigned' },
    ]);
  });

  it('has it wait until an admin assigns it, the person consents or the source ignores consent', async () => {
    const { deps, post, table, source, get } = await aWorld();
    const [one, two, three] = await post(3);
    const again = (lead: Lead | undefined) => distributeAgain(deps, 'nina', lead!.lead_id);
    expect(await again(one)).toMatchObject({ status: 'pending', reason: 'consent_missing' });
    expect(await assignByHand(deps, 'nina', one!.lead_id, { person: {}, buyerId: 'alpha' })).toMatchObject({
      status: 'assigned',
    });
    const item = await table.get(keys.lead(two!.lead_id));
    await table.put({ put: { ...item!, consent: ['phone'], ...keys.lead(two!.lead_id) } });
    expect(await again(two)).toMatchObject({ status: 'pending', reason: 'consent_missing' });
    const record = {
      lead_id: two!.lead_id,
      recorded_at: NOW.toISOString(),
      person: '{}',
      consent: '{}',
      seed: 's',
    };
    await table.put(consentPut(record));
    expect(await again(two)).toMatchObject({ status: 'assigned' });
    await table.put({
      put: {
        ...(await table.get(keys.source(source.source)))!,
        consent: 'ignore',
        ...keys.source(source.source),
      },
    });
    expect(await again(three)).toMatchObject({ status: 'assigned' });
    expect(await get(three!.lead_id)).not.toHaveProperty('must_consent');
  });
});

describe('a source that requires consent', () => {
  const read = (consent?: object) =>
    readPosted(
      { mapping: {}, defaults: {}, consent_texts: [], consent: 'require' },
      { ...aPostedLead(), ...(consent && { consent }) },
      NOW,
    );

  it('has a lead without it refused', () => {
    for (const refused of [read(), read(aSentConsent({ channels: ['email'] }))])
      expect(refused).toMatchObject({
        unless: { fields: { consent: expect.stringMatching(/required/) } },
      });
    const accepted = read(aSentConsent());
    expect(accepted).toHaveProperty('posted');
    expect(accepted).not.toHaveProperty('unless');
  });
});
