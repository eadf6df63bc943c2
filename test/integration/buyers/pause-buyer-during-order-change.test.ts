/** A buyer that is paused the moment after somebody else has read it. */

import { describe, expect } from 'vitest';
import type { Table } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { changeLimit } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** The admin's view, in which a buyer is paused and gets another weight the moment after it was read. */
function changedAfterRead(table: Table) {
  const admin = adminOn(table);
  let changed = false;
  const afterwards = async <T>(read: T): Promise<T> => {
    if (!changed) {
      changed = true;
      await updateBuyer(adminOn(table), 'other', 'a', { active: false, probability: 10 });
    }
    return read;
  };
  const buyers = {
    ...admin.buyers,
    get: async (buyer: number) => afterwards(await admin.buyers.get(buyer)),
    byId: async (buyerId: string) => afterwards(await admin.buyers.byId(buyerId)),
  };
  return { ...admin, buyers };
}

describe('pausing a buyer', () => {
  it('takes effect in the pool though the limit of its order is changed at the same moment', async ({
    table,
  }) => {
    await addBuyers(table, [{ id: 'a', probability: 50, limit: 5 }]);
    await changeLimit(changedAfterRead(table), 'test', 'a', 10);
    expect(await adminOn(table).buyers.get(1)).toMatchObject({ active: false, probability: 1000 });
    expect(await adminOn(table).pool.entry(1)).toMatchObject({ active: false, probability: 1000 });
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
    expect(await adminOn(table).buyers.get(1)).toMatchObject({ active: false, probability: 1000 });
    expect(await adminOn(table).pool.entry(1)).toMatchObject({ active: false, probability: 1000 });
    expect((await takeIn(distributionOn(table), aPerson(), undefined)).status).toBe('pending');
  });
});
