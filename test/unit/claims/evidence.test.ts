/** What is known of a claim: gathered from what the stores have, and nothing of other buyers. */
import { describe, expect, it } from 'vitest';
import type { Claim } from '#functions/data/claims/claim';
import type { Lead } from '#functions/data/leads/lead';
import {
  type EvidenceDeps,
  evidenceNow,
  gatherEvidence,
  knownOfClaim,
} from '#functions/domain/claims/evidence';
import { aDelivery } from '#test/factories/deliveries';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';

/** Wednesday, half past midnight in Berlin. */
const NOW = new Date('2026-11-24T23:30:00.000Z');
const CLAIM = {
  claim_id: 5,
  lead_id: 'own',
  order_id: 12,
  buyer: 7,
  created_at: '2026-11-20T00:00:00.000Z',
  claim_reason_code: 'doppelt',
  claim_status: 'pending',
} as unknown as Claim;
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
  readonly deliveries?: readonly object[];
  readonly days?: readonly object[];
}

function world({ own = {}, others = [], deliveries = [], days = [] }: World = {}) {
  const asked: unknown[][] = [];
  const of = new Map(others.map((lead) => [lead.lead_id, lead]));
  const deps = {
    leads: {
      details: async () => ({ lead: leadOf('own', { ...OWN, ...own }), deliveries }),
      getMany: async (ids: readonly string[]) => {
        asked.push(['getMany', ...ids]);
        return ids.map((id) => of.get(id));
      },
    },
    searchIndex: {
      leadsWith: async (word: string) => {
        asked.push(['word', word]);
        return ['own', ...of.keys()];
      },
    },
    listViews: { firstAfter: async () => undefined },
    addresses: { addressState: async (email: string) => void asked.push(['address', email]) },
    sourceFigures: {
      range: async (from: string, to: string) => {
        asked.push(['range', from, to]);
        return days;
      },
    },
    runtime: { now: () => NOW },
  } as unknown as EvidenceDeps;
  return { deps, asked };
}
const gathered = async (given: World = {}) => (await gatherEvidence(world(given).deps, CLAIM))!;

describe('other leads of the person', () => {
  it('are looked up by address and number, where these tell a person', async () => {
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

  it('are duplicates where they came before, and the same in something', async () => {
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
    expect(duplicates).toEqual([
      {
        lead_id: 'mail',
        order_id: 12,
        sequence: 1,
        delivered_at: '2026-11-10T00:00:00.000Z',
        same: ['email'],
        claim_status: null,
      },
      {
        lead_id: 'both',
        order_id: 12,
        sequence: 2,
        delivered_at: '2026-11-11T00:00:00.000Z',
        same: ['phone', 'email'],
        claim_status: 'rejected',
      },
      {
        lead_id: 'phone',
        order_id: 12,
        sequence: 1,
        delivered_at: '2026-11-12T00:00:00.000Z',
        same: ['phone'],
        claim_status: null,
      },
    ]);
    expect(claimed_later).toEqual([]);
  });

  it('are never the lead itself, and of one instant the id decides', async () => {
    const same = (lead_id: string) => leadOf(lead_id, { ...OWN });
    const { duplicates } = await gathered({ others: [same('own'), same('a'), same('z')] });
    expect(duplicates.map(({ lead_id }) => lead_id)).toEqual(['a']);
  });

  it('count as claimed later while that is open, or was approved', async () => {
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

  it('are five at most, the oldest ones, and those that the intake noted are looked at as well', async () => {
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

describe('how the lead came to its buyer', () => {
  const OF = { lead_id: 'own', buyer: 7, order_id: 12, sequence: 3 };
  const attempt = (at: string, outcome: string) => ({ at, outcome });

  it('is when the first channel had it', async () => {
    const deliveries = [
      aDelivery({
        ...OF,
        status: 'delivered',
        attempts: [
          attempt('2026-11-15T03:00:00.000Z', 'unknown'),
          attempt('2026-11-15T04:00:00.000Z', 'delivered'),
        ] as never,
      }),
      // Its attempts were cut.
      aDelivery({
        ...OF,
        channel: 'heroleads',
        status: 'delivered',
        attempts: [],
        updated_at: '2026-11-15T05:00:00.000Z',
      }),
      aDelivery({
        ...OF,
        channel: 'trackbox',
        status: 'failed',
        attempts: [],
        updated_at: '2026-11-15T01:00:00.000Z',
      }),
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

  it('is not what was sent to somebody else before', async () => {
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

  it('are those of thirty days of Berlin, of this source alone', async () => {
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
    expect(at.asked).toContainEqual(['range', '2026-10-27', '2026-11-25']);
    const negative = { own: { source: 1 }, days: [day(1, [['rejected:fake', -2]])] };
    expect((await gathered(negative)).source_claims).toMatchObject({ rejected: 0 });
    expect((await gathered()).source_claims).toBeNull();
  });
});

describe('what follows', () => {
  const stores = (given: World, more: object = {}) =>
    ({
      ...world(given).deps,
      evidence: { ofClaim: async () => ({ filed: { at: 'filed' }, decided: undefined }) },
      orders: { get: async () => anOrder() },
      claims: { get: async () => CLAIM },
      buyers: { get: async () => ({ claim_decisions: 'suggest' }) },
      ...more,
    }) as never;
  const duplicate = { others: [leadOf('earlier', { ...OWN, assigned_at: '2026-11-14T00:00:00.000Z' })] };

  it('is suggested where the buyer’s setting asks for it', async () => {
    expect((await knownOfClaim(stores(duplicate), 5)).suggestion).toMatchObject({
      rule: 'duplicate_same_buyer',
    });
    const off = { buyers: { get: async () => ({ claim_decisions: 'off' }) } };
    const known = await knownOfClaim(stores(duplicate, off), 5);
    expect([known.suggestion, known.evidence !== undefined]).toEqual([undefined, true]);
    expect((await knownOfClaim(stores({}), 5)).suggestion).toBeUndefined();
    for (const gone of [
      { orders: { get: async () => undefined } },
      { buyers: { get: async () => undefined } },
    ])
      expect((await knownOfClaim(stores(duplicate, gone), 5)).suggestion).toBeUndefined();
  });

  it('of a decided claim is what was known at the decision, or at the filing', async () => {
    const decided = { claims: { get: async () => ({ ...CLAIM, claim_status: 'rejected' }) } };
    expect(await knownOfClaim(stores(duplicate, decided), 5)).toEqual({
      evidence: { at: 'filed' },
      suggestion: undefined,
    });
    const both = {
      ...decided,
      evidence: { ofClaim: async () => ({ filed: { at: 'filed' }, decided: { at: 'decided' } }) },
    };
    expect((await knownOfClaim(stores(duplicate, both), 5)).evidence).toEqual({ at: 'decided' });
    await expect(
      knownOfClaim(stores({}, { claims: { get: async () => undefined } }), 5),
    ).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is nothing where lead or order are gone', async () => {
    expect(await evidenceNow(stores(duplicate), CLAIM)).toMatchObject({
      proven: { rule: 'duplicate_same_buyer' },
    });
    expect(await evidenceNow(stores({}, { orders: { get: async () => undefined } }), CLAIM)).toBeUndefined();
    expect(
      await evidenceNow(stores({}, { leads: { details: async () => undefined } }), CLAIM),
    ).toBeUndefined();
  });
});
