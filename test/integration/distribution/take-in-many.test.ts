/** Several leads at once, under ids that their caller gave them. */
import { expect } from 'vitest';
import { takeInMany } from '#functions/domain/distribution/take-in-many';
import { aReceivedLead } from '#test/factories/leads';
import { addBuyers, itemsOf, leadsAmong, takingInOn, violations } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const some = (ids: readonly string[]) => ids.map((lead_id) => aReceivedLead({ lead_id }));

it('stores each lead once, whoever sends it how often, and says which one was there', async ({ table }) => {
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 5 }]);
  const calls = await Promise.all(
    [['x', 'y', 'x'], ['y', 'z'], ['x']].map(async (ids) => {
      const taken = await takeInMany(takingInOn(table), some(ids));
      await taken.distribute();
      return taken.outcomes;
    }),
  );
  const stored = calls.flat().flatMap((one) => (one.stored ? [one.lead.lead_id] : []));
  expect(stored.toSorted()).toEqual(['x', 'y', 'z']);
  expect(calls[0]?.[2]).toMatchObject({ stored: false, earlier: { lead_id: 'x' } });
  expect(await violations(table, 3)).toEqual([]);
  expect(leadsAmong(await itemsOf(table)).map(({ status }) => status)).toEqual(Array(3).fill('assigned'));
});

it('distributes only those that are admitted', async ({ table }) => {
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 5 }]);
  const taken = await takeInMany(takingInOn(table), some(['x', 'y']));
  await taken.distribute(
    taken.outcomes.flatMap((one) => (one.stored && one.lead.lead_id === 'y' ? [one.lead] : [])),
  );
  const leads = leadsAmong(await itemsOf(table)).map(({ lead_id, status }) => [lead_id, status]);
  expect(Object.fromEntries(leads)).toEqual({ x: 'received', y: 'assigned' });
});
