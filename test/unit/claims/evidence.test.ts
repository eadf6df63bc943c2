/** The evidence about a claim: gathered from the stores, without data of other buyers. */

import { describe, expect, it } from 'vitest';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Attempt, Delivery, Lead } from '#functions/data/leads/lead';
import { nameOf } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { type Item } from '#functions/data/table/table';
import { evidenceNow, gatherEvidence, knownOfClaim } from '#functions/domain/claims/evidence';
import type { Channel } from '#shared/channels/channels';
import { aNewClaim } from '#test/factories/claims';
import { aDelivery, anAttempt } from '#test/factories/deliveries';
import { sumsItem } from '#test/factories/items';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { aPerson } from '#test/factories/people';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Wednesday, half past midnight in Berlin. */
const NOW = new Date('2026-11-24T23:30:00.000Z');
const { claim: CLAIM } = claimStore.filed(
  aNewClaim({ lead_id: 'own', claim_reason: 'Doppelt', claim_reason_code: 'doppelt' }),
  aPerson(),
);
/** Previously stored evidence. */
const frozen = (at: string) => ({
  at,
  assigned_at: '2026-11-15T00:00:00.000Z',
  checks: [],
  duplicates: [],
  claimed_later: [],
  deliveries: [],
  delivered_at: null,
  opened_at: null,
  source_claims: null,
  feedback: null,
  address: null,
  automatic: null,
});
const leadOf = (lead_id: string, changes: Partial<Lead> = {}) =>
  aLead({
    lead_id,
    status: 'assigned',
    buyer: 7,
    order_id: 12,
    sequence: 1,
    assigned_at: '2026-11-10T00:00:00.000Z',
    email: '',
    telefon: '',
    ...changes,
  });
const OWN = {
  email: 'Anna@Example.org ',
  telefon: '0151 234567',
  assigned_at: '2026-11-15T00:00:00.000Z',
  sequence: 3,
};

interface World {
  readonly own?: Partial<Lead>;
  readonly others?: readonly Lead[];
  readonly deliveries?: readonly Delivery[];
  readonly days?: readonly { readonly source: number; readonly sums: ReadonlyMap<string, number> }[];
  readonly gone?: 'lead' | 'claim' | 'order';
  readonly claim?: Claim;
  /** When the evidence at filing and at decision was read. */
  readonly kept?: { readonly filed?: string; readonly decided?: string };
}

function world({
  own = {},
  others = [],
  deliveries = [],
  days = [],
  gone,
  claim = CLAIM,
  kept = { filed: 'filed' },
}: World = {}) {
  const asked: unknown[][] = [];
  const of = new Map(others.map((lead) => [lead.lead_id, lead]));
  const lead = leadOf('own', { ...OWN, ...own });
  const table = changedTable(memoryTable(), {
    queryAll: async ({ partition, sort }) => {
      if (partition === keys.leadPartition('own') && gone !== 'lead')
        return [
          { ...keys.lead('own'), ...lead },
          ...deliveries.map((one) => ({ ...keys.delivery('own', one.channel), ...one })),
        ];
      if (partition !== keys.sourceDays()) return [];
      asked.push(['range', sort]);
      return days.map(({ source, sums }, at) =>
        sumsItem(nameOf.sourceDay('2026-11-01', source), Object.fromEntries(sums), at),
      );
    },
    getMany: async (wanted): Promise<(Item | undefined)[]> => {
      if (wanted.every(({ sk }) => sk === keys.lead('').sk)) {
        const ids = wanted.map(({ pk }) => pk.replace('LEAD#', ''));
        asked.push(['getMany', ...ids]);
        return ids.map((id) => of.get(id));
      }
      return wanted.map(({ sk }) => {
        const stage = (['filed', 'decided'] as const).find((one) => keys.claimEvidence(5, one).sk === sk);
        const evidence = stage && kept[stage];
        return evidence === undefined ? undefined : { evidence: JSON.stringify(frozen(evidence)) };
      });
    },
    query: async ({ partition, sort }) => {
      if (sort === undefined || !('prefix' in sort) || partition !== keys.leadWords(sort.prefix))
        return { items: [], next: undefined };
      asked.push(['word', sort.prefix]);
      return { items: ['own', ...of.keys()].map((lead_id) => ({ lead_id })), next: undefined };
    },
    get: async ({ pk, sk }) => {
      if (sk === keys.claim(5).sk) return gone === 'claim' ? undefined : claim;
      if (pk === keys.order(12).pk && sk === keys.order(12).sk)
        return gone === 'order' ? undefined : anOrder();
      asked.push(['address', pk]);
      return undefined;
    },
  });
  const deps = { ...adminOn(table, { ...quietRuntime, now: () => NOW }) };
  return { deps, asked };
}
const gathered = async (given: World = {}) => (await gatherEvidence(world(given).deps, CLAIM))!;

describe('other leads of the person', () => {
  it('are looked up by e-mail address and phone number, if these identify a person', async () => {
    const both = world();
    await gatherEvidence(both.deps, CLAIM);
    expect(both.asked.filter(([what]) => what === 'word')).toEqual([
      ['word', 'anna@example.org'],
      ['word', '0151234567'],
    ]);
    const none = world({ own: { email: '', telefon: '0151' } });
    await gatherEvidence(none.deps, CLAIM);
    expect(none.asked).toEqual([]);
    const long = world({ own: { email: '', telefon: '0'.repeat(40) } });
    await gatherEvidence(long.deps, CLAIM);
    expect(String(long.asked[0]?.[1]).length).toBeLessThan(40);
  });

  it('are duplicates if they are earlier and share contact data', async () => {
    const others = [
      leadOf('phone', { telefon: '+49 151 234567', assigned_at: '2026-11-12T00:00:00.000Z' }),
      leadOf('both', {
        ...OWN,
        sequence: 2,
        assigned_at: '2026-11-11T00:00:00.000Z',
        claim_status: 'rejected',
      }),
      leadOf('mail', { email: 'ANNA@example.org' }),
      leadOf('nothing', { email: 'other@example.org', telefon: '0151 999999' }),
      leadOf('another buyer', { ...OWN, buyer: 8, assigned_at: '2026-11-01T00:00:00.000Z' }),
      leadOf('deleted', { ...OWN, status: 'deleted', assigned_at: '2026-11-01T00:00:00.000Z' }),
      leadOf('later', { ...OWN, assigned_at: '2026-11-16T00:00:00.000Z' }),
    ];
    const { duplicates, claimed_later } = await gathered({ others });
    const [first, ...rest] = duplicates;
    expect(first).toEqual({
      lead_id: 'mail',
      order_id: 12,
      sequence: 1,
      delivered_at: '2026-11-10T00:00:00.000Z',
      same: ['email'],
      claim_status: null,
    });
    expect(rest).toMatchObject([
      { lead_id: 'both', sequence: 2, same: ['phone', 'email'], claim_status: 'rejected' },
      { lead_id: 'phone', same: ['phone'], claim_status: null },
    ]);
    expect(claimed_later).toEqual([]);
  });

  it('exclude the lead itself, and the ID decides between equal times', async () => {
    const same = (lead_id: string) => leadOf(lead_id, { ...OWN });
    const { duplicates } = await gathered({ others: [same('own'), same('a'), same('z')] });
    expect(duplicates.map(({ lead_id }) => lead_id)).toEqual(['a']);
  });

  it('count as claimed while a claim is open or was approved', async () => {
    const later = (lead_id: string, claim_status?: Lead['claim_status']) =>
      leadOf(lead_id, {
        ...OWN,
        assigned_at: '2026-11-16T00:00:00.000Z',
        ...(claim_status && { claim_status }),
      });
    const others = [later('a', 'pending'), later('b', 'approved'), later('c', 'rejected'), later('d')];
    const { claimed_later } = await gathered({ others });
    expect(claimed_later.map(({ lead_id, claim_status }) => [lead_id, claim_status])).toEqual([
      ['a', 'pending'],
      ['b', 'approved'],
    ]);
  });

  it('are at most the five oldest, including leads that were linked at ingestion', async () => {
    const others = Array.from({ length: 7 }, (_, at) =>
      leadOf(`l${at}`, { ...OWN, assigned_at: `2026-11-0${7 - at}T00:00:00.000Z` }),
    );
    expect((await gathered({ others })).duplicates.map(({ lead_id }) => lead_id)).toEqual([
      'l6',
      'l5',
      'l4',
      'l3',
      'l2',
    ]);
    const noted = world({ own: { email: '', telefon: '', earlier_leads: ['noted'] } });
    await gatherEvidence(noted.deps, CLAIM);
    expect(noted.asked).toEqual([['getMany', 'noted']]);
  });
});

describe('the arrival of the lead at its buyer', () => {
  const OF = { lead_id: 'own', buyer: 7, order_id: 12, sequence: 3 };
  it('is the time of the first channel', async () => {
    const sent = (channel: Channel, status: Delivery['status'], hour: number, attempts: Attempt[] = []) =>
      aDelivery({ ...OF, channel, status, attempts, updated_at: `2026-11-15T0${hour}:00:00.000Z` });
    const deliveries = [
      sent('email', 'delivered', 6, [
        anAttempt('2026-11-15T03:00:00.000Z'),
        anAttempt('2026-11-15T04:00:00.000Z', 'delivered'),
      ]),
      // Its attempt log was truncated.
      sent('heroleads', 'delivered', 5),
      sent('trackbox', 'failed', 1),
    ];
    const evidence = await gathered({ deliveries });
    expect(evidence.delivered_at).toBe('2026-11-15T04:00:00.000Z');
    expect(evidence.deliveries.map(({ channel, attempts }) => [channel, attempts.length])).toEqual([
      ['email', 2],
      ['heroleads', 0],
      ['trackbox', 0],
    ]);
    expect((await gathered({ deliveries: deliveries.slice(1) })).delivered_at).toBe(
      '2026-11-15T05:00:00.000Z',
    );
    expect((await gathered({ deliveries: deliveries.slice(2) })).delivered_at).toBeNull();
  });

  it('ignores deliveries to an earlier buyer', async () => {
    const before = aDelivery({
      ...OF,
      sequence: 2,
      status: 'delivered',
      updated_at: '2026-11-01T00:00:00.000Z',
    });
    expect(await gathered({ deliveries: [before] })).toMatchObject({ deliveries: [], delivered_at: null });
  });
});

describe('the claims on its source', () => {
  const day = (source: number, sums: readonly (readonly [string, number])[]) => ({
    source,
    sums: new Map(sums),
  });

  it('cover thirty days in Berlin time for this source only', async () => {
    const days = [
      day(1, [
        ['claimed:doppelt', 2],
        ['claimed:fake', 1],
        ['approved:fake', 1],
        ['hour:9', 40],
        ['rejected:fake', 1],
      ]),
      day(1, [['claimed:fake', 4]]),
      day(2, [['claimed:fake', 100]]),
    ];
    const at = world({ own: { source: 1 }, days });
    expect((await gatherEvidence(at.deps, CLAIM))?.source_claims).toEqual({
      filed: 7,
      approved: 1,
      rejected: 1,
      days: 30,
    });
    expect(at.asked).toContainEqual(['range', { from: '2026-10-27', to: '2026-11-25~' }]);
    const negative = { own: { source: 1 }, days: [day(1, [['rejected:fake', -2]])] };
    expect((await gathered(negative)).source_claims).toMatchObject({ rejected: 0 });
    expect((await gathered()).source_claims).toBeNull();
  });
});

describe('the decision suggested by the evidence', () => {
  const stores = (given: World, more: World = {}) => world({ ...given, ...more }).deps;
  const duplicate = { others: [leadOf('earlier', { ...OWN, assigned_at: '2026-11-14T00:00:00.000Z' })] };

  it('is shown for an open claim', async () => {
    expect((await knownOfClaim(stores(duplicate), 5)).suggestion).toMatchObject({
      rule: 'duplicate_same_buyer',
    });
    expect((await knownOfClaim(stores({}), 5)).suggestion).toBeUndefined();
    expect((await knownOfClaim(stores(duplicate, { gone: 'order' }), 5)).suggestion).toBeUndefined();
  });

  it('of a decided claim uses the evidence at the decision, or at the filing', async () => {
    const claim: Claim = { ...CLAIM, claim_status: 'rejected' };
    expect(await knownOfClaim(stores(duplicate, { claim }), 5)).toMatchObject({
      evidence: { at: 'filed' },
      suggestion: undefined,
    });
    const kept = { filed: 'filed', decided: 'decided' };
    expect((await knownOfClaim(stores(duplicate, { claim, kept }), 5)).evidence).toMatchObject({
      at: 'decided',
    });
    await expect(knownOfClaim(stores({ gone: 'claim' }), 5)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('does not exist without the lead or the order', async () => {
    expect(await evidenceNow(stores(duplicate), CLAIM)).toMatchObject({
      automatic: { rule: 'duplicate_same_buyer' },
    });
    expect(await evidenceNow(stores({ gone: 'order' }), CLAIM)).toBeUndefined();
    expect(await evidenceNow(stores({ gone: 'lead' }), CLAIM)).toBeUndefined();
  });
});
