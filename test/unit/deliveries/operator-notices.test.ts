/** How sent notices and the state of e-mail addresses are stored. */

import { describe, expect, it } from 'vitest';
import * as addressStore from '#functions/data/deliveries/address-store';
import { addressHash } from '#functions/data/deliveries/address-store';
import * as sentNotificationStore from '#functions/data/deliveries/sent-notification-store';
import { changedTable, itemsOf } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const KEY = new Uint8Array(32).fill(3);

/** A table that counts reads by key. */
function counted() {
  const table = memoryTable();
  const reads: number[] = [];
  const counting = changedTable(table, {
    getMany: async (all) => {
      reads.push(all.length);
      return table.getMany(all);
    },
  });
  return { table: counting, known: { table: counting, personKey: async () => KEY }, reads };
}

describe('sent notices', () => {
  it('are stored once for each order', async () => {
    const { table, reads } = counted();
    expect((await table.transact([sentNotificationStore.orderNotified(3)])).ok).toBe(true);
    expect((await table.transact([sentNotificationStore.orderNotified(3)])).ok).toBe(false);
    expect([...(await sentNotificationStore.ordersNotified({ table }, [2, 3, 4]))]).toEqual([3]);
    expect([...(await sentNotificationStore.ordersNotified({ table }, []))]).toEqual([]);
    expect(reads).toEqual([3]);
  });

  it('are stored by buyer and Monday, and never move back', async () => {
    const { table, reads } = counted();
    const notified = async (monday: string) =>
      (await table.transact([sentNotificationStore.weekNotified(7, monday)])).ok;
    expect([
      await notified('2026-11-16'),
      await notified('2026-11-16'),
      await notified('2026-11-09'),
    ]).toEqual([true, false, false]);
    expect([...(await sentNotificationStore.weeksNotified({ table }, [6, 7]))]).toEqual([[7, '2026-11-16']]);
    expect([await notified('2026-11-23'), await notified('2026-11-16')]).toEqual([true, false]);
    expect([...(await sentNotificationStore.weeksNotified({ table }, [7]))]).toEqual([[7, '2026-11-23']]);
    expect([...(await sentNotificationStore.weeksNotified({ table }, []))]).toEqual([]);
    expect(reads).toEqual([2, 1]);
  });
});

describe('the state of an address', () => {
  const NOW = new Date('2026-11-25T00:00:00.000Z');
  const BOUNCED = {
    events: [
      {
        id: '1',
        state: 'bounced_hard',
        at: '2026-11-24T00:00:00.000Z',
        by: 'ses',
        code: '5.1.1',
        diagnostic: null,
      },
    ],
  } as const;

  it('ignores case, does not contain the address, and expires after a year', async () => {
    const { table, known } = counted();
    expect(await addressStore.addressState(known, 'anna@example.org')).toBeUndefined();
    const seen = await addressStore.read(known, 'Anna@Example.org ');
    expect(seen).toMatchObject({ address: { events: [] }, version: 0 });
    expect(await addressStore.write(known, seen, BOUNCED as never, NOW)).toBe(true);
    expect(await addressStore.addressState(known, ' ANNA@example.ORG')).toMatchObject({
      state: 'bounced_hard',
    });
    const [item] = await itemsOf(table);
    expect(JSON.stringify(item).toLowerCase()).not.toContain('anna');
    expect(item).toMatchObject({ version: 1, expires_at: Date.parse('2027-11-25T00:00:00.000Z') / 1000 });
    expect(addressHash(KEY, 'a@b.de')).not.toBe(addressHash(new Uint8Array(32), 'a@b.de'));
  });

  it('is only written if it is unchanged since it was read', async () => {
    const { table, known } = counted();
    const none = await addressStore.read(known, 'a@b.de', false);
    expect([
      await addressStore.write(known, none, BOUNCED as never, NOW),
      await addressStore.write(known, none, { events: [] }, NOW),
    ]).toEqual([true, false]);
    const first = await addressStore.read(known, 'a@b.de');
    expect(first).toMatchObject({ version: 1, address: BOUNCED });
    expect([
      await addressStore.write(known, first, { events: [] }, NOW),
      await addressStore.write(known, first, BOUNCED as never, NOW),
    ]).toEqual([true, false]);
    expect(await addressStore.addressState(known, 'a@b.de')).toBeUndefined();
    await addressStore.forget(known, { email: 'A@b.de', address: undefined });
    expect(await itemsOf(table)).toEqual([]);
  });

  it('is read for several addresses at once, each address once', async () => {
    const { known, reads } = counted();
    await addressStore.write(known, await addressStore.read(known, 'a@b.de'), BOUNCED as never, NOW);
    const states = await addressStore.addressStates(known, ['x@b.de', 'A@b.de', 'a@b.de']);
    expect(states.map((one) => one?.state)).toEqual([undefined, 'bounced_hard', 'bounced_hard']);
    expect(await addressStore.addressStates(known, [])).toEqual([]);
    expect(reads).toEqual([2]);
  });
});
