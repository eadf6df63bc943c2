/** A request repeated under its idempotency key, by the age of one that may have crashed. On the table in memory. */

import { describe, expect, it } from 'vitest';
import * as intakeKeyStore from '#functions/data/leads/idempotency-key-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { aPerson } from '#test/factories/people';
import { addBuyers, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOON = Date.parse('2026-05-04T12:00:00.000Z');
const PERSON = aPerson();

/** A request that took its key at noon and stored no lead. */
async function aCrash() {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'anna', probability: 50, limit: 5 }]);
  const requestAt = (milliseconds: number, on = table) => {
    const runtime = { ...quietRuntime, now: () => new Date(NOON + milliseconds) };
    return ingestOnce(distributionOn(on, { runtime }), 'key', PERSON, undefined);
  };
  const dying = changedTable(table, {
    transact: () => Promise.reject(new Error('died')),
    put: (write) => (write.put.sk === 'LEAD' ? Promise.reject(new Error('died')) : table.put(write)),
  });
  await expect(requestAt(0, dying)).rejects.toThrow('died');
  return { table, requestAt };
}

describe('a request whose process died', () => {
  it('may still be at work for a minute; then another one stores the lead under its ID', async () => {
    const { table, requestAt } = await aCrash();
    await expect(requestAt(59_999)).rejects.toMatchObject({ kind: 'conflict', code: 'request_under_way' });
    const stored = await requestAt(60_000);
    expect(stored).toMatchObject({
      status: 'assigned',
      buyer_id: 'anna',
      sequence: 1,
      lead_type: 'original',
    });
    expect(await leadStore.get({ table }, stored.lead_id)).toMatchObject({ status: 'assigned' });
    expect(await requestAt(60_001)).toEqual(stored);
  });

  it('is continued by one of two, and for a minute by nobody else', async () => {
    const { table, requestAt } = await aCrash();
    const sleeping = changedTable(table, {
      update: async (write) => {
        if (write.update.includes('taken_by')) {
          const other = {
            lead_id: 'other',
            fingerprint: '',
            taken_at: new Date(NOON + 60_000).toISOString(),
          };
          const named = await intakeKeyStore.take({ table }, 'key', other);
          expect(await intakeKeyStore.takeOver({ table }, 'key', named, other)).toBe(true);
        }
        return table.update(write);
      },
    });
    const busy = { code: 'request_under_way' };
    await expect(requestAt(60_000, sleeping)).rejects.toMatchObject(busy);
    await expect(requestAt(119_999)).rejects.toMatchObject(busy);
    expect(await requestAt(120_000)).toMatchObject({ status: 'assigned' });
  });
});
