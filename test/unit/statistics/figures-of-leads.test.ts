/** How single leads count in accounts and source figures. */

import { describe, expect, it } from 'vitest';
import * as sourceStore from '#functions/data/sources/source-store';
import { invalidCounted, nameOf } from '#functions/data/statistics/sums';
import { accountParts } from '#functions/domain/statistics/account-figures';
import { sourceStatistics } from '#functions/domain/statistics/source-statistics';
import { aBuyer } from '#test/factories/buyers';
import { buyerItems, sumsItem } from '#test/factories/items';
import { aSource } from '#test/factories/sources';
import { adminOn, quietRuntime } from '#test/harness/distribution';
import { memoryTableWith } from '#test/harness/memory-table';

const NOW = new Date('2026-11-24T23:30:00.000Z');
const TODAY = '2026-11-25';

describe('a lead in the account of its buyer', () => {
  const sums = (given: object) => accountParts({ assignment: null, claim: null, ...given } as never);
  const assigned = (type: string) => ({ assignment: { buyer: 7, order: 12, day: '2026-11-30', type } });
  const claimed = (status: string) => ({ claim: { buyer: 7, order: 12, day: '2026-12-01', status } });

  it('counts with its type at delivery, in the month of the delivery', () => {
    for (const [type, figure] of [
      ['original', 'originals'],
      ['reimbursement', 'replacements'],
    ] as const)
      expect(sums(assigned(type))).toEqual([[nameOf.accountMonth(7, '2026-11'), `${figure}:12`, 1]]);
    expect(sums({ assignment: { buyer: 7, day: '2026-11-30', type: 'original' } })).toEqual([]);
  });

  it('counts its claim and the decision in the month of filing', () => {
    const name = nameOf.accountMonth(7, '2026-12');
    expect(sums(claimed('pending'))).toEqual([[name, 'claims:12', 1]]);
    for (const status of ['approved', 'rejected'] as const)
      expect(sums(claimed(status))).toEqual([
        [name, 'claims:12', 1],
        [name, `${status}:12`, 1],
      ]);
    expect(sums({})).toEqual([]);
  });
});

it('the figures of a source list its buyers, most leads first', async () => {
  const sums = {
    accepted: 9,
    'assigned:1': 2,
    'assigned:2': 3,
    'assigned:3': 2,
    'assigned:4': 1,
    'approved:2': 1,
    'price:2:1999': 3,
  };
  const table = await memoryTableWith([
    ...[1, 2].map((source) => sumsItem(nameOf.sourceDay(TODAY, source), sums)),
    ...['zeta', 'beta', 'alpha'].flatMap((buyer_id, at) => buyerItems(aBuyer({ buyer: at + 1, buyer_id }))),
  ]);
  await table.transact(sourceStore.created(aSource({ source: 1 })));
  await table.update(invalidCounted(TODAY, 1, 2));
  const { sources } = await sourceStatistics(adminOn(table, { ...quietRuntime, now: () => NOW }), {
    days: 7,
  });
  expect(sources).toMatchObject([
    {
      accepted: 9,
      duplicates: 0,
      invalid: 2,
      assigned: 8,
      revenue: 3 * 1999,
      buyers: [
        { buyerId: 'beta', assigned: 3, approved: 1 },
        { buyerId: 'alpha', assigned: 2 },
        { buyerId: 'zeta', assigned: 2 },
        { buyerId: '4', assigned: 1 },
      ],
    },
  ]);
});
