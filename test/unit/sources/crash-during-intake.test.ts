/** Ingestion with a crash at any call, and leads of several persons with their calls in any order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { ingestPosted } from '#functions/domain/sources/intake';
import type { Runtime } from '#functions/platform/runtime';
import { aPerson } from '#test/factories/people';
import { aSource } from '#test/factories/sources';
import {
  addBuyers,
  aroundCalls,
  distributionOn,
  ledgerOf,
  quietRuntime,
  runDying,
  sleepingTable,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { addSources, buyerOf, intakeOn, post } from '#test/harness/intake';
import { memoryTable } from '#test/harness/memory-table';

const TWO_BUYERS = [
  { id: 'anna', probability: 50, limit: 99 },
  { id: 'ben', probability: 50, limit: 99 },
];

it('has person and lead after a crash at any call', async () => {
  const table = memoryTable();
  await addBuyers(table, TWO_BUYERS);
  const [one = aSource(), two = aSource()] = await addSources(table, 2);
  for (let call = 1, over = false; !over; call += 1) {
    const person = { telefon: `+4930${call}`, email: `c${call}@example.org` };
    const first = await post(table, two, person);
    const again = `again-${call}`;
    over = !(await runDying(table, call, call % 2 === 0 ? 'before' : 'after', (on) =>
      post(table, one, person, intakeOn(on), again),
    ));
    // The client repeats its request, before or after the incomplete work is finished.
    if (call % 3 === 0) await reconcile(distributionOn(table), -1000);
    const second = await post(table, one, person, intakeOn(table), again);
    await reconcile(distributionOn(table), -1000);
    expect(second.status).toBe('accepted');
    expect(new Set([await buyerOf(table, first), await buyerOf(table, second)])).toEqual(new Set([1, 2]));
  }
  expect(await violations(table)).toEqual([]);
});

/** Sleeps only until all other calls are idle. */
const HASTY: Runtime = {
  ...quietRuntime,
  sleep: () => new Promise((resolve) => void setImmediate(resolve)),
};

/** Lets other calls run first, as often as the next number says. */
function slow(table: Table, delays: readonly number[]): Table {
  let calls = 0;
  return aroundCalls(table, async (send) => {
    calls += 1;
    for (let turn = delays[calls % delays.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
    return send();
  });
}

const SECONDS_LATER: Runtime = { ...HASTY, now: () => new Date(Date.now() + 5_000) };
const isOf = (args: readonly unknown[], sk: string) => JSON.stringify(args).includes(`"sk":"${sk}"`);

it('leaves a repeated lead to the call that distributes it', async () => {
  const table = memoryTable();
  await addBuyers(table, TWO_BUYERS);
  const [one = aSource(), two = aSource()] = await addSources(table, 2);
  // The second call takes the fingerprint first, the first call stores the lead.
  const again = sleepingTable(table, (name, _, args) => name === 'put' && isOf(args, keys.lead('').sk));
  const repeated = post(table, one, {}, intakeOn(again.table, HASTY), 'same');
  await again.asleep;
  const storing = sleepingTable(
    table,
    (name, _, args) => name === 'update' && isOf(args, keys.person('').sk),
  );
  const stored = post(table, one, {}, intakeOn(storing.table, SECONDS_LATER), 'same');
  await storing.asleep;
  // This lead is last in the fingerprint, and waits for the others until it gives up.
  await post(table, two, {}, intakeOn(table, HASTY));
  again.wake();
  await repeated;
  storing.wake();
  await stored;
  expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
});

it('gives no buyer two leads of a person, and keeps one for each source, in any order of calls', async () => {
  const leads = fc.array(
    fc.record({
      source: fc.integer({ min: 0, max: 2 }),
      telefon: fc.constantFrom('+491', '+492'),
      email: fc.constantFrom('a@example.org', 'b@example.org'),
      delays: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 9 }),
    }),
    { minLength: 2, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(leads, async (posted) => {
      const table = memoryTable();
      await addBuyers(table, TWO_BUYERS);
      const sources = await addSources(table, 3);
      const results = await Promise.all(
        posted.map(async ({ source, delays, ...person }) =>
          post(table, sources[source] ?? aSource(), person, intakeOn(slow(table, delays), HASTY)),
        ),
      );
      for (let run = 0; run < 2; run += 1) await reconcile(distributionOn(table, { runtime: HASTY }), -1000);
      expect(await violations(table)).toEqual([]);
      const buyers = await Promise.all(results.map((one) => buyerOf(table, one)));
      for (const [at, one] of posted.entries())
        for (const [earlier, other] of posted.slice(0, at).entries()) {
          if (one.telefon !== other.telefon && one.email !== other.email) continue;
          const [mine, theirs] = [buyers[at], buyers[earlier]];
          if (mine !== undefined) expect(mine).not.toBe(theirs);
          if (one.source === other.source)
            expect([results[at]?.status, results[earlier]?.status]).toContain('duplicate');
        }
      for (const source of new Set(posted.map((one) => one.source)))
        expect(
          results.filter((_, at) => posted[at]?.source === source).map(({ status }) => status),
        ).toContain('accepted');
    }),
    { numRuns: 40 },
  );
});

/** Twelve leads in one call, so that they form a batch; most persons are known, or occur twice. */
const CALL = Array.from({ length: 12 }, (_, at) => ({
  external_id: `row-${at}`,
  person: aPerson({ telefon: `+49${at % 9}`, email: `p${at % 9}@example.org` }),
  content: `row-${at}`,
}));

it('ingests a batch once after a crash at any call, and separates persons', async () => {
  for (let call = 1, over = false; !over; call += 3) {
    const table = memoryTable();
    await addBuyers(table, TWO_BUYERS);
    const [one = aSource(), two = aSource()] = await addSources(table, 2);
    const before = [];
    for (const { person } of CALL.slice(0, 4))
      before.push(await post(table, two, person, intakeOn(table, HASTY)));
    let messages: ReturnType<typeof intakeOn>['messages'] = [];
    over = !(await runDying(table, call, call % 4 === 1 ? 'before' : 'after', (on) => {
      const deps = intakeOn(on, HASTY);
      ({ messages } = deps);
      return ingestPosted(deps, one, CALL, 0);
    }));
    // Requests may or may not arrive; the client repeats its call, before or after the rest is finished.
    const sent = call % 3 === 0 ? [] : messages;
    for (const { batch_id, absent } of sent)
      await distributeBatch(distributionOn(table, { runtime: HASTY }), batch_id, absent);
    if (call % 5 === 0) await reconcile(distributionOn(table, { runtime: HASTY }), -1000);
    const again = intakeOn(table, HASTY);
    const results = await ingestPosted(again, one, CALL, 0);
    for (const { batch_id, absent } of again.messages)
      await distributeBatch(distributionOn(table, { runtime: HASTY }), batch_id, absent);
    for (let run = 0; run < 2; run += 1) await reconcile(distributionOn(table, { runtime: HASTY }), -1000);
    expect(await violations(table), String(call)).toEqual([]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(9).fill('accepted'),
      ...Array<string>(3).fill('duplicate'),
    ]);
    const stored = results.map((result) => ({ lead_id: 'lead_id' in result ? result.lead_id : '' }));
    const buyers = await Promise.all(stored.map((lead) => buyerOf(table, lead)));
    expect(buyers.slice(0, 9).every((buyer) => buyer !== undefined)).toBe(true);
    for (const [at, lead] of before.entries()) expect(buyers[at]).not.toBe(await buyerOf(table, lead));
  }
});
