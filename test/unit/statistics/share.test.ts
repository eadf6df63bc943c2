/** The share shown to a buyer, compared with the underlying decisions. */

import { describe, expect, it } from 'vitest';
import { shareAnswer } from '#functions/api/leads-view/answers';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { decisionFromItem } from '#functions/data/leads/decisions';
import { EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { ingest } from '#functions/domain/distribution/distribution';
import { credits, LEAD } from '#functions/domain/distribution/share-rule';
import { buyerShare, daysOfOrder } from '#functions/domain/statistics/share';
import { count } from '#functions/domain/statistics/statistics';
import { addDays, berlinDay } from '#shared/rules/working-days';
import { putStatistics } from '#test/factories/items';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn, itemsOf, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const REASONS = {
  limit_reached: 'limit_reached',
  below_min_investment: 'below_minimum',
  already_received: 'already_received',
} as const;

describe('the share of a buyer', () => {
  it('follows from the decisions of whole days, in whole leads', async () => {
    const table = memoryTable();
    const orders = await addBuyers(table, [
      { id: 'half', probability: 50, limit: 100 },
      { id: 'full', probability: 30, limit: 5 },
      { id: 'rich', probability: 13, limit: 100, minimum: 50_000 },
    ]);
    const admin = adminOn(table);
    const today = berlinDay(new Date());
    let now = new Date();
    const runtime = { ...quietRuntime, now: () => now };
    for (let lead = 0; lead < 42; lead += 1) {
      now = new Date(`${addDays(today, Math.floor(lead / 6))}T12:00:00Z`);
      const repeats = lead % 9 === 8 ? { email: 'again@example.org', telefon: '+4930123456' } : {};
      const person = aPerson({ anlagebetrag: lead % 4 === 0 ? 6_000_000 : 1_000_000, ...repeats });
      const hand = lead % 10 === 9 ? 'half' : undefined;
      const { lead_id } = await ingest(distributionOn(table, { runtime }), person, hand);
      await count(admin, [lead_id]);
    }
    const decisions = (await itemsOf(table)).flatMap((item) =>
      item.sk === 'DECISION' ? [decisionFromItem(item)] : [],
    );
    expect(decisions).toHaveLength(42);
    const yesterday = addDays(berlinDay(now), -1);
    const before = decisions.filter(({ decided_at }) => berlinDay(new Date(decided_at)) <= yesterday);
    let shown = 0;
    for (const [id, order] of orders) {
      const buyer = await buyerStore.byId(admin, id);
      const share = await buyerShare(admin, buyer!, order, now);
      const own = order.buyer;
      let wanted = 0;
      const expected = { received: 0, byHand: 0, missed: new Map<string, number>() };
      for (const { mode, winner, eligible, not_eligible } of before) {
        if (mode === 'manual') {
          if (winner === own) expected.byHand += 1;
          continue;
        }
        const credit = credits(eligible.map(([candidate, weight]) => ({ buyer: candidate, weight })));
        wanted += credit.get(own) ?? 0;
        if (winner === own) expected.received += 1;
        for (const [reason, name] of Object.entries(REASONS))
          if (not_eligible[reason]?.includes(own) === true)
            expected.missed.set(name, (expected.missed.get(name) ?? 0) + 1);
      }
      const days = { from: today, to: yesterday, entitled: Math.round(wanted / LEAD), ...expected };
      expect(share).toEqual({ weight: buyer!.probability, asOf: yesterday, order: days, lastDays: days });
      expect(Math.abs(days.entitled - days.received)).toBeLessThanOrEqual(2);
      shown += days.received + days.byHand;

      const answer = shareAnswer(share);
      expect(answer.order).toMatchObject({ distance: days.received - days.entitled });
      expect(answer.order?.received_share).toBeCloseTo(
        (buyer!.probability / 100) * (days.received / days.entitled),
        1,
      );
    }
    expect(shown).toBeGreaterThan(30);
    const rich = await buyerShare(admin, (await buyerStore.byId(admin, 'rich'))!, orders.get('rich')!, now);
    expect(rich.order?.missed.get('below_minimum')).toBeGreaterThan(10);
    const full = await buyerShare(admin, (await buyerStore.byId(admin, 'full'))!, orders.get('full')!, now);
    expect(full.order?.missed.get('limit_reached')).toBeGreaterThan(10);
  });

  it('excludes a day that is not over', async () => {
    const table = memoryTable();
    const orders = await addBuyers(table, [{ id: 'new', probability: 50, limit: 5 }]);
    const admin = adminOn(table);
    const { lead_id } = await ingest(distributionOn(table), aPerson(), undefined);
    await count(admin, [lead_id]);
    const share = (now: Date) => buyerShare(admin, buyer!, orders.get('new')!, now);
    const buyer = await buyerStore.byId(admin, 'new');
    expect(await share(new Date())).toMatchObject({ order: null, lastDays: null });
    expect(await share(new Date(Date.now() + 86_400_000))).toMatchObject({ order: { received: 1 } });
    expect((await share(new Date(Date.now() + 40 * 86_400_000))).lastDays).toMatchObject({ received: 0 });
  });

  it('covers its own days only, with the weight in effect', async () => {
    const table = memoryTable();
    const [order] = (await addBuyers(table, [{ id: 'new', probability: 50, limit: 5 }])).values();
    const admin = adminOn(table);
    const buyer = (await buyerStore.byId(admin, 'new'))!;
    const entry = (await poolStore.entry(admin, buyer.buyer))!;
    await table.transact([poolStore.entryChanged(entry, { ...entry, probability: 4000 })]);
    const day = (at: string) => `2026-0${at}`;
    const received = [day('3-01'), day('3-05'), day('4-20'), day('4-29'), day('4-30')];
    const got = { ...EMPTY_BUYER_DAY, got: 1 };
    await putStatistics(table, new Map(received.map((date) => [date, new Map([[buyer.buyer, got]])])));
    const noon = (at: string) => `${day(at)}T12:00:00Z`;
    const old = { ...order!, created_at: noon('3-02'), deleted_at: noon('4-20') };
    const share = await buyerShare(
      admin,
      { ...buyer, created_at: noon('1-01') },
      old,
      new Date(noon('4-30')),
    );
    expect(share).toMatchObject({
      weight: 4000,
      order: { from: day('3-02'), to: day('4-20'), received: 2 },
      lastDays: { from: day('3-31'), to: day('4-29'), received: 2 },
    });
    const unpooled = { ...buyer, buyer: 99 };
    expect(await buyerShare(admin, unpooled, old, new Date())).toMatchObject({ weight: 5000 });
  });
});

describe('the days of an order', () => {
  const order = (number: number, created: string, deleted: string | null = null) => ({
    buyer_order_number: number,
    created_at: created,
    deleted_at: deleted,
  });
  const first = order(1, '2026-03-27T23:30:00Z');
  it.each([
    ['begin in Berlin', first, [first], { from: '2026-03-28', to: '2026-04-30' }],
    [
      'end before the next order',
      first,
      [order(2, '2026-04-02T08:00:00Z'), first],
      { from: '2026-03-28', to: '2026-04-01' },
    ],
    [
      'are empty if the next order was opened on the same day',
      first,
      [first, order(2, '2026-03-28T08:00:00Z')],
      null,
    ],
    [
      'end with the order',
      order(1, '2026-03-27T23:30:00Z', '2026-03-31T22:30:00Z'),
      [first],
      { from: '2026-03-28', to: '2026-04-01' },
    ],
    ['have not begun', order(1, '2026-05-01T08:00:00Z'), [], null],
  ])('%s', (_, its, orders, days) => {
    expect(daysOfOrder(its, orders, '2026-04-30')).toEqual(days);
  });
});
