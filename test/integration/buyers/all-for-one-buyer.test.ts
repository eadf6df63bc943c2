/** One buyer gets 100 % and all others 0 % atomically, for any number of others. */

import { describe, expect } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Item, Table } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { ingest } from '#functions/domain/distribution/distribution';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn, itemsOf, runDying } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** With the items of the weights and the chosen buyer, this exceeds one transaction. */
const OTHERS = 40;
const OTHER_WEIGHT_PERCENT = 2.25;

const addMany = (table: Table, others = OTHERS) =>
  addBuyers(
    table,
    Array.from({ length: others + 1 }, (_, at) => ({
      id: at === 0 ? 'one' : `other-${at}`,
      probability: at === 0 ? 5 : OTHER_WEIGHT_PERCENT,
      limit: 5,
    })),
  );

const giveAll = (table: Table) =>
  updateBuyer(adminOn(table), 'ada', 'one', { probability: 100, confirm_exclusive: true });

/** The weights in effect, in percent. */
async function inEffect(table: Table): Promise<Map<string, number>> {
  const { entries } = await poolStore.read(adminOn(table));
  return new Map(entries.map(({ buyer_id, probability }) => [buyer_id, probability / 100]));
}

/** The weights in all items that store them. */
async function written(table: Table): Promise<number[]> {
  const items = (await itemsOf(table)).filter(({ pk }) => pk === 'BUYERS' || pk === 'POOL');
  return items.flatMap(({ probability }) => (typeof probability === 'number' ? probability : []));
}

const onlyOne = (weights: ReadonlyMap<string, number>) =>
  weights.get('one') === 100 && [...weights.values()].reduce((sum, weight) => sum + weight, 0) === 100;

describe('100 % for one buyer', () => {
  it(`removes the weight of ${OTHERS} others, in every item, and is audited`, async ({ table }) => {
    await addMany(table);
    await giveAll(table);
    expect(onlyOne(await inEffect(table))).toBe(true);
    expect((await written(table)).filter((weight) => weight !== 0)).toEqual([100_00, 100_00]);
    expect((await poolStore.read(adminOn(table))).unwritten).toBeUndefined();
    const { entries } = await auditStore.list({ table }, { entity: 'buyer' }, { limit: 500 });
    const zeroed = entries.filter(
      ({ who, changes }) =>
        who === 'ada' && changes.some(({ field, to }) => field === 'probability' && to === 0),
    );
    expect(new Set(zeroed.map(({ label }) => label)).size).toBe(OTHERS);
    for (let at = 0; at < 3; at += 1)
      expect(await ingest(distributionOn(table), aPerson(), undefined)).toMatchObject({ buyer_id: 'one' });
  });

  it('takes effect for all or none after a crash, and is finished by the next change', async ({ table }) => {
    await addMany(table);
    const before = (await itemsOf(table)).filter(({ pk }) => pk === 'BUYERS' || pk === 'POOL');
    const restored = async () => {
      const puts = before.map((item) => ({ put: item as Item & { pk: string; sk: string } }));
      for (let start = 0; start < puts.length; start += 100)
        await table.transact(puts.slice(start, start + 100));
    };
    const outcomes = { none: 0, partlyWritten: 0, written: 0 };
    for (let call = 1; ; call += 1) {
      const died = await runDying(table, call, call % 2 === 0 ? 'before' : 'after', giveAll);
      const weights = await inEffect(table);
      if (weights.get('one') === 5) {
        expect([...weights.values()].filter((weight) => weight === OTHER_WEIGHT_PERCENT)).toHaveLength(
          OTHERS,
        );
        outcomes.none += 1;
      } else {
        expect(onlyOne(weights)).toBe(true);
        const unwritten = (await written(table)).filter((weight) => weight !== 0).length > 2;
        outcomes[unwritten ? 'partlyWritten' : 'written'] += 1;
        // The next change of weights finds the weights in effect in every item.
        await updateBuyer(adminOn(table), 'test', 'one', { probability: 97 });
        await updateBuyer(adminOn(table), 'test', `other-${OTHERS}`, { probability: OTHER_WEIGHT_PERCENT });
        const weighty = (await written(table)).filter((weight) => weight !== 0);
        expect(weighty.toSorted((a, b) => a - b)).toEqual([225, 225, 9700, 9700]);
      }
      if (!died) break;
      await restored();
    }
    expect(Object.values(outcomes).every((count) => count > 0)).toBe(true);
  });
});
