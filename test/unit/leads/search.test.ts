/** The search for buyers, orders and leads, best matches first, and how the store finds leads. */

import { describe, expect, it } from 'vitest';
import type { Buyer } from '#functions/data/buyers/buyer';
import { decisionFromItem } from '#functions/data/leads/decisions';
import type { Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import { pendingCursor } from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import { lookupsOf } from '#functions/data/leads/search-index';
import { indexed, keys } from '#functions/data/table/keys';
import { search } from '#functions/domain/leads/search';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { buyerItems, poolItem } from '#test/factories/items';
import { aDecision, aLead, aReceivedLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { adminOn, changedTable } from '#test/harness/distribution';
import { memoryTable, memoryTableWith } from '#test/harness/memory-table';

const ULID = '01J0000000000000000000000Z';

/** Search words, with the IDs in their index entries. */
type Index = Readonly<Record<string, readonly string[]>>;

function productWith(
  buyers: readonly Partial<Buyer>[],
  leads: readonly Partial<Lead>[] = [],
  index: Index = {},
) {
  const all = buyers.map((one, at) => aBuyer({ buyer: at + 1, buyer_email: 'x@example.org', ...one }));
  const stored = leads.map((one) => aLead({ buyer: 1, ...one }));
  const limits: number[] = [];
  // An order's number is its buyer's number times a hundred; buyer 9 has no order.
  const table = memoryTableWith([
    ...all.flatMap(buyerItems),
    ...all.map(({ buyer, buyer_id }) =>
      poolItem(aPoolEntry({ buyer, buyer_id, order_id: buyer === 3 ? null : buyer * 100 })),
    ),
    ...Array.from({ length: 899 }, (_, at) => at + 1)
      .filter((order) => order % 100 < 2)
      .map((order_id) => ({
        ...keys.order(order_id),
        ...anOrder({ order_id, buyer: Math.floor(order_id / 100) }),
      })),
    ...stored.map((lead) => ({
      ...keys.lead(lead.lead_id),
      ...lead,
      ...(lead.order_id !== undefined && {
        gsi1pk: indexed.orderLeads(lead.order_id),
        gsi1sk: indexed.sequence(lead.sequence ?? 0),
      }),
    })),
  ]);
  const searched = async () => {
    const product = await table;
    return changedTable(product, {
      query: async (query) => {
        const prefix = query.sort && 'prefix' in query.sort ? query.sort.prefix : undefined;
        if (prefix === undefined || query.partition !== keys.leadWords(prefix)) return product.query(query);
        limits.push(query.limit ?? 0);
        return { items: (index[prefix] ?? []).map((lead_id) => ({ lead_id })), next: undefined };
      },
    });
  };
  const find = async (text: string) => {
    const on = await searched();
    const found = await search(adminOn(on), text);
    return {
      buyers: found.buyers.map(({ buyer_id }) => buyer_id),
      orders: found.orders.map(({ order, buyer, status }) => [order.order_id, buyer.buyer_id, status]),
      leads: found.leads.map(({ lead, buyer }) => [lead.lead_id, buyer?.buyer_id]),
    };
  };
  return { find, limits };
}

describe('the search for buyers', () => {
  it('matches part of the ID or e-mail address, ignores case and deleted buyers, best match first', async () => {
    const { find } = productWith([
      { buyer_id: 'x-Nord' },
      { buyer_id: 'b', buyer_email: 'NORD@example.org' },
      { buyer_id: 'a', buyer_email: 'x.nord@example.org' },
      { buyer_id: 'Nordlicht' },
      { buyer_id: 'nord' },
      { buyer_id: 'nordgone', deleted_at: '2026-01-01T00:00:00Z' },
      { buyer_id: 'south' },
    ]);
    const best = ['nord', 'Nordlicht', 'b', 'a', 'x-Nord'];
    expect((await find(' NORD ')).buyers).toEqual(best);
    expect((await find('nord')).buyers).toEqual(best);
    expect((await find('west')).buyers).toEqual([]);
  });

  it('returns at most eight', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      buyer_id: `b${String(12 - at).padStart(2, '0')}`,
    }));
    expect((await productWith(many.slice(0, 2)).find('b')).buyers).toEqual(['b11', 'b12']);
    expect((await productWith(many).find('b')).buyers).toHaveLength(8);
  });
});

it('the search for orders matches the ID, and the orders of matching buyers', async () => {
  const { find } = productWith([{ buyer_id: 'a' }, { buyer_id: 'b' }, { buyer_id: 'bc' }]);
  expect((await find('100')).orders).toEqual([[100, 'a', 'Active']]);
  expect((await find('Order 101')).orders).toEqual([[101, 'a', 'Inactive']]);
  expect((await find('b')).orders).toEqual([[200, 'b', 'Active']]);
  // An order of a missing buyer, a missing order, and a text that is no number.
  for (const text of ['800', '999', '100x', 'x100', '#', '#100', '1-0'])
    expect((await find(text)).orders, text).toEqual([]);
  expect((await productWith([{ buyer_id: '100' }]).find('100')).orders).toHaveLength(1);
});

describe('the search for leads', () => {
  const person = {
    vorname: 'Eva',
    nachname: 'Sommerfeld',
    email: 'eva@example.org',
    telefon: '0170 1234567',
  };

  it('matches the lead ID, ignoring case and deleted leads', async () => {
    for (const [status, is] of [
      ['assigned', true],
      ['pending', true],
      ['received', true],
      ['deleted', false],
      ['discarded', false],
    ] as const) {
      const { find } = productWith([{ buyer_id: 'a' }], [{ lead_id: ULID, status }]);
      expect((await find(ULID.toLowerCase())).leads, status).toEqual(is ? [[ULID, 'a']] : []);
    }
    const { find } = productWith([], [{ lead_id: ULID }]);
    for (const text of [`${ULID}0`, `0${ULID}`, ULID.slice(1), `${ULID.slice(0, 25)}U`])
      expect((await find(text)).leads).toEqual([]);
  });

  it('matches the number of order and lead, without a buyer if there is none', async () => {
    const { find } = productWith(
      [{ buyer_id: 'a' }],
      [{ lead_id: ULID, order_id: 123, sequence: 45, buyer: undefined }],
    );
    for (const text of ['123-45', '#123-45']) expect((await find(text)).leads).toEqual([[ULID, undefined]]);
    for (const text of ['0123-45', '123-4', '123-45x', 'x123-45', '123-', '12-345'])
      expect((await find(text)).leads, text).toEqual([]);
  });

  it('matches prefixes of all words, queries the longest, and returns newest first', async () => {
    const [term] = lookupsOf({ words: ['sommerf'], parts: [] });
    const ids = ['l1', 'l2', 'l3', 'gone', 'other', 'none'];
    const leads = [
      { ...person, lead_id: 'l1', received_at: '2026-01-01T00:00:00Z' },
      { ...person, lead_id: 'l2', received_at: '2026-01-03T00:00:00Z' },
      { ...person, lead_id: 'l3', received_at: '2026-01-02T00:00:00Z' },
      { ...person, lead_id: 'gone', status: 'deleted' as const },
      // The index is behind: the lead has been renamed since.
      { ...person, lead_id: 'other', nachname: 'Winter' },
    ];
    const { find, limits } = productWith([], leads, { [term!]: ids });
    expect((await find('eva sommerf')).leads.map(([id]) => id)).toEqual(['l2', 'l3', 'l1']);
    expect((await find('sommerf eva')).leads).toHaveLength(3);
    expect((await find('uta sommerf')).leads).toEqual([]);
    expect(new Set(limits)).toEqual(new Set([100]));
    limits.splice(0);
    expect((await find('sommerf')).leads).toHaveLength(3);
    expect(new Set(limits)).toEqual(new Set([8]));
    for (const text of ['', ' ', '-', 'e']) expect((await find(text)).leads).toEqual([]);
  });

  it('returns eight of at most a hundred leads that it reads', async () => {
    const [term] = lookupsOf({ words: ['sommerf'], parts: [] });
    const ids = Array.from({ length: 130 }, (_, at) => `l${at}`);
    const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const leads = ids.map((lead_id, day) => ({ ...person, lead_id, received_at: at(day) }));
    const { find } = productWith([], leads, { [term!]: ids });
    expect((await find('eva sommerf')).leads.map(([id]) => id)).toEqual(
      [99, 98, 97, 96, 95, 94, 93, 92].map((day) => `l${day}`),
    );
  });
});

describe('the lead store', () => {
  function aStore() {
    const deps = { table: memoryTable() };
    const get = async (id: string) => (await leadStore.get(deps, id))!;
    const mark = (lead: Lead, change: Partial<Parameters<typeof leadStore.markPending>[2]> = {}) =>
      leadStore.markPending(deps, lead, { reason: 'limits_reached', notes: [], ...change });
    return { deps, get, mark };
  }

  it('returns a result for each ID, and the stored state of one', async () => {
    const table = memoryTable();
    const { in_flight_since, ...lead } = aReceivedLead();
    expect(await leadStore.receive({ table }, lead)).toBeUndefined();
    expect(await leadStore.getMany({ table }, [lead.lead_id, 'nothing'])).toEqual([lead, undefined]);
    expect(await leadStore.receive({ table }, lead)).toEqual(lead);
    expect(await leadStore.details({ table }, 'nothing')).toBeUndefined();
    expect(await leadStore.details({ table }, lead.lead_id)).toEqual({
      lead,
      decision: undefined,
      deliveries: [],
      refusals: [],
      callbacks: [],
      diary: [],
    });
    expect(in_flight_since).toBeDefined();
  });

  it('stores a lead of a batch once, and reports it to another batch', async () => {
    const table = memoryTable();
    const lead = { ...aReceivedLead(), batch_id: 'b1' };
    expect(await leadStore.receiveInBatch({ table }, lead)).toBeUndefined();
    expect(await leadStore.receiveInBatch({ table }, lead)).toBeUndefined();
    expect(await leadStore.receiveInBatch({ table }, { ...lead, batch_id: 'b2' })).toEqual(lead);
    expect(await leadLists.inFlight({ table }, '9999', 10)).toEqual([]);
  });

  it('starts only a later attempt for a lead in flight in its batch', async () => {
    const { deps, get, mark } = aStore();
    const lead = { ...aReceivedLead(), batch_id: 'b1' };
    await leadStore.receiveInBatch(deps, lead);
    const begin = (round: number, batch = 'b1', id = lead.lead_id) =>
      leadStore.beginPass(deps, id, batch, round);
    expect([await begin(2), await begin(2), await begin(3)]).toEqual(['begun', 'begun', 'begun']);
    expect([await begin(2), await begin(3, 'b2')]).toEqual(['further', 'left']);
    expect(await get(lead.lead_id)).toMatchObject({ status: 'received', distribution_attempt: 3 });
    await mark({ ...lead, distribution_attempt: 3 });
    expect(await begin(4)).toBe('left');
    expect(await get(lead.lead_id)).toMatchObject({ status: 'pending', distribution_attempt: 3 });
    expect(await begin(2, 'b1', 'unknown')).toBe('left');
    expect(await get('unknown')).toBeUndefined();
  });

  it('keeps the decision of the last attempt', async () => {
    const table = memoryTable();
    const { lead_id } = aReceivedLead();
    await leadStore.receive({ table }, aReceivedLead());
    const stored = async () => (await leadStore.details({ table }, lead_id))?.decision;
    const decided = (distribution_attempt: number, winner: number) =>
      leadStore.record({ table }, aDecision({ lead_id, distribution_attempt, winner }));
    await decided(1, 1);
    await decided(1, 3);
    expect(await stored()).toMatchObject({ winner: 3 });
    await decided(2, 4);
    expect(await stored()).toMatchObject({ winner: 4, distribution_attempt: 2 });
    await decided(1, 5);
    expect(await stored()).toMatchObject({ winner: 4 });
    const earlier_choice = { ...aDecision(), decided_at: '2026-01-01T00:00:00Z' };
    expect(() => decisionFromItem({})).toThrow();
    await leadStore.record({ table }, {
      ...aDecision({ lead_id, distribution_attempt: 3 }),
      mode: 'manual',
      earlier_choice,
    } as never);
    expect((await stored())?.earlier_choice).toMatchObject({ decided_at: '2026-01-01T00:00:00Z', winner: 1 });
  });

  it('removes and updates a lead only while the same attempt has it in flight', async () => {
    const { deps, get, mark } = aStore();
    const lead = aReceivedLead();
    await leadStore.receive(deps, lead);
    const notes = ['checked'];
    expect(await mark({ ...lead, distribution_attempt: 2 }, { notes })).toBe(false);
    const take = () => leadStore.takeOver(deps, lead, '2026-01-02T00:00:00Z');
    const taken = (await take())!;
    expect(taken.distribution_attempt).toBe(2);
    expect(await take()).toBeUndefined();
    expect(await leadStore.removeReceived(deps, lead)).toBe(false);
    for (let time = 0; time < 2; time += 1)
      expect(await mark(taken, { reason: 'manual_review', intendedBuyer: 3, notes })).toBe(true);
    expect(await get(lead.lead_id)).toMatchObject({ intended_buyer: 3, verification_notes: notes });
    const again = (await leadStore.restart(deps, await get(lead.lead_id), '2026-01-03T00:00:00Z'))!;
    expect(await mark(taken, { notes })).toBe(false);
    expect(await mark(again)).toBe(true);
    expect(await get(lead.lead_id)).not.toHaveProperty('intended_buyer');
    expect(await leadStore.restart(deps, taken, '2026-01-04T00:00:00Z')).toBeUndefined();
    expect(await leadStore.removeReceived(deps, { lead_id: 'nothing', distribution_attempt: 1 })).toBe(true);
  });

  it('lists pending leads in pages in both directions, from a current or former position', async () => {
    const { deps, get, mark } = aStore();
    const ids = ['l1', 'l2', 'l3'];
    for (const [at, lead_id] of ids.entries()) {
      const lead = aReceivedLead({ lead_id, received_at: `2026-01-0${at + 1}T00:00:00Z` });
      await leadStore.receive(deps, lead);
      await mark(lead);
    }
    const all = async (page: Parameters<typeof leadLists.pending>[1]): Promise<string[]> => {
      const { items, next } = await leadLists.pending(deps, page);
      const found = items.map(({ lead_id }) => lead_id);
      return next === undefined ? found : [...found, ...(await all({ ...page, after: next }))];
    };
    for (const limit of [1, 2, 5]) {
      expect(await all({ limit })).toEqual(ids);
      expect(await all({ limit, descending: true })).toEqual(ids.toReversed());
    }
    expect(await all({ limit: 5, after: pendingCursor(await get('l1')) })).toEqual(['l2', 'l3']);
    expect(await leadLists.countPending(deps)).toBe(3);
  });

  it('restarts a lead manually with the admin’s changes only', async () => {
    const table = memoryTable();
    const lead = aLead({ vorname: 'Eva', nachname: 'Alt' });
    const change = { vorname: 'Uta', chosen_buyer: 3, chosen_by: 'anna', verified: true };
    expect(leadStore.restartWith({ table }, lead, 'now', change).restarted).toMatchObject({
      vorname: 'Uta',
      nachname: 'Alt',
      chosen_buyer: 3,
      chosen_by: 'anna',
      verified: true,
    });
  });

  it('reads all leads of an order in pages, and one by its number', async () => {
    const table = memoryTable();
    const sequences = [1, 2, 499, 500, 501, 999, 1000, 1001, 1200];
    for (const sequence of sequences) {
      const lead = aLead({ lead_id: `l${sequence}`, order_id: 7, sequence });
      const list = { gsi1pk: indexed.orderLeads(7), gsi1sk: indexed.sequence(sequence) };
      await table.put({ put: { ...keys.lead(lead.lead_id), ...lead, ...list } });
    }
    for (const last of [undefined, 0, 1, 500, 501, 1000, 1200, 5000])
      expect((await leadLists.ofOrder({ table }, 7, last)).map(({ sequence }) => sequence)).toEqual(
        sequences,
      );
    expect((await leadLists.ofOrderBySequence({ table }, 7, 501))?.lead_id).toBe('l501');
    expect(await leadLists.ofOrderBySequence({ table }, 7, 502)).toBeUndefined();
    expect((await leadLists.newestOfOrder({ table }, 7, 2)).map(({ sequence }) => sequence)).toEqual([
      1200, 1001,
    ]);
  });
});
