/** A query is no snapshot: it may show a buyer as it was before a change, and the version of the weights after it. */
import { expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
import type { Item, Query } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { addBuyers, adminOn, changedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('refuses a weight that another buyer, resumed during the read, leaves no room for', async ({
  table,
  admin,
}) => {
  await addBuyers(table, [
    { id: 'north', probability: 50, limit: 1 },
    { id: 'south', probability: 50, limit: 1 },
  ]);
  await updateBuyer(admin, 'test', 'south', { active: false });
  let torn = false;
  const queryAll = async (query: Query): Promise<Item[]> => {
    const items = await table.queryAll(query);
    if (torn || query.partition !== keys.pool()) return items;
    torn = true;
    await updateBuyer(admin, 'test', 'south', { active: true });
    const weights = await table.get(keys.weights());
    return items.map((item) => (item.sk === keys.weights().sk && weights ? weights : item));
  };
  await expect(
    updateBuyer(adminOn(changedTable(table, { queryAll })), 'test', 'north', { probability: 100 }),
  ).rejects.toMatchObject({
    code: 'probability_exceeded',
  });
});
