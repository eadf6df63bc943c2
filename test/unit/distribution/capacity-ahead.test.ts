/** How many leads a process may choose for an order before its reservations are answered. On the table in memory. */

import { describe, expect, it } from 'vitest';
import type { Order } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import { CapacityAhead, type Left, ordersOf } from '#functions/domain/distribution/capacity-ahead';
import { aPoolEntry } from '#test/factories/buyers';
import { anOrder } from '#test/factories/orders';
import { changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

const ORDER = { order_id: 12 };
const TODAY = { of_day: '2026-05-04', day_from: 0, of_week: '2026-05-04', week_from: 0, ends_on: null };
const PACE = { ...TODAY, daily_cap: 5, day_allowance: 5, weekly_cap: 9, week_allowance: 9 };
const attempt = (lead_id: string, distribution_attempt = 1) => ({ lead_id, distribution_attempt });

async function aProcess(change: Partial<Order> = {}) {
  const clock = { now: Date.parse('2026-05-04T12:00:00.000Z') };
  const table = await memoryTableWith([{ ...keys.order(12), ...anOrder(change) }]);
  const reads: number[] = [];
  const counting = changedTable(table, {
    getMany: (wanted) => {
      reads.push(wanted.length);
      return table.getMany(wanted);
    },
  });
  const runtime = { ...quietRuntime, now: () => new Date(clock.now) };
  const ahead = new CapacityAhead({ table: counting, runtime });
  /** What it knows of the orders when it has chosen for so many leads. */
  const within = async (leads: number, order = ORDER): Promise<[number, Left][]> =>
    ahead
      .within((left) => ({ taking: Array<typeof ORDER>(leads).fill(order), left: [...left] }))
      .then(({ left }) => left);
  return { ahead, clock, reads, within };
}

describe('the capacity of an order', () => {
  it('is read when a process chooses for a second lead, not for one alone', async () => {
    const { ahead, reads, within } = await aProcess();
    expect(await within(1)).toEqual([]);
    expect(await within(2)).toEqual([[12, { leads: 10, refusal: 'limit_reached' }]]);
    ahead.chosen(12, attempt('a'));
    expect(await within(1)).toEqual([[12, { leads: 9, refusal: 'limit_reached' }]]);
    expect(await within(1, { order_id: 13 })).toEqual([]);
    expect(await within(2, { order_id: 13 })).toEqual([[13, { leads: 0, refusal: 'limit_reached' }]]);
    expect(reads).toEqual([1, 1, 1]);
  });

  it('is read again once fewer than twenty leads more are left of it than are chosen', async () => {
    const { ahead, reads, within } = await aProcess({ lead_limit: 24 });
    await within(2);
    expect(await within(4)).toEqual([]);
    expect(await within(5)).toHaveLength(1);
    ahead.chosen(12, attempt('a'));
    expect(await within(4)).toEqual([[12, { leads: 23, refusal: 'limit_reached' }]]);
    expect(reads).toEqual([1, 1, 1]);
  });

  it('has every choice that was not answered taken off, for 45 seconds', async () => {
    const { ahead, clock, within } = await aProcess();
    const left = async () => (await within(9))[0]?.[1].leads;
    for (const one of [attempt('a'), attempt('a', 2), attempt('b')]) ahead.chosen(12, one);
    expect(await left()).toBe(7);
    ahead.answered(12, attempt('a'));
    expect(await left()).toBe(8);
    ahead.answered(12, attempt('unknown'));
    clock.now += 44_999;
    expect(await left()).toBe(8);
    ahead.chosen(12, attempt('c'));
    clock.now += 1;
    expect(await left()).toBe(9);
    ahead.answered(12, attempt('c'));
    expect(await left()).toBe(10);
  });

  it('has a choice that is reserved on the order taken off once', async () => {
    const { ahead, within } = await aProcess({ leads_received: 4, reservations: { 'a.1': 4 } });
    ahead.chosen(12, attempt('a'));
    ahead.chosen(12, attempt('b'));
    expect(await within(2)).toEqual([[12, { leads: 5, refusal: 'limit_reached' }]]);
  });

  it.each([
    ['day', { day_received: 3, week_received: 3 }, { leads: 2, refusal: 'daily_cap_reached' }],
    ['week', { day_received: 3, week_received: 8 }, { leads: 1, refusal: 'weekly_cap_reached' }],
    ['day, and is over', { day_received: 5, week_received: 5 }, { leads: 0, refusal: 'daily_cap_reached' }],
  ])('is what its cap leaves of the %s', async (_, received, expected) => {
    const { within } = await aProcess({ pace: { ...PACE, ...received } });
    expect(await within(2)).toEqual([[12, expected]]);
  });

  it('is its limit where that ends before its cap', async () => {
    const { within } = await aProcess({
      leads_received: 8,
      pace: { ...PACE, day_received: 3, week_received: 3 },
    });
    expect(await within(3)).toEqual([[12, { leads: 2, refusal: 'limit_reached' }]]);
  });
});

it('takes a place of an order for whoever has one and gets its leads without a review', () => {
  const schedule = { weekdays: [1], from: '08:00', to: '18:00', holidays_off: true };
  const orderOf = ordersOf([
    aPoolEntry({ buyer: 1, order_id: 12, schedule }),
    aPoolEntry({ buyer: 2, order_id: null }),
    aPoolEntry({ buyer: 3, order_id: 13, manual_review: true }),
  ]);
  expect([1, 2, 3, 4].map(orderOf)).toEqual([{ order_id: 12, schedule }, undefined, undefined, undefined]);
});
