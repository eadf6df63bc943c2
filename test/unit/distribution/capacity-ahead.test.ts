/** How many leads a process may choose for an order before its reservations return. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import type { Order } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import { CapacityAhead } from '#functions/domain/distribution/capacity-ahead';
import { byLargestDeficit, chooseAll } from '#functions/domain/distribution/choices';
import { anOrder, aPace } from '#test/factories/orders';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

const paced = (day_received: number, week_received: number) =>
  aPace('2026-05-04', day_received, week_received);
const attempt = (lead_id: string, distribution_attempt = 1) => ({ lead_id, distribution_attempt });

async function aProcess(change: Partial<Order> = {}) {
  const clock = { now: Date.parse('2026-05-04T12:00:00.000Z') };
  const table = await memoryTableWith([{ ...keys.order(12), ...anOrder(change) }]);
  const ahead = new CapacityAhead({ table, runtime: { ...quietRuntime, now: () => new Date(clock.now) } });
  /** The remaining capacity that the process sees after choosing this many leads. */
  const left = async (leads: number, order_id = 12) => {
    const taking = Array.from({ length: leads }, () => ({ order_id }));
    return (await ahead.within((read) => ({ taking, left: read.get(order_id) }))).left;
  };
  return { ahead, clock, left };
}

describe('the capacity of an order', () => {
  it('is read from the second lead on, unless at least twenty more are left than chosen', async () => {
    const { ahead, left } = await aProcess({ lead_limit: 24 });
    expect(await left(1)).toBeUndefined();
    expect(await left(2)).toEqual({ leads: 24, refusal: 'limit_reached' });
    expect(await left(4)).toBeUndefined();
    ahead.chosen(12, attempt('a'));
    expect(await left(4)).toMatchObject({ leads: 23 });
    expect([await left(1, 13), await left(2, 13)]).toMatchObject([undefined, { leads: 0 }]);
  });

  it('is reduced by every unanswered choice without a reservation, for 45 seconds', async () => {
    const { ahead, clock, left } = await aProcess({ leads_received: 1, reservations: { 'x.1': 1 } });
    for (const one of [attempt('x'), attempt('a'), attempt('a', 2), attempt('b')]) ahead.chosen(12, one);
    expect(await left(9)).toMatchObject({ leads: 6 });
    for (const lead of ['a', 'unknown']) ahead.answered(12, attempt(lead));
    clock.now += 44_999;
    expect(await left(9)).toMatchObject({ leads: 7 });
    ahead.chosen(12, attempt('c'));
    clock.now += 1;
    expect(await left(9)).toMatchObject({ leads: 8 });
    ahead.answered(12, attempt('c'));
    expect(await left(9)).toMatchObject({ leads: 9 });
  });

  it.each([
    ['the day', { pace: paced(3, 3) }, { leads: 2, refusal: 'daily_cap_reached' }],
    ['the week', { pace: paced(3, 8) }, { leads: 1, refusal: 'weekly_cap_reached' }],
    ['the order', { pace: paced(3, 3), leads_received: 8 }, { leads: 2, refusal: 'limit_reached' }],
  ])('is limited by %s', async (_, change, expected) => {
    expect(await (await aProcess(change)).left(2)).toEqual(expected);
  });

  it('excludes no buyer if all are full, because the reservation decides', () => {
    const request = { leadId: 'a', candidates: [{ buyer: 7, weight: 1 }], instead: undefined };
    const requests = [{ ...request, orderOf: () => ({ order_id: 12 }) }];
    const full = new Map([[12, { leads: 0, refusal: 'limit_reached' }]] as const);
    const { choices } = chooseAll(requests, { deficits: {} }, byLargestDeficit, full);
    expect(choices).toMatchObject([{ winner: 7, full: [] }]);
  });
});
