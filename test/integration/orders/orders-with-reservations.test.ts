/** Orders opened, deleted and restored with reservations of crashed distribution attempts. */

import { expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { hasCapacity } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder, deleteOrder, restoreLastDeletedOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  changedTable,
  dieWithAReservation,
  distributionOn,
  Killed,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** A reconciliation distributes the lead again and dies before it releases the old reservation. */
async function halfAReconciliation(table: Table): Promise<void> {
  let reads = 0;
  const dying = changedTable(table, {
    queryAll: async (query) => {
      if (query.partition === keys.pool()) reads += 1;
      if (reads > 1) throw new Killed();
      return table.queryAll(query);
    },
  });
  await expect(reconcile(distributionOn(dying), -1000)).rejects.toThrow(Killed);
}
const open = async (table: Table) =>
  (await orderStore.ofBuyer(adminOn(table), 1)).filter(hasCapacity).map(({ order_id }) => order_id);

it('keeps an order open if its last reservation is released while another order is being opened', async ({
  table,
}) => {
  await addBuyers(table, [
    { id: 'a', probability: 60, limit: 1 },
    { id: 'b', probability: 40, limit: 5 },
  ]);
  await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
  // The choice of `a` is settled, so the next lead goes to `b`.
  await halfAReconciliation(table);
  expect(await orderStore.get(adminOn(table), 1)).toMatchObject({ leads_received: 1, lead_limit: 1 });
  const opened = createOrder(adminOn(table), 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
  await expect(opened).rejects.toMatchObject({ code: 'order_already_open' });
  expect(await open(table)).toEqual([1]);
  expect(await violations(table, 1)).toEqual([]);
});

it('keeps a replacement reserved by a crashed distribution attempt when its order is deleted', async ({
  table,
}) => {
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 5 }]);
  const deps = { ...adminOn(table), ...distributionOn(table) };
  const first = await ingest(deps, aPerson(), undefined);
  const claim = await fileClaim(
    deps,
    { admin: 'test' },
    { leadId: first.lead_id, orderId: 1, buyerId: 'a', reason: 'fake' },
  );
  await decideClaim(deps, { who: 'test', claimId: claim.claim_id, status: 'approved', notes: '' });
  await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
  expect(await orderStore.get(deps, 1)).toMatchObject({
    reimbursement_pending: 0,
    reimbursement_delivered: 1,
  });
  await expect(deleteOrder(deps, 'test', 'a', 1)).rejects.toMatchObject({ code: 'order_in_use' });
  await halfAReconciliation(table);
  await deleteOrder(deps, 'test', 'a', 1);
  await reconcile(distributionOn(table), -1000);
  expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
  expect(await orderStore.get(deps, 1)).toMatchObject({ reimbursement_pending: 0, returned_to_balance: 1 });
  expect((await buyerStore.byId(deps, 'a'))?.balance_count).toBe(1);
  await restoreLastDeletedOrder(deps, 'test', 'a');
  expect(await orderStore.get(deps, 1)).toMatchObject({ reimbursement_pending: 1, returned_to_balance: 0 });
  expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
});
