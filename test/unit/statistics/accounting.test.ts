import { expect, it } from 'vitest';
import type { Order } from '#functions/data/orders/order';
import { type Day, EMPTY_BUYER_DAY } from '#functions/data/statistics/statistics-store';
import { accountingLines } from '#functions/domain/statistics/accounting';
import { aBuyer } from '#test/factories/buyers';
import { buyerItems, putStatistics } from '#test/factories/items';
import { anOrder, orderCacheOf } from '#test/factories/orders';
import { adminOn } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

const DAYS = new Map([
  ['2026-01-31', new Map([[1, { ...EMPTY_BUYER_DAY, originals: 2, claims: 1, prices: { 4050: 2 } }]])],
  [
    '2026-02-01',
    new Map([
      [1, { ...EMPTY_BUYER_DAY, originals: 3, prices: { 4050: 1, 1999: 2 } }],
      // Only shares in other buyers' leads, so nothing to bill.
      [2, { ...EMPTY_BUYER_DAY, wanted: 5 }],
    ]),
  ],
  ['2026-02-28', new Map([[1, { ...EMPTY_BUYER_DAY, reimbursements: 1 }]])],
]);

/** Half past midnight on 1 February in Berlin. */
const FIRST = anOrder({ buyer: 1, created_at: '2026-01-31T23:30:00Z', lead_limit: 10 });
const SECOND = anOrder({ buyer: 2, created_at: '2026-03-02T12:00:00Z', lead_limit: 7 });

async function linesOf(
  query: Parameters<typeof accountingLines>[1],
  days: ReadonlyMap<string, Day> = DAYS,
  orders: Order[] = [FIRST, SECOND],
) {
  const table = await memoryTableWith(
    [2, 1].flatMap((buyer) => buyerItems(aBuyer({ buyer, buyer_id: `b${buyer}` }))),
  );
  await putStatistics(table, days);
  return accountingLines({ ...adminOn(table), orderCache: orderCacheOf(orders) }, query);
}

it('sums days by month in Berlin time and by buyer', async () => {
  const lines = await linesOf({});
  expect(lines.map(({ month, buyer }) => [month, buyer.buyer_id])).toEqual([
    ['2026-01', 'b1'],
    ['2026-02', 'b1'],
    ['2026-03', 'b2'],
  ]);
  expect(lines[0]).toMatchObject({
    orders: 0,
    originals: 2,
    revenue: 8100,
    lowestPrice: 4050,
    highestPrice: 4050,
    claims: 1,
  });
  expect(lines[1]).toMatchObject({
    orders: 1,
    ordered: 10,
    originals: 3,
    replacements: 1,
    revenue: 8048,
    lowestPrice: 1999,
    highestPrice: 4050,
  });
  expect(lines[2]).toMatchObject({ orders: 1, ordered: 7, originals: 0, revenue: 0, lowestPrice: null });
});

it('includes the requested months in full', async () => {
  const months = async (query: { from?: string; to?: string }) =>
    (await linesOf(query)).map(({ month, originals, replacements }) => [month, originals + replacements]);
  expect(await months({ from: '2026-02', to: '2026-02' })).toEqual([['2026-02', 4]]);
  expect(await months({ to: '2026-01' })).toEqual([['2026-01', 2]]);
});

it('sorts by month, then by buyer ID, and omits only buyers without any figures', async () => {
  const of = (part: object) => ({ ...EMPTY_BUYER_DAY, ...part });
  const days = new Map<string, Day>([
    ['2026-02-01', new Map([[1, of({ originals: 1, reimbursements: 1 })]])],
    [
      '2026-01-01',
      new Map([
        [2, of({ reimbursements: 1, claims: 1 })],
        [1, of({ claims: 1 })],
      ]),
    ],
  ]);
  const order = anOrder({ buyer: 1, created_at: '2026-01-02T12:00:00Z', lead_limit: 3 });
  const lines = await linesOf({ from: '2026-01', to: '2026-02' }, days, [order]);
  expect(lines.map(({ month, buyer, ordered }) => [month, buyer.buyer_id, ordered])).toEqual([
    ['2026-01', 'b1', 3],
    ['2026-01', 'b2', 0],
    ['2026-02', 'b1', 0],
  ]);
  expect(lines.map(({ lowestPrice, highestPrice }) => [lowestPrice, highestPrice])).toContainEqual([
    null,
    null,
  ]);
  await expect(linesOf({ from: '2026-02', to: '2026-01' })).rejects.toMatchObject({
    code: 'months_reversed',
  });
});

it('counts an order in the month of its creation, including the first and last month', async () => {
  const opened = async (query: { from: string; to: string }) =>
    (await linesOf(query)).map(({ month, orders }) => [month, orders]);
  expect(await opened({ from: '2026-03', to: '2026-03' })).toEqual([['2026-03', 1]]);
  expect(await opened({ from: '2026-01', to: '2026-01' })).toEqual([['2026-01', 0]]);
  expect(await opened({ from: '2026-04', to: '2026-05' })).toEqual([]);
});
