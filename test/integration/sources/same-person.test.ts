/** The same person from one source or several: one lead per source within the window, and no buyer gets two. */

import { describe, expect } from 'vitest';
import * as leadStore from '#functions/data/leads/lead-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { distributeAgain } from '#functions/domain/distribution/distribution';
import { previewOrder } from '#functions/domain/distribution/order-preview';
import type { Runtime } from '#functions/platform/runtime';
import { aSource } from '#test/factories/sources';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  itemsOf,
  quietRuntime,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { addSources, buyerOf, intakeOn, post } from '#test/harness/intake';
import { DAY_MS } from '#test/harness/time';

const later = (days: number): Runtime => ({
  ...quietRuntime,
  now: () => new Date(quietRuntime.now().getTime() + days * DAY_MS),
});

/** The keys of all person fingerprints. */
const fingerprintsOf = async (table: Table) =>
  (await itemsOf(table))
    .filter(({ sk }) => sk === 'PERSON')
    .map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));

describe('the same person', () => {
  it('counts from the arrival of a lead, not from its repeat', async ({ table }) => {
    const [source = aSource()] = await addSources(table, 1);
    const on = (day: number) => intakeOn(table, later(day));
    const first = await post(table, source, {}, on(0), 'same');
    expect(await post(table, source, {}, on(31), 'same')).toEqual(first);
    expect(await post(table, source, {}, on(32))).toMatchObject({ status: 'accepted' });
    expect(await post(table, source, {}, on(32), 'same')).toEqual(first);
    expect(await post(table, source, {}, on(33))).toMatchObject({ status: 'duplicate' });
  });

  it('is not recognized by a repeated erased lead', async ({ table }) => {
    const [source = aSource()] = await addSources(table, 1, { window_days: 30 });
    const { lead_id } = await post(table, source, {}, intakeOn(table), 'same');
    for (const key of await fingerprintsOf(table)) await table.delete({ delete: key });
    await table.update({
      key: keys.lead(lead_id),
      update: 'SET erased_at = :at REMOVE marks',
      values: { ':at': quietRuntime.now().toISOString() },
    });
    await post(table, source, {}, intakeOn(table), 'same');
    expect(await fingerprintsOf(table)).toEqual([]);
  });

  it('is neither retried nor included in a preview while no other buyer can receive it', async ({
    table,
  }) => {
    await addBuyers(table, [
      { id: 'anna', probability: 50, limit: 9 },
      { id: 'ben', probability: 40 },
    ]);
    const [one = aSource(), two = aSource(), three = aSource()] = await addSources(table, 3);
    const [, second, third] = [await post(table, one), await post(table, two), await post(table, three)];
    const attempts = async () =>
      (await leadStore.getMany(intakeOn(table), [second.lead_id, third.lead_id])).map(
        (lead) => lead?.distribution_attempt,
      );
    const before = await attempts();
    await redistribute(distributionOn(table), new Date(Date.now() + 60_000));
    expect(await attempts()).toEqual(before);
    const preview = (buyerId: string) =>
      previewOrder(
        { ...adminOn(table), orderCache: createOrderCache(table, quietRuntime.now) },
        { buyerId, leadLimit: 5, balance: 0 },
      );
    expect(await preview('anna')).toMatchObject({ originals: 0 });
    expect(await preview('ben')).toMatchObject({ originals: 1 });
  });

  it('does not reach a buyer again with a pending lead', async ({ table }) => {
    const [one = aSource(), two = aSource()] = await addSources(table, 2);
    const waiting = await post(table, one);
    const deps = distributionOn(table);
    const get = (id: string) => leadStore.get(deps, id);
    const copies = [await table.get(keys.lead(waiting.lead_id))];
    await addBuyers(table, [{ id: 'anna', probability: 50, limit: 9 }]);
    const other = await post(table, two);
    expect(await buyerOf(table, other)).toBe(1);
    const isHeldBack = async () =>
      expect(await get(waiting.lead_id)).toMatchObject({ status: 'pending', reason: 'already_received' });
    // The admin's call read the lead before the other one arrived.
    const stale = changedTable(table, {
      get: async (key, options) =>
        (key.sk === keys.lead('').sk ? copies.pop() : undefined) ?? table.get(key, options),
    });
    await distributeAgain(distributionOn(stale), 'admin', waiting.lead_id);
    await isHeldBack();
    await redistribute(deps, new Date(Date.now() + 60_000));
    await isHeldBack();
  });
});
