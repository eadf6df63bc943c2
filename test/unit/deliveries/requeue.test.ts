/** Which deliveries are requeued, when, and when they are checked next. */

import { describe, expect, it } from 'vitest';
import type { Delivery } from '#functions/data/leads/lead';
import { indexed } from '#functions/data/table/keys';
import { type Query } from '#functions/data/table/table';
import { requeueOpenDeliveries, requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import type { Outgoing } from '#functions/queues/queue';
import { aDelivery } from '#test/factories/deliveries';
import { listQueue } from '#test/harness/deliveries';
import { changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS).toISOString();

interface Lists {
  readonly overdue?: readonly Delivery[];
  readonly notTried?: readonly Delivery[];
  readonly unreported?: readonly Delivery[];
  readonly open?: readonly (readonly Delivery[])[];
  /** Whether a delivery is unchanged. */
  readonly isSame?: boolean;
}

function world({ overdue = [], notTried = [], unreported = [], open = [], isSame = true }: Lists) {
  const calls: unknown[][] = [];
  const sent: Outgoing<unknown>[] = [];
  const listed = (name: string, { sort, limit }: Query, items: readonly Delivery[]) => {
    if (sort !== undefined && 'to' in sort) calls.push([name, sort.to.replace('unreported#', ''), limit]);
    return { items: [...items], next: undefined };
  };
  const [firstShard] = indexed.everyNewDelivery();
  const table = changedTable(memoryTable(), {
    query: async (query) => {
      const { partition, sort } = query;
      if (partition === indexed.failedDeliveries()) return listed('unreported', query, unreported);
      if (partition === firstShard) return listed('notTried', query, notTried);
      if (partition !== indexed.retryingDeliveries()) return { items: [], next: undefined };
      return listed('overdue', query, sort === undefined ? open.flat() : overdue);
    },
    // The time of the next check, or the end of the lease.
    update: async ({ key, values = {} }) => {
      const { ':due': due, ':check': look } = values as Readonly<Record<string, string | undefined>>;
      const lead = key.pk.replace('LEAD#', '');
      if (look !== undefined) calls.push(['setNextReportCheckAt', lead, look.split('#')[1]]);
      else if (values[':expected_at'] !== undefined) calls.push(['setNextCheckAt', lead, due?.split('#')[0]]);
      else calls.push(['finish', lead, values[':status']]);
      return isSame ? { ok: true, item: {} } : { ok: false, item: undefined };
    },
    get: async ({ pk }) =>
      aDelivery({
        lead_id: pk.replace('LEAD#', ''),
        status: 'retrying',
        attempt_count: 2,
        next_attempt_at: at(3),
      }),
  });
  const deps = {
    table,
    queue: listQueue(sent),
    runtime: { ...quietRuntime, now: () => NOW, random: () => 0 },
  };
  return { deps, calls, sent };
}

const message = (lead_id: string, attempt_count = 0) => ({
  lead_id,
  channel: 'email',
  series: 1,
  attempt_count,
  buyer: 7,
});

describe('the reconciliation', () => {
  it('finds overdue, untried and unreported deliveries after their grace period', async () => {
    const { deps, calls, sent } = world({});
    expect(await requeueOverdueDeliveries(deps)).toBe(0);
    expect(calls).toEqual([
      ['overdue', at(-2), 2000],
      ['notTried', at(-10), 2000],
      ['unreported', at(-2), 2000],
    ]);
    expect(sent).toEqual([]);
  });

  it('requeues due deliveries immediately, and checks them again after a delay equal to their age, at least ten minutes', async () => {
    const { deps, calls, sent } = world({
      overdue: [aDelivery({ lead_id: 'old', next_attempt_at: at(-25) })],
      notTried: [aDelivery({ lead_id: 'young', created_at: at(-4), queued_at: at(-4) })],
    });
    expect(await requeueOverdueDeliveries(deps)).toBe(2);
    expect(sent).toEqual([
      { message: message('old'), delay: 0 },
      { message: message('young'), delay: 0 },
    ]);
    expect(calls.slice(2, 4)).toEqual([
      ['setNextCheckAt', 'old', at(25)],
      ['setNextCheckAt', 'young', at(10)],
    ]);
  });

  it('skips deliveries that are being sent, have changed, or are due after the longest message delay', async () => {
    const sending = (until: number) => aDelivery({ next_attempt_at: at(-5), sending_until: at(until) });
    const { deps, sent } = world({ overdue: [sending(1), aDelivery({ next_attempt_at: at(16) })] });
    expect(await requeueOverdueDeliveries(deps)).toBe(0);
    expect(sent).toEqual([]);
    const over = world({ overdue: [sending(0), sending(-1), aDelivery({ next_attempt_at: at(15) })] });
    expect(await requeueOverdueDeliveries(over.deps)).toBe(3);
    expect(over.sent.map(({ delay }) => delay)).toEqual([0, 0, 900]);
    const changed = world({ overdue: [aDelivery({ next_attempt_at: at(-5) })], isSame: false });
    expect(await requeueOverdueDeliveries(changed.deps)).toBe(0);
  });

  it('requeues unreported failures, less and less often', async () => {
    const failed = (lead_id: string, minutes: number) =>
      aDelivery({ lead_id, status: 'failed', attempt_count: 3, updated_at: at(-minutes) });
    const { deps, calls, sent } = world({ unreported: [failed('new', 3), failed('old', 40)] });
    expect(await requeueOverdueDeliveries(deps)).toBe(2);
    expect(sent.map((one) => one.message)).toEqual([message('new', 3), message('old', 3)]);
    expect(calls.slice(3)).toEqual([
      ['setNextReportCheckAt', 'new', at(10)],
      ['setNextReportCheckAt', 'old', at(40)],
    ]);
    const notified = world({ unreported: [failed('new', 3)], isSame: false });
    expect(await requeueOverdueDeliveries(notified.deps)).toBe(0);
    expect(notified.sent).toEqual([]);
  });
});

describe('a startup with empty queues', () => {
  const open = [
    [aDelivery({ lead_id: 'waits', next_attempt_at: at(2) })],
    [aDelivery({ lead_id: 'being-sent', attempt_count: 1, next_attempt_at: at(-1), sending_until: at(5) })],
  ];

  it('requeues every open delivery, page by page', async () => {
    const { deps, calls, sent } = world({ open });
    expect(await requeueOpenDeliveries(deps, false)).toBe(2);
    expect(sent).toEqual([
      { message: message('waits'), delay: 120 },
      { message: message('being-sent', 1), delay: 0 },
    ]);
    expect(calls).toEqual([['setNextCheckAt', 'being-sent', at(10)]]);
  });

  it('as the only process ends running attempts with an unknown outcome', async () => {
    const { deps, calls, sent } = world({ open });
    expect(await requeueOpenDeliveries(deps, true)).toBe(2);
    expect(calls).toEqual([['finish', 'being-sent', 'retrying']]);
    expect(sent).toEqual([
      { message: message('waits'), delay: 120 },
      { message: message('being-sent', 2), delay: 180 },
    ]);
  });
});
