/** A buyer that is deleted while leads are on their way to it. */

import { describe, expect } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import { deleteBuyer } from '#functions/domain/buyers/buyers';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  dieWithAReservation,
  distributionOn,
  Killed,
  PASSING_CHECKS,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

describe('deleting a buyer', () => {
  it('releases the reservation of a crashed distribution attempt and removes the pool entry', async ({
    table,
  }) => {
    await addBuyers(table, [{ id: 'a', probability: 60, limit: 5 }]);
    const deps = distributionOn(table);
    await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
    await deleteBuyer(adminOn(table), 'test', 'a');
    expect((await poolStore.read(deps)).entries).toEqual([]);
    await reconcile(distributionOn(table), -1000);
    expect(await violations(table, 1)).toEqual([]);
    expect(await orderStore.get(deps, 1)).toMatchObject({ leads_received: 0, reservations: {} });
    await reconcile(distributionOn(table), -1000);
    expect(await table.get(keys.poolEntry(1))).toBeUndefined();
  });

  it('removes it from the ledger with the next reconciliation when a lead is being verified', async ({
    table,
  }) => {
    await addBuyers(table, [
      { id: 'a', probability: 60, limit: 5 },
      { id: 'b', probability: 40, limit: 5 },
    ]);
    const name = async () => {
      await deleteBuyer(adminOn(table), 'test', 'a');
      return { status: 'valid', note: null } as const;
    };
    await takeIn(distributionOn(table, { checks: { ...PASSING_CHECKS, name } }), aPerson(), undefined);
    await reconcile(distributionOn(table), -1000);
    await reconcile(distributionOn(table), -1000);
    const { ledger } = await poolStore.read(distributionOn(table));
    expect(Object.keys(ledger.deficits)).toEqual(['2']);
  });
});
