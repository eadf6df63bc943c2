/** A full order is followed once: wherever the process dies, and by several at the same moment. */
import { describe, expect, it } from 'vitest';
import { NO_CAPS } from '#functions/data/orders/pace';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import { renewOrder, renewOrders } from '#functions/domain/orders/renewal';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  dyingTable,
  itemsOf,
  Killed,
  ordersAmong,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const depsOn = (table: Table) => ({ ...adminOn(table), ...distributionOn(table) });

/** A postpaid order of one lead that is full and asks to be followed. */
async function fullOrder(): Promise<Table> {
  const table = memoryTable();
  const deps = depsOn(table);
  await addBuyers(table, [{ id: 'auto', probability: 100 }]);
  const update = 'SET buyer_type = :postpay';
  await table.update({ key: keys.buyer(1), update, values: { ':postpay': 'postpay' } });
  await createOrder(deps, 'test', { buyerId: 'auto', leadLimit: 1, balance: 0, caps: NO_CAPS });
  await takeIn(deps, aPerson(), undefined);
  const full = await deps.orders.get(1);
  await table.transact(deps.orders.renewalChanged(full!, 'auto'));
  return table;
}

describe('a full order', () => {
  it.each(['before', 'after'] as const)(
    'is followed once by several, one of which dies %s a call',
    async (when) => {
      for (let call = 1, died = true; died; call += 1) {
        const table = await fullOrder();
        const dying = dyingTable(table, call, when);
        await renewOrder(depsOn(dying.table), 1).catch((error: unknown) =>
          expect(error).toBeInstanceOf(Killed),
        );
        await dying.quiet();
        died = dying.died();
        await Promise.all([renewOrder(depsOn(table), 1), renewOrders(depsOn(table))]);
        const [first, next, ...more] = ordersAmong(await itemsOf(table));
        expect([call, more, first?.renewed_as, next?.renewed_as]).toEqual([
          call,
          [],
          next?.order_id,
          undefined,
        ]);
      }
    },
  );

  it('is followed as well when a replacement has opened an earlier order again', async () => {
    const table = memoryTable();
    const deps = depsOn(table);
    await addBuyers(table, [{ id: 'prepaid', probability: 100, limit: 1 }]);
    const confirmed = async (order: number) => {
      const reorder = {
        lead_limit: 1,
        requested_at: '2026-11-20T10:00:00.000Z',
        state: 'confirmed',
        decided_at: '2026-11-20T10:00:00.000Z',
      } as const;
      await table.transact(deps.orders.reorderChanged((await deps.orders.get(order))!, reorder));
      return renewOrder(deps, 1);
    };
    const { lead_id: leadId } = await takeIn(deps, aPerson(), undefined);
    expect(await confirmed(1)).toMatchObject({ order_id: 2 });
    await takeIn(deps, aPerson(), undefined);
    const claim = { leadId, orderId: 1, buyerId: 'prepaid', reason: 'fake' } as const;
    const { claim_id: claimId } = await fileClaim(deps, { admin: 'test' }, claim);
    await decideClaim(deps, { who: 'test', claimId, status: 'approved', notes: '' });
    expect(await confirmed(2)).toBeUndefined();
    await takeIn(deps, aPerson(), undefined);
    expect(await deps.orders.get(1)).toMatchObject({ reimbursement_delivered: 1, renewed_as: 2 });
    expect(await renewOrders(deps)).toBe(1);
    expect(await deps.orders.get(2)).toMatchObject({ renewed_as: 3 });
    expect(await deps.pool.entry(1)).toMatchObject({ order_id: 3, has_capacity: true });
  });
});
