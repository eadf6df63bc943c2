import { expect } from 'vitest';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { keys } from '#functions/data/table/keys';
import { ingest } from '#functions/domain/distribution/distribution';
import { count } from '#functions/domain/statistics/statistics';
import { A_CONSENT } from '#test/factories/consents';
import { anAttempt } from '#test/factories/deliveries';
import { aPerson } from '#test/factories/people';
import { addBuyers, distributionOn, quietRuntime } from '#test/harness/distribution';
import { itOnEngine as it } from '#test/harness/fixtures';
import { mostWritten, ON_DYNAMODB_LOCAL } from '#test/harness/other-engine';
import { withRoundTrips } from '#test/harness/round-trips';

it.for([
  ['without consent', undefined, 12],
  ['with consent', A_CONSENT, 14],
] as const)(
  'assigns a lead %s over one channel among 20 orders with caps and hours in at most 4 round trips and 2 read units',
  async ([, consent, most], { engine }) => {
    const units = { read: 0, write: 0 };
    const table = await engine.freshTable(({ read, write }) => {
      units.read += read;
      units.write += write;
    });
    const pace = {
      caps: { daily_cap: 500, weekly_cap: 900 },
      schedule: { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays_off: false },
    };
    await addBuyers(
      table,
      Array.from({ length: 20 }, (_, at) => ({ id: `buyer-${at}`, probability: 5, limit: 1000, ...pace })),
    );
    for (let lead = 0; lead < 30; lead += 1) {
      const measured = withRoundTrips(table);
      units.read = 0;
      units.write = 0;
      const context = distributionOn(measured.table);
      const named = { lead_id: context.runtime.newId(), consent };
      const result = await ingest(context, aPerson(), undefined, named);
      expect(result.status).toBe('assigned');
      expect(measured.roundTrips()).toBeLessThanOrEqual(4);
      expect(units.write).toBeLessThanOrEqual(mostWritten(most));
      expect(units.read).toBeLessThanOrEqual(2);
    }
  },
);

it('counts and indexes leads, eight at a time, in at most 24 write units each', async ({ engine }) => {
  let written = 0;
  const table = await engine.freshTable(({ write }) => {
    written += write;
  });
  await addBuyers(table, [{ id: 'one', probability: 100, limit: 1000 }]);
  const leads: string[] = [];
  // A name with an umlaut has two spellings, and a long number five suffixes: more words than most.
  for (let lead = 0; lead < 8; lead += 1)
    leads.push(
      (
        await ingest(
          distributionOn(table),
          aPerson({ vorname: 'Max', nachname: 'Müller', telefon: `0151 123456${10 + lead}` }),
          undefined,
        )
      ).lead_id,
    );
  written = 0;
  const deps = { table, runtime: quietRuntime };
  expect(await count(deps, leads)).toBe(8);
  expect(written / 8).toBeLessThanOrEqual(mostWritten(24));
  if (!ON_DYNAMODB_LOCAL) expect(written / 8).toBeGreaterThan(15);

  // The delivery time adds to the lead's count, its index entry, and the day's sketch.
  for (const lead of leads) {
    const delivery = await deliveryStore.get({ table }, lead, 'email');
    const attempts = [anAttempt(new Date(), 'delivered')];
    await table.put({
      put: { ...keys.delivery(lead, 'email'), ...delivery, status: 'delivered', attempts, attempt_count: 1 },
    });
  }
  for (const [together, most] of [
    [1, 8],
    [7, 6.5],
  ] as const) {
    written = 0;
    expect(await count(deps, leads.splice(0, together), () => ['email'])).toBe(together);
    expect(written / together).toBeLessThanOrEqual(mostWritten(most));
  }
});
