/** A buyer that is paused the moment after somebody else has read it. */

import { describe, expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { changeLimit } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, changedTable, distributionOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** The admin's view, in which a buyer is paused and gets another weight the moment after it was read. */
function changedAfterRead(table: Table) {
  let changed = false;
  return adminOn(
    changedTable(table, {
      get: async (key, options) => {
        const item = await table.get(key, options);
        if (key.pk === keys.buyer(1).pk && key.sk === keys.buyer(1).sk && !changed) {
          changed = true;
          await updateBuyer(adminOn(table), 'other', 'a', { active: false, probability: 10 });
        }
        return item;
      },
    }),
  );
}

describe('pausing a buyer', () => {
  it('takes effect in the pool though the limit of its order is changed at the same moment', async ({
    table,
  }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    await changeLimit(changedAfterRead(table), 'test', 'a', 10);
    expect(await buyerStore.get(adminOn(table), 1)).toMatchObject({ active: false, probability: 1000 });
    expect(await poolStore.entry(adminOn(table), 1)).toMatchObject({ active: false, probability: 1000 });
    expect((await takeIn(distributionOn(table), aPerson(), undefined)).status).toBe('pending');
  });

  it('takes effect in the pool though a claim is approved at the same moment', async ({ table }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    const { lead_id } = await takeIn(distributionOn(table), aPerson(), undefined);
    const claim = await fileClaim(
      adminOn(table),
      { admin: 'test' },
      { leadId: lead_id, orderId: 1, buyerId: 'a', reason: 'fake' },
    );
    await decideClaim(changedAfterRead(table), {
      who: 'test',
      claimId: claim.claim_id,
      status: 'approved',
      notes: '',
    });
    expect(await buyerStore.get(adminOn(table), 1)).toMatchObject({ active: false, probability: 1000 });
    expect(await poolStore.entry(adminOn(table), 1)).toMatchObject({ active: false, probability: 1000 });
    expect((await takeIn(distributionOn(table), aPerson(), undefined)).status).toBe('pending');
  });
});
