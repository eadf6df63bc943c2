/** Who may open a link, and how a code or a new link is requested, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { capacityOf, originalLeads, revenue } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import {
  confirmLinkCode,
  hiddenAddress,
  isLinkExpired,
  linkCode,
  requestNewLink,
  requireOpen,
  sendLinkCode,
} from '#functions/domain/orders/link-access';
import { aBuyer } from '#test/factories/buyers';
import { aVisitor } from '#test/factories/links';
import { anOrder } from '#test/factories/orders';
import { addBuyers, adminOn, changedTable, itemsOf, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';
import { DAY_MS, MINUTE_MS } from '#test/harness/time';

const NOW = new Date('2026-11-02T09:00:00Z');
const KEY = new Uint8Array(32).fill(7);
const ADDRESS = '192.0.2.1';

/** A buyer with an order and this link protection. */
async function aLink(changes: { link_code?: boolean; link_days?: number | null } = {}) {
  let now = NOW;
  let ids = 0;
  const slept: number[] = [];
  const logged: string[] = [];
  const table = memoryTable();
  const runtime = {
    ...quietRuntime,
    now: () => now,
    newId: () => `request${(ids += 1)}`,
    newToken: () => `new token ${(ids += 1)}`,
    sleep: async (milliseconds: number) => void slept.push(milliseconds),
    log: { ...quietRuntime.log, error: (message: string) => logged.push(message) },
  };
  const deps = adminOn(table, runtime);
  await addBuyers(table, [{ id: 'a', probability: 10, limit: 5 }]);
  await table.transact([buyerStore.changed((await buyerStore.byId(deps, 'a'))!, changes)]);
  const order = async () => (await orderStore.get(deps, 1))!;
  const { token, created_at } = await order();
  now = new Date(Date.parse(created_at) + MINUTE_MS);
  const wait = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const notifications = async () =>
    (await itemsOf(table))
      .filter(({ sk }) => sk === 'NOTIFICATION')
      .map(({ about, request }) => [about, request]);
  const confirm = (code: string, address = ADDRESS) => confirmLinkCode(deps, KEY, { token, code, address });
  const send = (address = ADDRESS) => sendLinkCode(deps, token, address);
  const renew = (of = token, address = ADDRESS) => requestNewLink(deps, of, address);
  return { table, deps, token, order, wait, notifications, confirm, send, renew, slept, logged };
}

describe('access to a link', () => {
  const visitor = (knows: boolean, admin = false) => aVisitor({ admin, knows: async () => knows });
  const order = anOrder({ created_at: NOW.toISOString() });

  it('is open to everyone if the link is not protected', async () => {
    const buyer = aBuyer({ link_code: false, link_days: null });
    await requireOpen(order, buyer, visitor(false), new Date(NOW.getTime() + 4000 * DAY_MS));
    await expect(requireOpen(order, undefined, visitor(true, true), NOW)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('is allowed for verified devices until the link expires, and for every admin', async () => {
    const buyer = aBuyer({ link_code: true, link_days: 2, buyer_email: 'sales@acme.co.de' });
    const end = new Date(NOW.getTime() + 2 * DAY_MS);
    await requireOpen(order, buyer, visitor(true), new Date(end.getTime() - 1));
    await expect(requireOpen(order, buyer, visitor(true), end, 'Token')).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(requireOpen(order, buyer, visitor(false), NOW)).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'link_code_required',
      fields: { email: 's…@…de' },
    });
    await requireOpen(order, buyer, visitor(false, true), end);
    expect(isLinkExpired(order, { link_days: 2 }, end)).toBe(true);
    expect(isLinkExpired({ ...order, link_made_at: end.toISOString() }, { link_days: 2 }, end)).toBe(false);
    expect(isLinkExpired(order, { link_days: null }, end)).toBe(false);
  });

  it('reveals little of the e-mail address', () => {
    expect(hiddenAddress({ buyer_email: '😀x@mail.example' })).toBe('😀…@…example');
    expect(hiddenAddress({ buyer_email: '' })).toBe('…@…');
    expect(hiddenAddress({ buyer_email: '@host' })).toBe('…@…host');
  });
});

describe('a link code', () => {
  it('has eight digits, and is valid once for its request and order, for ten minutes', async () => {
    const { confirm, send, wait, notifications, token } = await aLink({ link_code: true });
    expect(await send()).toBe('a…@…org');
    expect(await notifications()).toEqual([['link_code', 'request1']]);
    const code = linkCode(KEY, 1, 'request1');
    expect(code).toMatch(/^\d{8}$/);
    expect(linkCode(KEY, 2, 'request1')).not.toBe(code);
    expect(linkCode(KEY, 1, 'request2')).not.toBe(code);
    for (const wrong of ['', '1', `${code}0`, code.slice(1)])
      await expect(confirm(wrong, `${wrong}.example`)).rejects.toMatchObject({
        kind: 'invalid',
        code: 'wrong_code',
        fields: { code: 'Falsch oder abgelaufen' },
      });
    expect(await confirm(`${code.slice(0, 4)} ${code.slice(4)}`)).toMatchObject({ buyer_id: 'a' });
    wait(16 * MINUTE_MS);
    await expect(confirm(code)).rejects.toMatchObject({ code: 'wrong_code' });

    await send();
    const second = linkCode(KEY, 1, 'request2');
    wait(10 * MINUTE_MS);
    await expect(confirm(second)).rejects.toMatchObject({ code: 'wrong_code' });
    await send();
    wait(10 * MINUTE_MS - 1000);
    expect(await confirm(linkCode(KEY, 1, 'request3'))).toMatchObject({ buyer_id: 'a' });
    expect(token).not.toBe('');
  });

  it('exists only for links that exist and require one', async () => {
    const open = await aLink({ link_code: false });
    await expect(open.send()).rejects.toMatchObject({ kind: 'conflict', code: 'no_code_needed' });
    await expect(open.confirm('1')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(sendLinkCode(open.deps as never, 'no such token', ADDRESS)).rejects.toMatchObject({
      kind: 'not_found',
    });
    const expired = await aLink({ link_code: true, link_days: 1 });
    expired.wait(DAY_MS);
    await expect(expired.send()).rejects.toMatchObject({ kind: 'not_found' });
    const orphan = await aLink({ link_code: true });
    await orphan.table.delete({ delete: keys.buyer(1) });
    await expect(orphan.send()).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is sent at most five times an hour for a link, and twenty times to an address', async () => {
    const link = await aLink({ link_code: true });
    for (let letter = 0; letter < 5; letter += 1) await link.send(`${letter}.example`);
    link.wait(50 * MINUTE_MS);
    await expect(link.send('5.example')).rejects.toMatchObject({
      kind: 'too_many',
      code: 'too_many_attempts',
      retryAfter: 10 * 60,
    });
    link.wait(10 * MINUTE_MS);
    await link.send('5.example');

    for (let attempt = 0; attempt < 20; attempt += 1) await link.renew(`token ${attempt}`);
    await expect(link.renew('token 20')).rejects.toMatchObject({ code: 'too_many_attempts' });
    await expect(link.send()).rejects.toMatchObject({ code: 'too_many_attempts' });
  });
});

describe('a new link', () => {
  it('replaces an expiring or expired link, and is sent to the buyer', async () => {
    const link = await aLink({ link_days: 1 });
    link.wait(2 * DAY_MS);
    await link.renew();
    const renewed = await link.order();
    expect(renewed.token).toMatch(/^new token/);
    expect(renewed.token).not.toBe(link.token);
    expect(Date.parse(renewed.link_made_at ?? '')).toBeGreaterThan(
      Date.parse(renewed.created_at) + 2 * DAY_MS,
    );
    expect((await link.notifications()).map(([about]) => about)).toEqual(['link_regenerated']);
    const { entries } = await auditStore.list(link.deps, { entity: 'order', entityId: '1' }, { limit: 1 });
    expect(entries[0]).toMatchObject({
      who: 'link',
      action: 'token_renewed',
    });
    // The response time is the same if there is nothing to renew.
    await link.renew();
    await link.renew('no such token');
    expect(link.slept).toEqual([600, 600, 600]);
    expect(await link.notifications()).toHaveLength(1);
  });

  it('is not created for a link that does not expire, for a deleted buyer, or if the table fails', async () => {
    const open = await aLink({ link_days: null, link_code: false });
    await open.renew();
    expect((await open.order()).token).toBe(open.token);
    const orphan = await aLink({ link_days: 1 });
    await orphan.table.delete({ delete: keys.buyer(1) });
    await orphan.renew();
    expect((await orphan.order()).token).toBe(orphan.token);
    const failing = await aLink({ link_code: true });
    const transact = () => Promise.reject(new Error('throttled'));
    await requestNewLink(
      { ...failing.deps, table: changedTable(failing.deps.table, { transact }) },
      failing.token,
      ADDRESS,
    );
    expect(failing.logged).toEqual(['a link could not be renewed']);
    expect([...open.logged, ...orphan.logged]).toEqual([]);
  });
});

it('the figures of an order are its capacity, its leads and its value', () => {
  const order = anOrder({
    lead_limit: 10,
    leads_received: 7,
    reimbursement_pending: 2,
    compensated_deletions: 1,
    price_per_lead: 1999,
  });
  expect(capacityOf(order)).toBe(5);
  expect(capacityOf({ ...order, deleted_at: '2026-11-02' })).toBe(0);
  expect(originalLeads(order)).toBe(6);
  expect(revenue(order)).toBe(11_994);
  expect(revenue({ ...order, price_per_lead: null })).toBeNull();
});
