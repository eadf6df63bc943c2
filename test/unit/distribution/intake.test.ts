/** A request repeated with its idempotency key after its process died. Runs on the in-memory table. */

import { expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { aPerson } from '#test/factories/people';
import { addBuyers, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

it('an unfinished request blocks repeats for a minute, then one of two repeats stores the lead', async () => {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'anna', probability: 50, limit: 5 }]);
  const person = aPerson();
  const requestAt = (milliseconds: number, on = table) => {
    const now = () => new Date(Date.parse('2026-05-04T12:00:00.000Z') + milliseconds);
    return ingestOnce(distributionOn(on, { runtime: { ...quietRuntime, now } }), 'key', person, undefined);
  };
  const dying = changedTable(table, {
    put: (write) => (write.put.sk === 'LEAD' ? Promise.reject(new Error('died')) : table.put(write)),
  });
  await expect(requestAt(0, dying)).rejects.toThrow('died');
  await expect(requestAt(59_999)).rejects.toMatchObject({ code: 'request_under_way' });
  const both = await Promise.allSettled([requestAt(60_000), requestAt(60_000)]);
  const [stored, ...others] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(others).toEqual([]);
  expect(stored).toMatchObject({ status: 'assigned', buyer_id: 'anna', sequence: 1 });
  expect(await requestAt(60_001)).toEqual(stored);
  const lead_id = stored?.lead_id ?? '';
  await table.delete({ delete: keys.order(1) });
  await expect(requestAt(60_001)).rejects.toThrow('no buyer or order');
  const received = { names: { '#status': 'status' }, values: { ':status': 'received' } };
  await table.update({ key: keys.lead(lead_id), update: 'SET #status = :status', ...received });
  expect(await requestAt(60_001)).toEqual({ status: 'overtaken', lead_id });
});
