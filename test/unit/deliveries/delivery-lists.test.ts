/** The lists of deliveries, payloads and notifications, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as payloadStore from '#functions/data/deliveries/payloads';
import type { Result } from '#functions/data/deliveries/sending-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import type { Attempt, Delivery } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import type { Query, Table } from '#functions/data/table/table';
import { listDeliveries, resend, resendFailed } from '#functions/domain/deliveries/delivery-log';
import { resultOf } from '#functions/domain/deliveries/outgoing';
import {
  requeueNotifications,
  requeueOpenNotifications,
} from '#functions/domain/deliveries/requeue-notifications';
import type { NotifyMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { aBuyer } from '#test/factories/buyers';
import { aDelivery, anAttempt, aReport } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { aTemplate } from '#test/factories/templates';
import { listQueue, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { adminOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-20T10:00:00.000Z');
const minute = (number: number) => new Date(START.getTime() + number * MINUTE_MS);
const idOf = (number: number) => `01J000000000000000000000${String(number).padStart(2, '0')}`;

const RESULT: Result = {
  status: 'delivered',
  attempts: [],
  next_attempt_at: null,
  external_id: null,
  error: null,
};
const claim = async (table: Table, delivery: Delivery, at: number) =>
  (await sendingStore.claim(
    { table },
    deliveryStore.DELIVERIES,
    delivery,
    anAttempt(minute(at)),
    minute(at + 5),
  ))!;

/** Stores deliveries, one a minute, of buyer 7 by default. */
async function deliveriesOf(...all: readonly Partial<Delivery>[]) {
  const table = memoryTable();
  for (const [at, one] of all.entries()) {
    const { status = 'pending', ...rest } = one;
    const created_at = minute(at).toISOString();
    const delivery = aDelivery({ lead_id: idOf(at), created_at, updated_at: created_at, ...rest });
    await putDelivery(table, delivery);
    if (status === 'pending') continue;
    const result = { ...RESULT, status, next_attempt_at: status === 'retrying' ? minute(at + 100) : null };
    const claimed = await claim(table, delivery, at + 50);
    await sendingStore.finish({ table }, deliveryStore.DELIVERIES, claimed, result, minute(at + 50));
  }
  const deps = { ...adminOn(table), runtime: { ...quietRuntime, now: () => minute(200) } };
  await table.transact(buyerStore.created(aBuyer({ buyer: 8, buyer_id: 'other' })));
  await table.put({ put: { ...keys.buyerId('acme'), buyer: 7 } });
  await table.put({ put: { ...keys.buyer(7), ...aBuyer({ buyer: 7, buyer_id: 'acme' }) } });
  /** The minutes of all deliveries of a list, page by page. */
  const pages = async (query: { buyerId?: string; status?: Delivery['status'] }, limit: number) => {
    const found: number[][] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await listDeliveries(deps, { ...query, limit, ...(cursor && { cursor }) });
      found.push(page.deliveries.map(({ lead_id }) => Number(lead_id.slice(-2))));
      cursor = page.nextCursor ?? undefined;
      more = cursor !== undefined;
    }
    return found;
  };
  return { table, deps, pages };
}

const ofEachKind = [
  { status: 'failed' },
  { status: 'retrying' },
  { status: 'delivered' },
  {},
  { status: 'failed', buyer: 8 },
  { status: 'retrying' },
  {},
  { status: 'failed' },
] as const satisfies readonly Partial<Delivery>[];

describe('the delivery list', () => {
  it('of all buyers shows failed deliveries, latest first, then waiting ones by due time', async () => {
    const { pages, deps } = await deliveriesOf(...ofEachKind);
    const all = [7, 4, 0, 1, 5];
    for (const limit of [1, 2, 3, 4, 5, 9]) {
      const found = await pages({}, limit);
      expect(found.flat()).toEqual(all);
      expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(limit);
    }
    expect(await pages({ status: 'failed' }, 2)).toEqual([[7, 4], [0]]);
    expect((await pages({ status: 'retrying' }, 2)).flat()).toEqual([1, 5]);
    const page = await listDeliveries(deps, { limit: 9 });
    expect(page).toMatchObject({ failedCount: 3, nextCursor: null });
    expect(page.buyerIds).toEqual(
      new Map([
        [7, 'acme'],
        [8, 'other'],
      ]),
    );
    for (const status of ['delivered', 'pending'] as const)
      await expect(listDeliveries(deps, { status, limit: 9 })).rejects.toMatchObject({
        code: 'buyer_required',
        fields: { buyer_id: expect.any(String) },
      });
  });

  it('of one buyer shows untried deliveries, then the others, each newest first', async () => {
    const { pages, deps } = await deliveriesOf(...ofEachKind);
    for (const limit of [1, 2, 3, 7, 9]) {
      expect((await pages({ buyerId: 'acme' }, limit)).flat()).toEqual([6, 3, 7, 5, 2, 1, 0]);
      expect((await pages({ buyerId: 'acme', status: 'pending' }, limit)).flat()).toEqual([6, 3]);
      expect((await pages({ buyerId: 'acme', status: 'failed' }, limit)).flat()).toEqual([7, 0]);
    }
    expect(await pages({ buyerId: 'other' }, 5)).toEqual([[4]]);
    await expect(listDeliveries(deps, { buyerId: 'nobody', limit: 1 })).rejects.toMatchObject({
      kind: 'not_found',
    });
    const { nextCursor } = await listDeliveries(deps, { buyerId: 'acme', status: 'retrying', limit: 1 });
    for (const other of [{ buyerId: 'other' }, {}, { buyerId: 'acme', status: 'failed' as const }])
      await expect(listDeliveries(deps, { ...other, limit: 1, cursor: nextCursor! })).rejects.toMatchObject({
        code: 'invalid_cursor',
      });
  });
});

it('a claimed delivery is overdue only when the time of its worker is over', async () => {
  const { table } = await deliveriesOf({ status: 'retrying' });
  await claim(table, (await deliveryStore.get({ table }, idOf(0), 'email'))!, 101);
  const overdue = async (at: number) => (await deliveryStore.overdue({ table }, minute(at), 9)).length;
  expect([await overdue(105), await overdue(107)]).toEqual([0, 1]);
});

describe('resending', () => {
  it('requires a delivery that is not in progress, and is audited', async () => {
    const { deps, table } = await deliveriesOf(...ofEachKind);
    await expect(resend(deps, 'anna', 'nothing', 'email')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(resend(deps, 'anna', idOf(3), 'email')).rejects.toMatchObject({
      code: 'already_on_its_way',
    });
    await resend(deps, 'anna', idOf(0), 'email');
    // Of two at once one begins.
    const sent = await Promise.all(
      [200, 201].map(async (at) => deliveryStore.sendAgain({ table }, idOf(1), 'email', minute(at))),
    );
    expect(sent.map(({ ok }) => ok)).toEqual([true, false]);
    expect(await deliveryStore.get({ table }, idOf(0), 'email')).toMatchObject({
      status: 'pending',
      series: 2,
    });
    const notified = async (entity: 'lead' | 'buyer', entityId: string) =>
      (await auditStore.list(deps, { entity, entityId }, { limit: 5 })).entries.map(
        ({ who, action, changes }) => [who, action, changes.map(({ to }) => to)],
      );
    expect(await notified('lead', idOf(0))).toEqual([['anna', 'sent_again_email', []]]);
    expect(await resendFailed(deps, 'bert', 'acme')).toBe(1);
    expect(await notified('buyer', '7')).toEqual([['bert', 'sent_failed_again', [1]]]);
    expect(await resendFailed(deps, 'bert', 'acme')).toBe(0);
    expect(await notified('buyer', '7')).toHaveLength(1);
    await expect(resendFailed(deps, 'bert', 'nobody')).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('a result that is written twice', () => {
  it('counts as written if the same result is stored, and fails if a different one is', async () => {
    const { table } = await deliveriesOf({});
    const delivery = (await deliveryStore.get({ table }, idOf(0), 'email'))!;
    const claimed = await claim(table, delivery, 0);
    const finish = (of: Delivery, changes: Partial<Result>, at: number) =>
      sendingStore.finish({ table }, deliveryStore.DELIVERIES, of, { ...RESULT, ...changes }, minute(at));
    expect(await finish(claimed, {}, 1)).toBe(true);
    expect(await finish(claimed, {}, 1)).toBe(true);
    expect(await finish(claimed, {}, 2)).toBe(false);
    expect(await finish({ ...claimed, attempt_count: 2 }, {}, 1)).toBe(false);
    expect(await finish(claimed, { status: 'failed' }, 1)).toBe(false);
    expect(await finish({ ...claimed, series: 2 }, {}, 1)).toBe(false);
    expect(await finish({ ...claimed, sequence: 9 }, {}, 1)).toBe(false);
    await table.delete({ delete: keys.delivery(idOf(0), 'email') });
    expect(await finish(claimed, {}, 1)).toBe(false);
  });
});

describe('an unconfirmed e-mail', () => {
  it('doubles its wait after each earlier one in its series', () => {
    const unconfirmed = aReport({ outcome: 'unknown', unconfirmed: true, error: 'no answer' });
    const wait = (...before: Attempt[]) => {
      const claimed = aDelivery({ attempt_count: before.length + 1, queued_at: START.toISOString() });
      const attempts = [...before, anAttempt(minute(9))];
      const { next_attempt_at } = resultOf(claimed, unconfirmed, attempts, minute(10), 0);
      return (next_attempt_at!.getTime() - minute(10).getTime()) / (60 * MINUTE_MS);
    };
    expect(wait()).toBe(1);
    expect(wait(anAttempt(START))).toBe(2);
    expect(wait(anAttempt(START), anAttempt(minute(1)))).toBe(4);
    // Other outcomes and attempts of an earlier series do not count.
    expect(wait(anAttempt(minute(1), 'transient'), anAttempt(minute(2), 'skipped'))).toBe(1);
    expect(wait(anAttempt(minute(-1)))).toBe(1);
  });
});

describe('the payload of a channel', () => {
  it('has the template for the lead type, for e-mail only', async () => {
    const table = memoryTable();
    const templates = [aTemplate({ id: 't1' }), aTemplate({ id: 't2' })];
    for (const one of templates) await table.put({ put: { ...keys.template(one.id), ...one } });
    const buyer = aBuyer({ email_template_id: 't1', reimbursement_email_template_id: 't2' });
    const plain = { ...buyer, reimbursement_email_template_id: null };
    for (const [of, channel, type, id] of [
      [buyer, 'email', 'original', 't1'],
      [buyer, 'email', 'reimbursement', 't2'],
      [plain, 'email', 'reimbursement', 't1'],
      [{ ...plain, email_template_id: null }, 'email', 'original', undefined],
      [{ ...plain, email_template_id: 'gone' }, 'email', 'original', undefined],
      [buyer, 'trackbox', 'original', undefined],
    ] as const)
      expect((await payloadStore.templateOf({ table }, of, channel, type))?.id).toBe(id);
  });

  it('cannot be loaded without the lead or the buyer', async () => {
    const table = memoryTable();
    const load = () => payloadStore.load({ table }, aDelivery());
    expect(await load()).toEqual({ ok: false, error: 'The lead is gone' });
    await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead() } });
    expect(await load()).toEqual({ ok: false, error: 'The buyer is gone' });
    expect(await payloadStore.buyer({ table }, 7)).toBeUndefined();
    await table.put({ put: { ...keys.buyer(7), ...aBuyer({ buyer: 7, buyer_id: 'acme' }) } });
    expect(await load()).toMatchObject({ ok: true, payload: { lead_id: LEAD_ID, buyer: { buyer: 7 } } });
    expect((await payloadStore.buyer({ table }, 7))?.buyer_id).toBe('acme');
    await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead({ status: 'deleted' }) } });
    expect(await load()).toMatchObject({ ok: false });
  });
});

describe('notifications', () => {
  const subject = (at: number) =>
    ({ about: 'claim_decided', lead_id: idOf(at), status: 'approved' }) as const;
  const pagesOfTwo = (table: Table): Table => {
    const query = table.query.bind(table);
    return Object.assign(table, {
      query: (one: Query) => query({ ...one, limit: Math.min(2, one.limit ?? 2) }),
    });
  };

  it('get one message each at startup if they are due, over several pages', async () => {
    const table = pagesOfTwo(memoryTable());
    for (let at = 0; at < 5; at += 1) await table.put(notificationStore.created(subject(at), minute(at)));
    const second = (await notificationStore.get({ table }, subject(1)))!;
    await notificationStore.postpone({ table }, second, minute(60));
    await notificationStore.done({ table }, (await notificationStore.get({ table }, subject(2)))!, minute(3));
    const sent: Outgoing<NotifyMessage>[] = [];
    const at = (now: Date) => ({ table, queue: listQueue(sent), runtime: runtimeAt(() => now) });
    expect(await requeueNotifications(at(minute(1)))).toBe(0);
    expect(await requeueOpenNotifications(at(minute(4)))).toBe(3);
    expect(sent.map(({ message }) => ('lead_id' in message ? message.lead_id : '')).toSorted()).toEqual(
      [0, 3, 4].map(idOf),
    );
    expect(await requeueNotifications(at(minute(5)))).toBe(0);
    expect(await requeueOpenNotifications(at(minute(60)))).toBe(4);
  });
});
