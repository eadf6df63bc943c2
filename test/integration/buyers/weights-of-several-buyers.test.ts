/** The weights of several buyers change together: all or none, and never above 100 %. */

import { expect } from 'vitest';
import * as poolStore from '#functions/data/distribution/pool-store';
import { deleteBuyer } from '#functions/domain/buyers/buyers';
import { changeWeights } from '#functions/domain/buyers/weights';
import { createOrder } from '#functions/domain/orders/orders';
import { addBuyers } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('weights of several buyers are rejected together, or make room for a new buyer', async ({
  table,
  admin,
}) => {
  await addBuyers(table, [
    { id: 'north', probability: 60, limit: 5 },
    { id: 'south', probability: 40, limit: 5 },
    { id: 'gone', probability: 0 },
  ]);
  await deleteBuyer(admin, 'ada', 'gone');
  // Its weight is not available yet, because the others have 100 %.
  await addBuyers(table, [{ id: 'new', probability: 0 }]);
  const set = (weights: readonly (readonly [string, number])[], exclusive = false) =>
    changeWeights(
      admin,
      'ada',
      weights.map(([buyerId, percent]) => ({ buyerId, weight: percent * 100, expected: undefined })),
      exclusive,
    );
  /** In percent. */
  const inEffect = async () =>
    (await poolStore.read(admin)).entries.map(({ buyer_id, probability }) => [buyer_id, probability / 100]);
  const before = await inEffect();
  for (const [code, weights, exclusive] of [
    ['probability_exceeded', { north: 50, new: 11 }],
    ['probability_exceeded', { north: 70, new: 30 }],
    ['probability_exceeded', { north: 70, south: 31 }, true],
    ['buyer_not_found', { north: 10, nobody: 1 }],
    ['buyer_not_found', { north: 10, gone: 1 }],
  ] as const)
    await expect(set(Object.entries(weights), exclusive), code).rejects.toMatchObject({ code });
  const twice = [10, 20].map((percent) => ['north', percent] as const);
  await expect(set(twice)).rejects.toMatchObject({ code: 'buyer_named_twice' });
  expect(await inEffect()).toEqual(before);

  await set(Object.entries({ north: 45, south: 30, new: 25 }));
  expect(Object.fromEntries(await inEffect())).toEqual({ north: 45, south: 30, new: 25 });
  await createOrder(admin, 'ada', { buyerId: 'new', leadLimit: 5, balance: 0 });
  await set(Object.entries({ north: 70, new: 30 }), true);
  expect(Object.fromEntries(await inEffect())).toEqual({ north: 70, south: 0, new: 30 });
});
