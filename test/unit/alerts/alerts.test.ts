/** When alerts are sent, by which medium, and the daily summary. */

import { describe, expect, it } from 'vitest';
import * as alertStore from '#functions/data/alerts/alert-store';
import { type AlertSettings, DEFAULT_RULES } from '#functions/data/alerts/alert-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Order } from '#functions/data/orders/order';
import { EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { indexed, keys } from '#functions/data/table/keys';
import { type AlertContext, notify, raiseAlerts } from '#functions/domain/alerts/alerts';
import { FREQUENT_KINDS, WATCHED_KINDS, type WatchedKind } from '#functions/domain/alerts/conditions';
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { summaryOf } from '#functions/domain/alerts/summary';
import type { AlertKind } from '#shared/rules/constants';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { putStatistics } from '#test/factories/items';
import { aReceivedLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { changedTable, itemsOf, quietRuntime, runDying } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** Wednesday, half past eight in Berlin. */
const NOW = new Date('2026-11-25T07:30:00.000Z');
const MAIL = { email: true, push: false, threshold: null };
const PUSH = { email: false, push: true, threshold: null };
const OFF = { email: false, push: false, threshold: null };

/** A pending lead. */
const WAITING = aReceivedLead({ received_at: '2026-11-01T00:00:00.000Z', status: 'pending' });

interface World {
  now: Date;
  orders: Order[];
  pending: number;
}

async function alerts(rules: Partial<Record<AlertKind, AlertSettings[AlertKind]>>) {
  const days: unknown[] = [];
  const world: World = { now: NOW, orders: [], pending: 0 };
  const stored = memoryTable();
  // Pool, pending leads and pending claims come from the test's world.
  const table = changedTable(stored, {
    query: async (query) =>
      query.partition === indexed.pending()
        ? { items: Array.from({ length: world.pending }, () => WAITING), next: undefined }
        : stored.query(query),
    queryAll: async (query) => {
      if (query.partition === keys.claimCounts({ all: true })) return [{ sk: '0', pending_0: world.pending }];
      if (query.partition === keys.statistics() && query.sort && 'from' in query.sort) days.push(query.sort);
      if (query.partition !== keys.pool()) return stored.queryAll(query);
      return world.orders.map(({ order_id }) =>
        aPoolEntry({ buyer: order_id, buyer_id: `b${order_id}`, order_id, active: order_id < 1000 }),
      );
    },
  });
  const runtime = { ...quietRuntime, now: () => world.now };
  const deps = {
    table,
    runtime,
    orderCache: { some: async () => new Map(world.orders.map((order) => [order.order_id, order])) },
    texts: {
      found: (found: readonly { kind: string; subject: string }[]) => ({
        title: found.map(({ kind, subject }) => `${kind} ${subject}`).join(', '),
        lines: ['line'],
      }),
      summary: ({ day, nearlyFull }: { day: string; nearlyFull: readonly unknown[] }) => ({
        title: `summary of ${day}: ${nearlyFull.length}`,
        lines: [],
      }),
    },
  } as unknown as AlertContext;
  let version = 0;
  const save = async (changes: typeof rules) => {
    const settings = {
      emails: [],
      ...DEFAULT_RULES,
      delivery_failing: OFF,
      order_requested: OFF,
      ...changes,
    };
    await table.transact([alertStore.settingsChanged(version, settings)]);
    version += 1;
  };
  await save(rules);
  let seen = 0;
  /** The alerts sent now, as `medium: title`. */
  const notified = async (kinds: readonly WatchedKind[] = WATCHED_KINDS) => {
    const count = await raiseAlerts(deps, kinds);
    const all = (await itemsOf(table)).flatMap(({ sk, about, medium, title }) =>
      sk === 'NOTIFICATION' && about === 'alert' ? [`${String(medium)}: ${String(title)}`] : [],
    );
    expect(all).toHaveLength(seen + count);
    const fresh = all.slice(seen);
    seen = all.length;
    return fresh.toSorted();
  };
  return { table, deps, world, save, notified, days };
}

const full = (order_id = 1) => anOrder({ order_id, leads_received: 10 });

describe('an alert', () => {
  it('is sent by the media enabled for its kind, once for each incident', async () => {
    const { notified, world, table } = await alerts({
      order_full: { ...MAIL, push: true },
      leads_waiting: { ...PUSH, threshold: 24 },
    });
    expect(await notified()).toEqual([]);
    world.orders = [full()];
    world.pending = 1;
    expect(await notified()).toEqual(['email: order_full 1', 'push: order_full 1, leads_waiting ']);
    expect(await notified()).toEqual([]);
    expect(await alertStore.incidents({ table })).toEqual([
      { kind: 'leads_waiting', subject: '', since: NOW.toISOString() },
      { kind: 'order_full', subject: '1', since: NOW.toISOString() },
    ]);
    world.orders = [full(), full(2)];
    expect(await notified()).toEqual(['email: order_full 2', 'push: order_full 2']);
  });

  it('is sent once, even if the process dies or two run concurrently', async () => {
    for (const when of ['before', 'after'] as const)
      for (let n = 1; ; n += 1) {
        const { table, deps, world } = await alerts({ order_full: MAIL });
        world.orders = [full()];
        const died = await runDying(table, n, when, (on) =>
          raiseAlerts({ ...deps, table: on }, WATCHED_KINDS),
        );
        if (!died) break;
        await Promise.all([raiseAlerts(deps, WATCHED_KINDS), raiseAlerts(deps, WATCHED_KINDS)]);
        await raiseAlerts(deps, WATCHED_KINDS);
        const notifications = (await itemsOf(table)).filter(
          ({ sk, about }) => sk === 'NOTIFICATION' && about === 'alert',
        );
        expect(notifications, `${when} call ${n}`).toHaveLength(1);
      }
  });

  it('can be sent again after the incident ended or the alert was disabled', async () => {
    const { notified, world, save, table } = await alerts({ order_full: MAIL });
    world.orders = [full()];
    expect(await notified()).toHaveLength(1);
    world.orders = [anOrder({ order_id: 1 })];
    expect(await notified()).toEqual([]);
    expect(await alertStore.incidents({ table })).toEqual([]);
    world.orders = [full()];
    expect(await notified()).toEqual(['email: order_full 1']);
    await save({ order_full: OFF });
    expect(await notified()).toEqual([]);
    await save({ order_full: PUSH });
    expect(await notified()).toEqual(['push: order_full 1']);
  });

  it('of an hourly check is ended by that job only', async () => {
    const { notified, world, table } = await alerts({
      claims_waiting: { ...MAIL, threshold: 1 },
      order_full: MAIL,
    });
    await table.transact([
      alertStore.incidentBegan({ kind: 'claims_waiting', subject: '', since: NOW.toISOString() }),
    ]);
    world.pending = 0;
    await notified(FREQUENT_KINDS);
    expect(await alertStore.incidents({ table })).toHaveLength(1);
    await notified();
    expect(await alertStore.incidents({ table })).toEqual([]);
  });

  it('with very many incidents is split into several', async () => {
    const { notified, world, table } = await alerts({ order_full: MAIL });
    world.orders = Array.from({ length: 41 }, (_, at) => full(at + 1));
    const titles = await notified();
    expect(titles.map((title) => title.split(', ').length)).toEqual([40, 1]);
    expect(await alertStore.incidents({ table })).toHaveLength(41);
    expect(await notified()).toEqual([]);
  });

  it('is sent immediately for events, if its kind is enabled', async () => {
    const { deps, table } = await alerts({ delivery_failing: PUSH });
    await notify({ ...deps, table }, 'delivery_failing', { title: 'failing', lines: ['a', 'b'] });
    await notify({ ...deps, table }, 'order_requested', { title: 'asked', lines: [] });
    expect((await itemsOf(table)).filter(({ sk }) => sk === 'NOTIFICATION')).toMatchObject([
      { about: 'alert', medium: 'push', title: 'failing', lines: ['a', 'b'] },
    ]);
  });
});

describe('the summary', () => {
  it('of the previous day is sent once a day, from its hour in Berlin on', async () => {
    const { notified, world, days } = await alerts({
      daily_summary: { email: true, push: true, threshold: 9 },
      order_nearly_full: { ...OFF, threshold: 90 },
    });
    world.orders = [anOrder({ order_id: 1, leads_received: 9 }), anOrder({ order_id: 2, leads_received: 8 })];
    expect(await notified(FREQUENT_KINDS)).toEqual([]);
    world.now = new Date('2026-11-25T08:00:00.000Z');
    const text = 'summary of 2026-11-24: 1';
    expect(await notified(FREQUENT_KINDS)).toEqual([`email: ${text}`, `push: ${text}`]);
    expect(days).toEqual([{ from: '2026-11-24', to: expect.stringContaining('2026-11-24') }]);
    expect(await notified()).toEqual([]);
    world.now = new Date('2026-11-26T08:00:00.000Z');
    expect(await notified()).toEqual(['email: summary of 2026-11-25: 1', 'push: summary of 2026-11-25: 1']);
    // A slow clock does not send alerts again.
    world.now = new Date('2026-11-25T20:00:00.000Z');
    expect(await notified()).toEqual([]);
  });

  it('adds up the leads of the buyers, and names active orders that are nearly full', async () => {
    const { table, deps, world } = await alerts({});
    world.orders = [8, 7, 10].map((leads_received, at) => anOrder({ order_id: at + 1, leads_received }));
    world.orders.push(anOrder({ order_id: 1000, leads_received: 9 }));
    world.pending = 3;
    const part = (originals: number, reimbursements: number) => ({
      ...EMPTY_BUYER_DAY,
      originals,
      reimbursements,
      prices: { 1999: originals },
    });
    const range = new Map([
      [5, part(1, 0)],
      [6, part(0, 0)],
      [7, part(2, 1)],
      [8, part(1, 0)],
    ]);
    await putStatistics(table, new Map([['2026-11-24', range]]));
    for (const [buyer, buyer_id] of [
      [5, 'zeta'],
      [8, 'beta'],
    ] as const)
      await table.transact(buyerStore.created(aBuyer({ buyer, buyer_id })));
    const summary = await summaryOf(deps, '2026-11-24', 80);
    expect(summary).toEqual({
      day: '2026-11-24',
      leads: 5,
      replacements: 1,
      buyers: [
        { buyerId: '7', leads: 3 },
        { buyerId: 'beta', leads: 1 },
        { buyerId: 'zeta', leads: 1 },
      ],
      revenue: 4 * 1999,
      pendingLeads: 3,
      openClaims: 3,
      failedDeliveries: 0,
      nearlyFull: [{ buyerId: 'b1', received: 8, limit: 10 }],
    });
  });
});

describe('the stored settings', () => {
  it('have defaults before the first change, and each change requires the expected values', async () => {
    const table = memoryTable();
    expect(await alertStore.settings({ table })).toMatchObject({
      version: 0,
      emails: [],
      delivery_failing: { email: true },
    });
    const { version, ...settings } = await alertStore.settings({ table });
    // The second one changes nothing.
    for (const emails of [['a@b.de'], ['a@b.de']])
      await saveAlertSettings({ table, runtime: quietRuntime }, 'ada', { emails }, undefined);
    expect((await table.transact([alertStore.settingsChanged(version, settings)])).ok).toBe(false);
    expect(await alertStore.settings({ table })).toMatchObject({ version: 1, emails: ['a@b.de'] });
    expect((await table.transact([alertStore.settingsChanged(1, settings)])).ok).toBe(true);
    expect((await table.transact([alertStore.settingsChanged(1, settings)])).ok).toBe(false);
  });

  it('store an incident once, and end it only if it is unchanged', async () => {
    const table = memoryTable();
    const incident = { kind: 'order_full', subject: '1', since: '2026-11-25T00:00:00.000Z' } as const;
    expect((await table.transact([alertStore.incidentBegan(incident)])).ok).toBe(true);
    expect((await table.transact([alertStore.incidentBegan({ ...incident, since: 'later' })])).ok).toBe(
      false,
    );
    await alertStore.incidentOver({ table }, { ...incident, since: 'later' });
    expect(await alertStore.incidents({ table })).toEqual([incident]);
    await alertStore.incidentOver({ table }, incident);
    expect(await alertStore.incidents({ table })).toEqual([]);
    expect(await alertStore.summaryDay({ table })).toBeUndefined();
    expect((await table.transact([alertStore.summarySent('2026-11-25')])).ok).toBe(true);
    for (const day of ['2026-11-25', '2026-11-24'])
      expect((await table.transact([alertStore.summarySent(day)])).ok).toBe(false);
    expect((await table.transact([alertStore.summarySent('2026-11-26')])).ok).toBe(true);
    expect(await alertStore.summaryDay({ table })).toBe('2026-11-26');
  });
});
