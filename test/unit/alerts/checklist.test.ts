/** Why a buyer gets no leads: each check and its inputs. */

import { describe, expect, it } from 'vitest';
import type { Template } from '#functions/data/administration/template';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import { EMPTY_LEDGER } from '#functions/data/distribution/ledger';
import type { Order } from '#functions/data/orders/order';
import { type Day, EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { indexed, keys } from '#functions/data/table/keys';
import { type Check, checklistOf } from '#functions/domain/alerts/checklist';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { aDelivery } from '#test/factories/deliveries';
import { putStatistics } from '#test/factories/items';
import { anOrder } from '#test/factories/orders';
import { aTemplate } from '#test/factories/templates';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable, memoryTableWith } from '#test/harness/memory-table';

/** Wednesday, half past midnight in Berlin. */
const NOW = new Date('2026-11-24T23:30:00.000Z');
const HOURS = { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays_off: true };

interface World {
  readonly buyer: object;
  readonly entry: Partial<PoolEntry> | undefined;
  readonly others: readonly Partial<PoolEntry>[];
  readonly order: Order | undefined;
  readonly deficit: number;
  readonly days: ReadonlyMap<string, Day>;
  readonly pending: number;
  /** Paused channels, with the end of the pause. */
  readonly circuits: Readonly<Record<string, string>>;
  readonly failed: number;
  readonly template: Partial<Template>;
}

async function checked(world: Partial<World> = {}, asked: unknown[] = []) {
  const { buyer, entry, others, order, deficit, days, pending, circuits, failed, template }: World = {
    buyer: {},
    entry: {},
    others: [],
    order: anOrder(),
    deficit: 0,
    days: new Map(),
    pending: 0,
    circuits: {},
    failed: 0,
    template: {},
    ...world,
  };
  const entries = [
    ...(entry ? [aPoolEntry(entry)] : []),
    ...others.map((other, at) => aPoolEntry({ buyer: 1 + at, buyer_id: `other-${at}`, ...other })),
  ];
  const table = await memoryTableWith([
    { ...keys.buyerId('acme'), buyer: 7 },
    { ...keys.buyer(7), ...aBuyer({ buyer_id: 'acme', min_investment: null, ...buyer }) },
    ...entries.map((one) => ({ ...keys.poolEntry(one.buyer), ...one })),
    { ...keys.ledger(), ...EMPTY_LEDGER, version: 1, deficits: { 7: deficit * LEAD } },
    ...(order ? [{ ...keys.order(12), ...order }] : []),
    ...Array.from({ length: pending }, (_, at) => ({
      ...keys.lead(`pending-${at}`),
      gsi1pk: indexed.pending(),
      gsi1sk: String(at),
    })),
    ...Object.entries(circuits).map(([channel, open_until]) => ({
      ...keys.circuit(7, channel),
      failures: 5,
      open_until,
    })),
    { ...keys.template(aTemplate().id), ...aTemplate(template) },
    ...Array.from({ length: failed }, (_, at) => ({
      ...keys.delivery(`failed-${at}`, 'email'),
      ...aDelivery({ lead_id: `failed-${at}`, status: 'failed' }),
      gsi2pk: indexed.failedDeliveries(),
      gsi2sk: String(at),
    })),
  ]);
  await putStatistics(table, days);
  const noted = changedTable(table, {
    queryAll: (query) => {
      if (query.partition === keys.statistics()) asked.push(query.sort);
      return table.queryAll(query);
    },
  });
  const deps = adminOn(noted, { ...quietRuntime, now: () => NOW });
  return checklistOf(deps, 'acme');
}

const check = async (kind: Check['check'], world: Partial<World> = {}) =>
  (await checked(world)).find((one) => one.check === kind);
const expectCheck = async (kind: Check['check'], world: Partial<World>, part: object) =>
  expect(await check(kind, world)).toMatchObject(part);
const dayWith = (buyer: number, part: object, day = '2026-11-25') =>
  new Map([[day, new Map([[buyer, { ...EMPTY_BUYER_DAY, ...part }]])]]);

describe('the checklist of a buyer', () => {
  it('lists all checks in the order of distribution', async () => {
    const asked: unknown[] = [];
    const days = dayWith(8, { originals: 3 });
    expect(await checked({ days }, asked)).toEqual([
      { check: 'order', state: 'ok', orderId: 12 },
      { check: 'limit', state: 'ok', received: 0, limit: 10, renews: false },
      { check: 'paused', state: 'ok' },
      { check: 'review', state: 'ok' },
      { check: 'weight', state: 'ok', weight: 5000, free: 10_000 },
      { check: 'minimum', state: 'ok', minimum: 0, below: 0, leads: 3 },
      {
        check: 'criteria',
        state: 'ok',
        limits: expect.objectContaining({ max_investment: null, min_term: null, max_term: null }),
        missed: 0,
      },
      { check: 'consent', state: 'ok', required: false, missed: 0 },
      { check: 'schedule', state: 'ok', opens: undefined },
      { check: 'caps', state: 'ok', by: undefined, until: undefined },
      {
        check: 'channels',
        state: 'ok',
        on: ['email', 'heroleads', 'trackbox', 'sellanylead', 'http'],
        problem: undefined,
        order: anOrder(),
      },
      { check: 'delivery', state: 'ok', paused: [], failed: 0 },
      { check: 'intake', state: 'ok', leads: 3, waiting: false, silent: [] },
      { check: 'share', state: 'ok', ahead: -0, turnAfter: 1 },
      { check: 'persons', state: 'ok', already: 0, known: 0, refused: 0 },
    ]);
    // Thirty days in Berlin, including today.
    expect(asked).toEqual([{ from: '2026-10-27', to: expect.stringContaining('2026-11-25') }]);
  });

  it('shows the order, its capacity, and whether the next one opens automatically', async () => {
    for (const order of [undefined, anOrder({ deleted_at: NOW.toISOString() })]) {
      expect(await check('order', { order })).toEqual({ check: 'order', state: 'blocked', orderId: null });
      expect(await check('limit', { order })).toBeUndefined();
    }
    await expectCheck('order', { entry: { order_id: null } }, { state: 'blocked' });
    const full = anOrder({ leads_received: 10 });
    await expectCheck('limit', { order: full }, { state: 'blocked', received: 10, renews: false });
    await expectCheck('limit', { order: { ...full, renewal: 'auto' } }, { renews: true });
    const reorder = { lead_limit: 1, requested_at: '', decided_at: null };
    for (const state of ['open', 'confirmed', 'declined'] as const)
      await expectCheck(
        'limit',
        { order: { ...full, renewal: 'ask', reorder: { ...reorder, state } } },
        { renews: state === 'confirmed' },
      );
    await expectCheck('paused', { entry: { active: false } }, { state: 'blocked' });
    expect(await check('paused', { entry: undefined })).toBeUndefined();
  });

  it('uses the terms from the pool, or from the buyer if there is no entry', async () => {
    await expectCheck('review', { entry: { manual_review: true } }, { state: 'blocked' });
    await expectCheck('review', { entry: undefined, buyer: { manual_review: true } }, { state: 'blocked' });
    await expectCheck(
      'weight',
      { entry: undefined, buyer: { probability: 0 } },
      { state: 'blocked', weight: 0 },
    );
    await expectCheck(
      'weight',
      { entry: { probability: 0 }, buyer: { probability: 9 } },
      { state: 'blocked' },
    );
  });

  it('treats the weight not used by other active buyers with an order as free', async () => {
    const others = [
      { probability: 3000 },
      { probability: 2000, has_capacity: false },
      { probability: 1000, active: false },
      { probability: 500, order_id: null },
    ];
    await expectCheck('weight', { others }, { weight: 5000, free: 5000 });
    await expectCheck('weight', { others: [{ probability: 9000 }, { probability: 2000 }] }, { free: 0 });
  });

  it.each([
    // Minimum, smaller leads, leads of other buyers; then the state and the number of leads that it is based on.
    [0, 4, 0, 'ok', 4],
    [1000, 0, 4, 'ok', 4],
    [1000, 0, 0, 'ok', 0],
    [1000, 1, 3, 'ok', 3],
    [1000, 2, 4, 'warn', 4],
    [1000, 3, 4, 'warn', 4],
    [1000, 4, 4, 'blocked', 4],
    [1000, 4, 0, 'blocked', 4],
  ])(
    'rates a minimum of %i with %i smaller leads and %i leads of others: %s',
    async (minimum, below, leads, state, of) => {
      const days = new Map([
        [
          '2026-11-01',
          new Map([
            [7, { ...EMPTY_BUYER_DAY, below_minimum: below }],
            [8, { ...EMPTY_BUYER_DAY, originals: leads }],
          ]),
        ],
      ]);
      expect(await check('minimum', { entry: { min_investment: minimum }, days })).toEqual({
        check: 'minimum',
        state,
        minimum,
        below,
        leads: of,
      });
    },
  );

  it('notes leads that were too large or had another term, if the buyer has such limits', async () => {
    const missed = { above_max_investment: 2, outside_term: 3 };
    const days = new Map([['2026-11-01', new Map([[7, { ...EMPTY_BUYER_DAY, missed }]])]]);
    await expectCheck('criteria', { days }, { state: 'ok', missed: 5 });
    for (const name of ['max_investment', 'min_term', 'max_term'])
      await expectCheck('criteria', { days, buyer: { [name]: 0 } }, { state: 'warn', missed: 5 });
    await expectCheck('criteria', { buyer: { max_term: 12 } }, { state: 'ok', missed: 0 });
  });

  it('shows when opening hours begin and when a cap ends', async () => {
    const closed = { schedule: HOURS };
    expect(await check('schedule', { entry: closed })).toEqual({
      check: 'schedule',
      state: 'blocked',
      opens: new Date('2026-11-25T07:00:00.000Z'),
    });
    await expectCheck('caps', { entry: closed }, { state: 'ok' });
    const capped = { capped_until: '2026-11-25T23:00:00.000Z', capped_by: 'daily_cap_reached' as const };
    expect(await check('caps', { entry: capped })).toEqual({
      check: 'caps',
      state: 'blocked',
      by: 'daily_cap_reached',
      until: new Date('2026-11-25T23:00:00.000Z'),
    });
    await expectCheck('schedule', { entry: capped }, { state: 'ok', opens: undefined });
  });

  it('shows that no channel delivers, or that another one does', async () => {
    const template = { smtp_port: 25 };
    const problem = { kind: 'relay_port', leads: 'all' };
    const buyer = { use_heroleads_api: false, use_trackbox_api: false, use_sellanylead_api: false };
    await expectCheck('channels', { buyer, template }, { state: 'warn', problem });
    const email = { ...buyer, use_http_api: false };
    await expectCheck('channels', { buyer: email, template }, { state: 'blocked', problem });
    await expectCheck(
      'channels',
      { buyer: { ...email, send_email: false } },
      { state: 'blocked', on: [], problem: { kind: 'no_channel' } },
    );
  });

  it('warns of failed deliveries and paused channels', async () => {
    await expectCheck('delivery', { failed: 2 }, { state: 'warn', failed: 2, paused: [] });
    const circuits = {
      sellanylead: '2026-11-25T00:00:00.000Z',
      email: NOW.toISOString(),
      trackbox: '2026-11-24T00:00:00.000Z',
    };
    await expectCheck('delivery', { circuits }, { state: 'warn', paused: ['sellanylead'] });
  });

  it('treats a week without leads as blocking, and shows whether leads are pending', async () => {
    const lastWeek = dayWith(8, { originals: 2, reimbursements: 1 }, '2026-11-19');
    await expectCheck('intake', { days: lastWeek }, { state: 'ok', leads: 3, waiting: false });
    const before = dayWith(8, { originals: 2 }, '2026-11-18');
    await expectCheck('intake', { days: before, pending: 1 }, { state: 'blocked', leads: 0, waiting: true });
    // More than the counter's maximum.
    await expectCheck('intake', { pending: 2 }, { waiting: true });
  });

  it('estimates the number of leads until its turn', async () => {
    const others = [
      { probability: 4000 },
      { probability: 1000, has_capacity: false },
      {
        probability: 1000,
        capped_until: '2026-12-01T00:00:00.000Z',
        capped_by: 'daily_cap_reached' as const,
      },
    ];
    await expectCheck('share', { others }, { state: 'ok', turnAfter: 1 });
    // Its share is five ninths, so each lead brings its turn nearer by five ninths.
    expect(await check('share', { others, deficit: -2 })).toEqual({
      check: 'share',
      state: 'warn',
      ahead: expect.closeTo(2),
      turnAfter: 4,
    });
    await expectCheck('share', { others, deficit: -1 }, { state: 'ok', turnAfter: 2 });
    await expectCheck(
      'share',
      { others, deficit: 3 },
      { state: 'ok', ahead: expect.closeTo(-3), turnAfter: 1 },
    );
    await expectCheck('share', { entry: { probability: 0 } }, { turnAfter: undefined });
    await expectCheck('share', { entry: { has_capacity: false }, others, deficit: -2 }, { turnAfter: 4 });
  });

  it('counts persons that the buyer already has or knows, and leads that it refused', async () => {
    await expectCheck(
      'persons',
      { days: dayWith(7, { missed: { already_received: 2 } }) },
      { state: 'warn', already: 2, refused: 0 },
    );
    await expectCheck(
      'persons',
      { days: dayWith(7, { missed: { already_known: 3 } }) },
      { state: 'warn', already: 0, known: 3 },
    );
    await expectCheck('persons', { days: dayWith(7, { refused: 1 }) }, { state: 'warn', refused: 1 });
    await expectCheck('persons', { days: dayWith(8, { refused: 1 }) }, { state: 'ok' });
  });

  it('requires a buyer', async () => {
    await expect(checklistOf({ table: memoryTable(), runtime: quietRuntime }, 'x')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});
