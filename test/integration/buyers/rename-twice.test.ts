/** A buyer is found in two reads, by its id and then by its number: it may be renamed in between. */

import { expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { keys } from '#functions/data/table/keys';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { addBuyers, adminOn, interruptedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it.for([
  ['to the same id', { new_buyer_id: 'new' }],
  ['to another id', { new_buyer_id: 'other' }],
  ['not at all, but changed', { min_investment: 10_000 }],
] as const)('a buyer is not found by the id that it had, renamed %s', async ([, input], { table, admin }) => {
  await addBuyers(table, [{ id: 'north', probability: 50, limit: 1 }]);
  const rename = () => updateBuyer(admin, 'test', 'north', { new_buyer_id: 'new' });
  const fits = ({ pk }: { pk?: string }) => pk === keys.buyerId('north').pk;
  const reader = interruptedTable(table, 'get', rename, { when: 'after', fits });
  await expect(updateBuyer(adminOn(reader), 'test', 'north', input)).rejects.toMatchObject({
    code: 'buyer_not_found',
  });
  expect(await buyerStore.byId(admin, 'new')).toMatchObject({ buyer_id: 'new', buyer: 1 });
  expect(await buyerStore.byId(admin, 'other')).toBeUndefined();
});
