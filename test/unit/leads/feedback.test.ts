/** What buyers say of a lead, kept entry by entry. Runs on the in-memory table. */
import { expect, it } from 'vitest';
import { feedbackOf, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import { ingest } from '#functions/domain/distribution/distribution';
import { feedbackDiary, saveFeedback, takeBackFeedback } from '#functions/domain/leads/feedback';
import type { Feedback } from '#shared/rules/constants';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  interruptedTable,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const HOUR_MS = 3_600_000;

async function aListedLead() {
  let now = Date.parse('2026-11-20T10:00:00.000Z');
  const runtime = { ...quietRuntime, sleep: async () => undefined, now: () => new Date(now) };
  const table = memoryTable();
  await addBuyers(table, [{ id: 'a', probability: 50, limit: 2 }]);
  const deps = { ...distributionOn(table, { runtime }), ...adminOn(table, runtime) };
  const { lead_id: leadId } = await ingest(deps, aPerson(), 'a');
  const { token } = (await orderStore.get(deps, 1))!;
  const of = [deps, token, aVisitor()] as const;
  return {
    table,
    deps,
    leadId,
    later: (ms = HOUR_MS) => void (now += ms),
    say: (feedback: Feedback | null, context = deps) =>
      saveFeedback(context, token, aVisitor(), { leadId, feedback }),
    takeBack: (entry: number) => takeBackFeedback(...of, { leadId, entry }),
    diary: () => feedbackDiary(...of, leadId),
    stored: async () => (await leadStore.get(deps, leadId))!,
    saidOf: async () => feedbackOf((await leadStore.get(deps, leadId))!)?.said,
  };
}

it('every attempt to reach a person is an entry with its time, also if it says the same', async () => {
  const { say, later, diary, stored, deps, leadId } = await aListedLead();
  await say('not_reached');
  later();
  await say('not_reached');
  later();
  expect(await say('reached')).toEqual({ feedback: 'reached', entry: 3 });
  expect(await diary()).toMatchObject([
    { number: 1, said: 'not_reached', at: '2026-11-20T10:00:00.000Z', who: 'link', taken_back: false },
    { number: 2, said: 'not_reached', at: '2026-11-20T11:00:00.000Z' },
    { number: 3, said: 'reached', at: '2026-11-20T12:00:00.000Z' },
  ]);
  expect((await stored()).feedback).toMatchObject({ said: 'reached', entries: 3 });
  expect((await leadStore.details(deps, leadId))?.diary).toMatchObject(await diary());
});

it('a double tap is one entry, and so is removing what is not there', async () => {
  const { say, later, diary } = await aListedLead();
  expect(await say(null)).toEqual({ feedback: null, entry: 0 });
  await say('reached');
  later(59_999);
  expect(await say('reached')).toEqual({ feedback: 'reached', entry: 1 });
  expect(await diary()).toHaveLength(1);
  later(1);
  expect(await say('reached')).toEqual({ feedback: 'reached', entry: 2 });
});

it('a mistake is taken back by an entry of its own, and what stood before holds again', async () => {
  const { say, later, takeBack, diary, saidOf, stored } = await aListedLead();
  await say('not_reached');
  later();
  await say('closed');
  later();
  expect(await takeBack(2)).toEqual({ feedback: 'not_reached', entry: 3 });
  expect(await takeBack(2)).toEqual({ feedback: 'not_reached', entry: 3 });
  expect((await stored()).feedback).toMatchObject({ at: '2026-11-20T10:00:00.000Z' });
  expect(await takeBack(1)).toEqual({ feedback: null, entry: 4 });
  expect(await saidOf()).toBeUndefined();
  expect((await diary()).map(({ said, takes_back, taken_back }) => [said, takes_back, taken_back])).toEqual([
    ['not_reached', null, true],
    ['closed', null, true],
    [null, 2, false],
    [null, 1, false],
  ]);
  for (const entry of [3, 5])
    await expect(takeBack(entry)).rejects.toMatchObject({ code: 'no_such_feedback' });
});

it('feedback from before there was a diary is its first entry', async () => {
  const { table, deps, leadId, say, stored, diary } = await aListedLead();
  const old: Lead['feedback'] = { said: 'reached', at: '2026-11-01T08:00:00.000Z', who: 'link', order_id: 1 };
  await table.update({
    key: keys.lead(leadId),
    update: 'SET feedback = :old',
    condition: 'attribute_exists(pk)',
    values: { ':old': old },
  });
  expect(await diary()).toMatchObject([{ number: 1, said: 'reached', at: old.at }]);
  expect((await leadStore.details(deps, leadId))?.diary).toMatchObject([{ said: 'reached', at: old.at }]);
  await say('closed');
  expect(await diary()).toMatchObject([{ at: old.at }, { said: 'closed' }]);
  expect((await stored()).feedback).toMatchObject({ said: 'closed', entries: 2 });
});

it('the oldest fifty entries are kept, and more are refused', async () => {
  const { say, later, diary } = await aListedLead();
  for (let entry = 1; entry <= 50; entry += 1) {
    await say('not_reached');
    later();
  }
  await expect(say('reached')).rejects.toMatchObject({ code: 'feedback_full' });
  expect(await diary()).toHaveLength(50);
});

it('of two taps at the same time none is lost', async () => {
  const { table, deps, say, diary } = await aListedLead();
  const interrupted = {
    ...deps,
    table: interruptedTable(table, 'transact', () => say('not_reached')),
  };
  await say('closed', interrupted);
  expect((await diary()).map(({ said }) => said)).toEqual(['not_reached', 'closed']);
});
