/** Which leads are due for erasure, which are kept, and where a run continues. */

import { describe, expect, it } from 'vitest';
import { type Lead } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import type { Query } from '#functions/data/table/table';
import { type EraseOldContext, eraseOldLeads, previewRetention } from '#functions/domain/leads/retention';
import { aBuyer } from '#test/factories/buyers';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const TODAY = '2026-11-25';
const NONE = { delivered: null, pending: null, rejected: null };

interface Kept {
  readonly lead_id: string;
  readonly since?: string;
  readonly claim_status?: string;
}

interface World {
  readonly days?: object;
  /** Leads of each kind by page; delivered leads by order. */
  readonly pages?: Readonly<Record<string, readonly (readonly Kept[])[]>>;
  readonly orders?: readonly (readonly (readonly Kept[])[])[];
  readonly stored?: object;
  readonly undelivered?: readonly string[];
  readonly owed?: Readonly<Record<number, { order?: number; balance?: number }>>;
  readonly fails?: string;
  readonly isGone?: boolean;
}

function world({
  days = {},
  pages = {},
  orders = [],
  stored,
  undelivered = [],
  owed = {},
  fails,
  isGone = true,
}: World) {
  const [erased, moved, in_sidecar, asked, failed]: [string[], object[], string[][], unknown[], unknown[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const announced: object[] = [];
  const known = new Set<unknown>(
    stored !== undefined && 'in_sidecar' in stored ? (stored.in_sidecar as string[]) : [],
  );
  const pageOf = (list: readonly (readonly Kept[])[], after: string) => {
    const [at = 0, skip = 0] = after === '' ? [] : after.split('.').map(Number);
    const leads = (list[at] ?? []).slice(skip).map((lead, index) => ({
      since: '2026-01-01',
      ...lead,
      position: `${at}.${skip + index + 1}`,
    }));
    return { leads, next: at + 1 < list.length ? `${at + 1}.0` : undefined };
  };
  /** A page of leads as an index lists them, after the requested position. */
  const page = (list: readonly (readonly Kept[])[], { sort, index = 'gsi1' }: Query) => {
    const after = sort !== undefined && 'from' in sort ? sort.from.slice(0, -1) : '';
    const { leads: found, next } = pageOf(list, after);
    const items = found.map(({ position: place, since, ...lead }) => ({
      ...aLead(lead as Partial<Lead>),
      received_at: since,
      assigned_at: since,
      at: since,
      entity_id: lead.lead_id,
      [`${index}sk`]: place,
    }));
    return { items, next: next === undefined ? undefined : { [`${index}sk`]: next } };
  };
  const table = changedTable(memoryTable(), {
    get: async ({ pk, sk }) => {
      if (sk === keys.retentionSettings().sk && pk === keys.retentionSettings().pk)
        return { ...NONE, ...days };
      if (sk === keys.retentionProgress().sk && pk === keys.retentionProgress().pk)
        return stored && { in_sidecar: [], ...stored };
      if (pk === keys.counter('order').pk && sk === keys.counter('order').sk) return { value: orders.length };
      const [id, of] = Object.entries(owed).find(([order]) => keys.order(Number(order)).sk === sk) ?? [];
      return of && anOrder({ order_id: Number(id), buyer: Number(id), reimbursement_pending: of.order ?? 0 });
    },
    getMany: async (wanted) =>
      wanted.map(({ pk, sk }) => {
        const buyer = Object.keys(owed).find(
          (id) => keys.buyer(Number(id)).sk === sk && keys.buyer(Number(id)).pk === pk,
        );
        if (buyer !== undefined)
          return aBuyer({ buyer: Number(buyer), balance_count: owed[Number(buyer)]?.balance ?? 0 });
        return aLead({ lead_id: pk.replace('LEAD#', ''), status: 'deleted' });
      }),
    put: async ({ put }) => {
      const { pk: _, sk: __, ...to } = put as { pk: unknown; sk: unknown; in_sidecar: string[] } & object;
      // Stored before the erasure.
      const isAhead = to.in_sidecar.some((id) => id !== fails && !erased.includes(id) && !known.has(id));
      (isAhead ? announced : moved).push(to);
      return { ok: true, item: put };
    },
    query: async (query) => {
      const { partition, sort } = query;
      const range = sort !== undefined && 'from' in sort ? sort : { from: '\u0000', to: '' };
      const order = orders.findIndex((_, at) => partition === indexed.orderLeads(at + 1)) + 1;
      const kind = partition === indexed.pending() ? 'pending' : 'rejected';
      asked.push([order > 0 ? order : kind, range.from.slice(0, -1), range.to]);
      return page((order > 0 ? orders[order - 1] : pages[kind]) ?? [[]], query);
    },
    pages: async function* ({ partition }) {
      yield partition === indexed.failedDeliveries() ? undelivered.map((lead_id) => ({ lead_id })) : [];
    },
  });
  const deps = {
    table,
    erase: async (id: string) => {
      if (id === fails) throw new Error('busy');
      erased.push(id);
    },
    forgetSidecar: async (ids: readonly string[]) => {
      in_sidecar.push([...ids]);
      return isGone;
    },
    runtime: {
      ...quietRuntime,
      now: () => NOW,
      log: { ...quietRuntime.log, error: (text: string, fields: object) => void failed.push([text, fields]) },
    },
  } as EraseOldContext;
  return { deps, erased, moved, announced, in_sidecar, asked, failed };
}

const leads = (...ids: string[]): Kept[] => ids.map((lead_id) => ({ lead_id }));

describe('a run', () => {
  it('erases nothing if no kind has a retention period, or today’s run is done', async () => {
    for (const one of [
      world({ pages: { pending: [leads('a')] } }),
      world({
        days: { pending: 9 },
        pages: { pending: [leads('a')] },
        stored: { day: TODAY, after: '', erased: 3 },
      }),
    ]) {
      expect(await eraseOldLeads(one.deps)).toBe(0);
      expect([one.erased, one.moved, one.in_sidecar]).toEqual([[], [], []]);
    }
  });

  it('goes through all kinds with a retention period, page by page, and starts again the next day', async () => {
    const one = world({
      days: { pending: 9, rejected: 30 },
      pages: { pending: [leads('a'), leads('b')], rejected: [leads('c')] },
      stored: { day: '2026-11-24', after: '', erased: 7 },
    });
    expect(await eraseOldLeads(one.deps)).toBe(3);
    expect(one.erased).toEqual(['a', 'b', 'c']);
    expect(one.asked).toEqual([
      ['pending', '', '2026-11-16T12:00:00.000Z'],
      ['pending', '1.0', '2026-11-16T12:00:00.000Z'],
      ['rejected', '', '2026-10-26T12:00:00.000Z'],
    ]);
    expect(one.moved).toEqual([{ day: TODAY, kind: undefined, after: '', erased: 3, in_sidecar: [] }]);
    expect(one.in_sidecar).toEqual([['a', 'b', 'c']]);
  });

  it('ends at its limit of leads or pages, and the next run continues there', async () => {
    const days = { pending: 9 };
    const pages = { pending: [leads('a', 'b', 'c'), leads('d')] };
    const first = world({ days, pages });
    expect(await eraseOldLeads(first.deps, { leads: 2, pages: 9 })).toBe(2);
    expect(first.moved).toEqual([{ day: TODAY, kind: 'pending', after: '0.2', erased: 2, in_sidecar: [] }]);
    const second = world({ days, pages, stored: first.moved[0]! });
    expect(await eraseOldLeads(second.deps, { leads: 9, pages: 1 })).toBe(1);
    expect(second.erased).toEqual(['c']);
    expect(second.moved).toEqual([{ day: TODAY, kind: 'pending', after: '1.0', erased: 3, in_sidecar: [] }]);
    const third = world({ days, pages, stored: second.moved[0]! });
    expect(await eraseOldLeads(third.deps)).toBe(1);
    expect(third.moved).toMatchObject([{ kind: undefined, erased: 4 }]);
    // The limits hold over all kinds together.
    for (const limits of [
      { leads: 2, pages: 9 },
      { leads: 9, pages: 2 },
    ]) {
      const both = world({
        days: { pending: 9, rejected: 9 },
        pages: { pending: [leads('a')], rejected: [leads('b'), leads('c')] },
      });
      expect(await eraseOldLeads(both.deps, limits)).toBe(2);
      expect(both.erased).toEqual(['a', 'b']);
    }
  });

  it('skips a lead that cannot be erased, and logs it', async () => {
    const one = world({ days: { pending: 9 }, pages: { pending: [leads('a', 'b')] }, fails: 'a' });
    expect(await eraseOldLeads(one.deps)).toBe(1);
    expect(one.erased).toEqual(['b']);
    expect(one.failed).toMatchObject([['old lead could not be erased', { lead: 'a' }]]);
  });

  it('keeps a list of external copies until they are erased, and pauses at a thousand', async () => {
    const days = { pending: 9 };
    const pages = { pending: [leads('a')] };
    const first = world({ days, pages, isGone: false });
    await eraseOldLeads(first.deps);
    expect(first.moved).toMatchObject([{ kind: undefined, in_sidecar: ['a'] }]);
    const second = world({ days, pages, stored: first.moved[0]! });
    expect(await eraseOldLeads(second.deps)).toBe(0);
    expect([second.in_sidecar, second.moved]).toMatchObject([[['a']], [{ in_sidecar: [], erased: 1 }]]);
    const many = Array.from({ length: 1000 }, (_, at) => `old-${at}`);
    const third = world({
      days,
      pages,
      stored: { day: '2026-11-24', kind: 'pending', after: '', erased: 0, in_sidecar: many },
    });
    expect(await eraseOldLeads(third.deps)).toBe(0);
    expect(third.in_sidecar).toEqual([many]);
  });
});

it('a run that dies has recorded its leads, so the next run removes their external copies', async () => {
  const given = { days: { pending: 9 }, pages: { pending: [leads('a', 'b'), leads('c')] } };
  const first = world(given);
  const dies = { ...first.deps, forgetSidecar: () => Promise.reject(new Error('died')) };
  await expect(eraseOldLeads(dies, { leads: 2, pages: 9 })).rejects.toThrow('died');
  expect([first.erased, first.moved]).toEqual([['a', 'b'], []]);
  expect(first.announced.at(-1)).toMatchObject({
    day: TODAY,
    kind: 'pending',
    after: '',
    in_sidecar: ['a', 'b'],
  });
  // Retention no longer finds these leads by age.
  const next = world({ ...given, pages: { pending: [leads('c')] }, stored: first.announced.at(-1)! });
  expect(await eraseOldLeads(next.deps)).toBe(1);
  expect(next.in_sidecar).toEqual([['a', 'b', 'c']]);
});

describe('delivered leads', () => {
  it('are processed order by order, and a run can continue within an order', async () => {
    const orders = [[leads('a'), leads('b')], [[]], [leads('c')]];
    const one = world({ days: { delivered: 9 }, orders });
    expect(await eraseOldLeads(one.deps, { leads: 1, pages: 9 })).toBe(1);
    expect(one.moved).toMatchObject([{ kind: 'delivered', after: '1#0.1' }]);
    const two = world({ days: { delivered: 9 }, orders, stored: one.moved[0]! });
    expect(await eraseOldLeads(two.deps)).toBe(2);
    expect(two.erased).toEqual(['b', 'c']);
    expect(two.asked.map((what) => (what as unknown[]).slice(0, 2))).toEqual([
      [1, '0.1'],
      [1, '1.0'],
      [2, ''],
      [3, ''],
    ]);
    expect(two.moved).toMatchObject([{ kind: undefined, erased: 3 }]);
    const page = world({ days: { delivered: 9 }, orders });
    await eraseOldLeads(page.deps, { leads: 9, pages: 2 });
    expect(page.moved).toMatchObject([{ kind: 'delivered', after: '2#' }]);
  });

  it('are kept while a claim is open, a replacement is owed, or a delivery is open', async () => {
    const approved = (lead_id: string) => ({ lead_id, claim_status: 'approved' });
    const one = world({
      days: { delivered: 9 },
      undelivered: ['stuck'],
      owed: { 1: { order: 1 }, 2: { balance: 1 }, 3: {} },
      orders: [
        [[...leads('plain', 'stuck'), { lead_id: 'rejected', claim_status: 'rejected' }, approved('owed')]],
        [[approved('balance')]],
        [[{ lead_id: 'open', claim_status: 'pending' }, approved('made good')]],
        [[approved('no order')]],
      ],
    });
    await eraseOldLeads(one.deps);
    expect(one.erased).toEqual(['plain', 'rejected', 'made good', 'no order']);
    const [preview] = await previewRetention(one.deps, { ...NONE, delivered: 9 });
    expect(preview).toMatchObject({ leads: 4, held_back: 4 });
  });
});

describe('the preview', () => {
  it('counts the leads due for erasure and their date range', async () => {
    const { deps } = world({
      pages: {
        pending: [
          [{ lead_id: 'a', since: '2026-03-01' }],
          [
            { lead_id: 'b', since: '2026-01-01' },
            { lead_id: 'c', since: '2026-05-01' },
          ],
        ],
      },
    });
    expect(await previewRetention(deps, { ...NONE, pending: 9, rejected: 3 })).toEqual([
      { kind: 'pending', leads: 3, held_back: 0, oldest: '2026-01-01', newest: '2026-05-01', more: false },
      { kind: 'rejected', leads: 0, held_back: 0, oldest: null, newest: null, more: false },
    ]);
    expect(await previewRetention(deps, NONE as never)).toEqual([]);
  });

  it('ends at its limit of leads or pages, and reports that there are more', async () => {
    const page = leads(...Array.from({ length: 2_000 }, (_, at) => `lead-${at}`));
    const full = world({ pages: { pending: Array.from({ length: 60 }, () => page) } });
    const [many] = await previewRetention(full.deps, { ...NONE, pending: 9 });
    expect(many).toMatchObject({ more: true });
    const empty = world({ pages: { pending: Array.from({ length: 2_000 }, () => []) } });
    const [none] = await previewRetention(empty.deps, { ...NONE, pending: 9 });
    expect(none).toMatchObject({ leads: 0, more: true });
    expect(empty.asked.length).toBeLessThan(2_000);
    expect(full.asked.length).toBeLessThan(60);
  });
});
