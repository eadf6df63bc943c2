import { expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { adminOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('a buyer without one from earlier can still be changed otherwise', async ({ table }) => {
  const admin = adminOn(table);
  const before = await createBuyer(admin, 'test', {
    buyer_id: 'acme',
    buyer_email: 'sales@acme.example',
    probability: 10,
  });
  await table.transact([buyerStore.changed(before, { send_email: true })]);
  await expect(updateBuyer(admin, 'test', 'acme', { probability: 20 })).resolves.toMatchObject({
    probability: 2000,
    send_email: true,
  });
});
