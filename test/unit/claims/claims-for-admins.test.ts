/** The claim lists for admins on the in-memory table, compared with a naive implementation. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import { blockOf, packRow } from '#functions/data/claims/claim-lists';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Lead } from '#functions/data/leads/lead';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import {
  type ClaimQuery,
  claimInContext,
  listClaims,
  MAX_PENDING_CLAIMS,
  MAX_SORTED_CLAIMS,
  pendingClaims,
} from '#functions/domain/claims/claim-list';
import { CLAIM_SORTS, CLAIM_STATUSES, type ClaimSort } from '#shared/rules/constants';
import { normalise } from '#shared/rules/search-text';
import { aBuyer } from '#test/factories/buyers';
import { aNewClaim } from '#test/factories/claims';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { adminOn, changedTable } from '#test/harness/distribution';
import { memoryTable, memoryTableWith } from '#test/harness/memory-table';

interface Row {
  readonly claim: Claim;
  readonly lead: Lead;
  readonly email: string;
}

const NAMES = [
  'Müller',
  'von der Heide',
  "D'Angelo",
  'Öztürk',
  'Weiß',
  'A',
  'Huber-Sehrlangername-Unendlich',
];
const REASONS = [
  'Falsche Telefonnummer',
  'Doppelter Lead',
  'Zog um!',
  'zog um',
  'Sonstiges, und mehr als zwanzig',
];
const BUYERS = [
  { buyer: 1, buyer_id: 'north', buyer_email: 'z@example.org' },
  { buyer: 2, buyer_id: 'south', buyer_email: 'B@example.org' },
  { buyer: 3, buyer_id: 'none', buyer_email: 'n@example.org' },
];
const ORDERS = [
  { order_id: 11, buyer: 1 },
  { order_id: 12, buyer: 1 },
  { order_id: 13, buyer: 2 },
];
const CLAIMS = 130;
/** Only every sixth number is a claim, so that the claims fill several blocks of 250. */
const NUMBERS_PER_CLAIM = 6;

const table = memoryTable();
const deps = adminOn(table);
const rows: Row[] = [];

beforeAll(async () => {
  for (const buyer of BUYERS) await table.transact(buyerStore.created(aBuyer(buyer)));
  for (const order of ORDERS)
    await table.transact(
      orderStore.created(
        anOrder({ ...order, token: `T${order.order_id}`, buyer_order_number: order.order_id }),
      ),
    );
  for (let at = 1; at <= CLAIMS; at += 1) {
    const order = ORDERS[(at * 7) % 3]!;
    const claimId = at * NUMBERS_PER_CLAIM;
    const lead = aLead({
      lead_id: `01J0000000000000000000${String(at).padStart(4, '0')}`,
      nachname: NAMES[(at * 5) % NAMES.length]!,
      vorname: at % 2 === 0 ? 'Jürgen' : 'Zoë',
      email: `p${at}@example.org`,
      telefon: `0170 ${1000 + at}`,
      anlagebetrag: (at % 9) * 1999,
      order_id: order.order_id,
      buyer: order.buyer,
      sequence: at,
    });
    await table.put({ put: { ...keys.lead(lead.lead_id), ...lead } });
    const { claim, items } = claimStore.filed(
      aNewClaim({
        claim_id: claimId,
        claim_reason: REASONS[(at * 3) % REASONS.length]!,
        claim_reason_code: 'other',
        lead_id: lead.lead_id,
        buyer: order.buyer,
        order_id: order.order_id,
        sequence: at,
      }),
      lead,
    );
    expect((await table.transact(items)).ok).toBe(true);
    let now = claim;
    let person: Lead = lead;
    // One edit before the decision, one after it, and two in succession.
    const edit = async (change: Partial<Lead>) => {
      const after = { ...person, ...change };
      expect((await table.transact(claimStore.personChanged(now, person, after))).ok).toBe(true);
      await claimStore.removeUnusedWords(deps, now, person, after);
      await table.put({ put: { ...keys.lead(lead.lead_id), ...after } });
      person = after;
      now = (await claimStore.get(deps, claimId))!;
    };
    if (at % 11 === 0) await edit({ nachname: 'Neumann', anlagebetrag: 115 });
    if (at % 3 !== 0) {
      const decision = {
        status: at % 3 === 1 ? 'approved' : 'rejected',
        notes: 'n',
        at: '2026-11-02T00:00:00.000Z',
      } as const;
      expect((await table.transact(claimStore.decided(now, decision).items)).ok).toBe(true);
      now = (await claimStore.get(deps, claimId))!;
    }
    if (at % 22 === 0) await edit({ nachname: 'Altmann', email: `changed${at}@example.org` });
    rows.push({ claim: now, lead: person, email: BUYERS[order.buyer - 1]!.buyer_email });
  }
});

const sortText = (text: string, characters: number) =>
  normalise(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .slice(0, characters);

const KEY: Readonly<Record<ClaimSort, (row: Row) => string | number>> = {
  created_at: ({ claim }) => claim.claim_id,
  claim_id: ({ claim }) => claim.claim_id,
  claim_status: ({ claim }) => claim.claim_status,
  buyer_email: ({ email }) => email.toLowerCase(),
  order_id: ({ claim }) => claim.order_id,
  nachname: ({ lead }) => sortText(lead.nachname, 24),
  anlagebetrag: ({ lead }) => lead.anlagebetrag,
  claim_reason: ({ claim }) => sortText(claim.claim_reason, 20),
};

const MATCHES: Readonly<Record<string, (row: Row) => boolean>> = {
  müller: ({ lead }) => lead.nachname === 'Müller',
  neumann: ({ lead }) => lead.nachname === 'Neumann',
  altmann: ({ lead }) => lead.nachname === 'Altmann',
  'heide jürgen': ({ lead }) => lead.nachname === 'von der Heide' && lead.vorname === 'Jürgen',
  'changed22@example.org': ({ lead }) => lead.email === 'changed22@example.org',
  '0170 1007': ({ lead }) => lead.telefon === '0170 1007',
  zo: ({ lead }) => lead.vorname === 'Zoë',
  '13-': ({ claim }) => claim.order_id === 13,
  nobody: () => false,
  '?!': () => false,
  ' ': () => true,
};

const BASE: ClaimQuery = { page: 1, limit: 20, sortBy: 'claim_id', descending: true };

function plainly({ page, limit, buyerId, orderId, statuses, search, sortBy, descending }: ClaimQuery) {
  const buyer = BUYERS.find(({ buyer_id }) => buyer_id === buyerId)?.buyer;
  const key = KEY[sortBy];
  const byNumber = sortBy === 'claim_id' || sortBy === 'created_at';
  const all = rows
    .filter(({ claim }) => buyerId === undefined || claim.buyer === buyer)
    .filter(({ claim }) => orderId === undefined || claim.order_id === orderId)
    .filter(({ claim }) => !statuses?.length || statuses.includes(claim.claim_status))
    .filter((row) => search === undefined || MATCHES[search]!(row))
    .toSorted((a, b) => {
      const [left, right] = [key(a), key(b)];
      const order = left < right ? -1 : left > right ? 1 : 0;
      return (descending ? -order : order) || (byNumber ? 0 : b.claim.claim_id - a.claim.claim_id);
    });
  const ids = all.map(({ claim }) => claim.claim_id);
  return { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length };
}

const asked = async (query: ClaimQuery) => {
  const { claims, total, sortedByDateInstead } = await listClaims(deps, query);
  expect(sortedByDateInstead).toBe(false);
  for (const { claim, lead, order, buyer } of claims) {
    expect(lead?.lead_id).toBe(claim.lead_id);
    expect(order.order_id).toBe(claim.order_id);
    expect(buyer.buyer).toBe(claim.buyer);
  }
  return { ids: claims.map(({ claim }) => claim.claim_id), total };
};

describe('a page of claims', () => {
  it('equals a slice of the filtered and sorted whole list', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          page: fc.integer({ min: 1, max: 8 }),
          limit: fc.constantFrom(10, 20, 50, 100),
          buyerId: fc.constantFrom(undefined, undefined, 'north', 'south', 'none', 'unknown'),
          orderId: fc.constantFrom(undefined, undefined, 11, 13, 99),
          statuses: fc.option(fc.subarray([...CLAIM_STATUSES]), { nil: undefined }),
          search: fc.option(fc.constantFrom(...Object.keys(MATCHES)), { nil: undefined, freq: 1 }),
          sortBy: fc.constantFrom(...CLAIM_SORTS),
          descending: fc.boolean(),
        }),
        async (query) => {
          expect(await asked(query)).toEqual(plainly(query));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(Object.keys(MATCHES))('finds %j within every scope and status', async (search) => {
    for (const scope of [{}, { buyerId: 'north' }, { orderId: 12 }, { buyerId: 'south', orderId: 11 }])
      for (const statuses of [undefined, ['approved'] as const, ['pending', 'rejected'] as const])
        for (const sortBy of ['claim_id', 'nachname'] as const) {
          const query = { ...BASE, ...scope, ...(statuses && { statuses }), search, sortBy, limit: 100 };
          expect(await asked(query)).toEqual(plainly(query));
        }
  });
});

it('lists the pending claims, newest first', async () => {
  const pending = await pendingClaims(deps);
  expect(pending.map(({ claim }) => claim.claim_id)).toEqual(
    plainly({ ...BASE, limit: CLAIMS, statuses: ['pending'] }).ids,
  );
});

it('contains the lead, order and buyer of a claim', async () => {
  const { claim } = rows[0]!;
  expect(await claimInContext(deps, claim)).toMatchObject({
    claim,
    lead: { lead_id: claim.lead_id },
    order: { order_id: claim.order_id },
    buyer: { buyer: claim.buyer },
  });
  await expect(claimInContext(deps, { ...claim, order_id: 99 })).rejects.toThrow(
    'The claim has no order or buyer',
  );
});

describe('a very long list', () => {
  /**
   * A table with this many claims of the same name, which counts its reads.
   * @param found number of search results
   */
  async function longList(length: number, found = length) {
    const small = await memoryTableWith([
      { ...keys.buyerId('acme'), buyer: 1 },
      { ...keys.buyer(1), ...aBuyer({ buyer: 1, buyer_id: 'acme' }) },
      { ...keys.order(11), ...anOrder({ order_id: 11, buyer: 1 }) },
    ]);
    const claimOf = (claim_id: number) => {
      const claim = { ...rows[0]!.claim, claim_id, buyer: 1, order_id: 11, claim_reason: '' };
      return { ...claim, row: packRow(claim, { nachname: '', anlagebetrag: length + 1 - claim_id }) };
    };
    const blocks = new Map<number, Set<string>>();
    for (let id = 1; id <= length; id += 1)
      blocks.set(blockOf(id), (blocks.get(blockOf(id)) ?? new Set<string>()).add(claimOf(id).row));
    const read = { rows: 0, claims: 0 };
    const table = changedTable(small, {
      getMany: (wanted, options) => {
        const items = wanted.map(({ pk, sk }) => {
          if (sk !== keys.claim(0).sk) return undefined;
          read.claims += 1;
          return { pk, sk, ...claimOf(Number(pk.slice(keys.claim(0).pk.length - 1))) };
        });
        return items.includes(undefined) ? small.getMany(wanted, options) : Promise.resolve(items);
      },
      queryAll: async ({ partition }) => {
        if (partition.startsWith('CLAIMCOUNTS#')) return [{ sk: '0', pending_0: length }];
        if (partition.startsWith('CLAIMWORDS#'))
          return [{ sk: 'x#0', claims: new Set(Array.from({ length: found }, (_, at) => at + 1)) }];
        if (!partition.endsWith('#pending')) return [];
        read.rows += 1;
        return [...blocks].map(([block, claims]) => ({ sk: keys.claimBlock(block), claims }));
      },
    });
    return { list: adminOn(table), read };
  }
  const first = async (length: number, query: Partial<ClaimQuery>) => {
    const { list, read } = await longList(length);
    const { claims, total, sortedByDateInstead } = await listClaims(list, { ...BASE, limit: 10, ...query });
    return { first: claims[0]?.claim.claim_id, total, sortedByDateInstead, read };
  };

  it('is sorted up to ten thousand claims', async () => {
    const most = MAX_SORTED_CLAIMS;
    expect(most).toBe(10_000);
    const byAmount = { sortBy: 'anlagebetrag' } as const;
    expect(await first(most, byAmount)).toMatchObject({ first: 1, total: most, sortedByDateInstead: false });
    expect(await first(most + 1, byAmount)).toMatchObject({
      first: most + 1,
      total: most + 1,
      sortedByDateInstead: true,
    });
    expect(await first(most + 1, {})).toMatchObject({ first: most + 1, sortedByDateInstead: false });
  });

  it('is sorted up to ten thousand search results', async () => {
    const found = { sortBy: 'anlagebetrag', search: 'x' } as const;
    const most = MAX_SORTED_CLAIMS;
    expect(await first(most, found)).toMatchObject({ first: 1, sortedByDateInstead: false });
    expect(await first(most + 1, found)).toMatchObject({ first: most + 1, sortedByDateInstead: true });
    expect(await first(most + 1, { search: 'x', buyerId: 'acme' })).toMatchObject({
      first: most + 1,
      total: most + 1,
      sortedByDateInstead: false,
    });
  });

  it('of pending claims has at most five thousand', async () => {
    const { list } = await longList(MAX_PENDING_CLAIMS + 3);
    const pending = await pendingClaims(list);
    expect(pending).toHaveLength(5000);
    expect(pending[0]?.claim.claim_id).toBe(5003);
  });

  it('is not read for a search with few results', async () => {
    const look = async (length: number, found: number) => {
      const { list, read } = await longList(length, found);
      const page = await listClaims(list, { ...BASE, limit: 10, buyerId: 'acme', search: 'x' });
      expect(page.total).toBe(found);
      return read.rows;
    };
    // Reading forty rows costs as much as one claim.
    expect(await look(400, 10)).toBe(0);
    expect(await look(399, 10)).toBe(1);
  });
});
