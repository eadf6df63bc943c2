/** Claims of one buyer, decided and replaced at once; on the embedded table. */

import { expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { createBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { aPerson } from '#test/factories/people';
import { adminOn, distributionOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('approves twenty claims at once while their replacements are delivered', async ({ engine }) => {
  const table = await engine.freshTable();
  const deps = { ...distributionOn(table), ...adminOn(table) };
  await createBuyer(deps, 'test', { buyer_id: 'a', buyer_email: 'a@example.org', probability: 0 });
  const { order_id: orderId } = await createOrder(deps, 'test', { buyerId: 'a', leadLimit: 20, balance: 0 });
  const leads: string[] = [];
  for (let number = 0; number < 20; number += 1) leads.push((await takeIn(deps, aPerson(), 'a')).lead_id);
  const claims = await Promise.all(
    leads.map((leadId) =>
      fileClaim(deps, { admin: 'anna' }, { leadId, orderId, buyerId: 'a', reason: 'fake' }),
    ),
  );
  expect(new Set(claims.map(({ claim_id }) => claim_id)).size).toBe(20);
  const replaced = async () => {
    // A buyer without room refuses; the next claim that is approved gives it some again.
    for (let count = 0; count < 20; ) {
      const result = await takeIn(deps, aPerson(), 'a').catch(() => undefined);
      if (result?.status === 'assigned') count += 1;
    }
  };
  await Promise.all([
    ...claims.map(({ claim_id: claimId }) =>
      decideClaim(deps, { who: 'test', claimId, status: 'approved', notes: '' }),
    ),
    replaced(),
  ]);
  const counts = { total_claims: 20, approved_claims: 20 };
  expect(await orderStore.get(deps, orderId)).toMatchObject({
    leads_received: 20,
    reimbursement_pending: 0,
    reimbursement_delivered: 20,
    pending_claims: 0,
    ...counts,
  });
  expect(await buyerStore.byId(deps, 'a')).toMatchObject({ balance_count: 0, ...counts });
  expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
});
