import { expect } from 'vitest';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as orderStore from '#functions/data/orders/order-store';
import type { DistributionResult } from '#functions/domain/distribution/attempt';
import { redistribute } from '#functions/domain/distribution/backlog';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { aPerson } from '#test/factories/people';
import { addBuyers, distributionOn, itemsOf, leadsAmong, violations } from '#test/harness/distribution';
import { itOnEngine as it } from '#test/harness/fixtures';

const LIMIT = 50;
const LEADS = 200;
const PROCESSES = 8;
const WORKERS_EACH = 8;

it('gives an order of 50 exactly 50 of 200 leads from 64 workers, despite all faults', async ({
  connections,
  table,
}) => {
  await addBuyers(table, [{ id: 'only', probability: 100, limit: LIMIT }]);

  const answers: DistributionResult[] = [];
  let failed = 0;
  let left = LEADS;
  const processes = Array.from({ length: PROCESSES }, () => {
    const connection = connections.to(table, {
      lostAnswer: 0.04,
      lostForGood: 0.02,
      throttle: 0.02,
      conflict: 0.03,
      slow: 0.03,
    });
    return { faults: connection.faults, deps: distributionOn(connection.table) };
  });
  await Promise.all(
    processes.flatMap(({ deps }) =>
      Array.from({ length: WORKERS_EACH }, async () => {
        while (left > 0) {
          left -= 1;
          try {
            answers.push(await ingest(deps, aPerson(), undefined));
          } catch {
            failed += 1;
          }
        }
      }),
    ),
  );
  await Promise.all(processes.map(({ faults }) => faults.quiet()));
  const injected = processes.map(({ faults }) => faults.injected);
  for (const kind of ['lostAnswer', 'lostForGood', 'throttle', 'conflict', 'slow'] as const)
    expect(
      injected.reduce((sum, counts) => sum + counts[kind], 0),
      `${kind} happened`,
    ).toBeGreaterThan(5);
  expect(failed, 'some distribution attempts were left behind').toBeGreaterThan(0);

  const order = await orderStore.get(distributionOn(table), 1);
  expect(order?.leads_received, 'never above the limit').toBeLessThanOrEqual(LIMIT);
  const clean = distributionOn(table);
  await reconcile(clean, -1000);
  await redistribute(clean, new Date(Date.now() + 60_000));

  expect(await violations(table)).toEqual([]);
  const leads = new Map(leadsAmong(await itemsOf(table)).map((lead) => [lead.lead_id, lead]));
  // Every answered lead is stored as answered; after a failed request a lead may be stored or not.
  expect(answers.length + failed).toBe(LEADS);
  expect(leads.size).toBeGreaterThanOrEqual(answers.length);
  expect(leads.size).toBeLessThanOrEqual(LEADS);
  for (const answer of answers) {
    const lead = leads.get(answer.lead_id);
    expect(lead).toBeDefined();
    if (answer.status === 'assigned')
      expect(lead).toMatchObject({ status: 'assigned', order_id: 1, sequence: answer.sequence });
  }
  const assigned = [...leads.values()].filter(({ status }) => status === 'assigned');
  expect(assigned).toHaveLength(LIMIT);
  expect(new Set(assigned.map(({ sequence }) => sequence)).size).toBe(LIMIT);
  expect((await orderStore.get(clean, 1))?.leads_received).toBe(LIMIT);
  expect(await leadLists.countPending(clean)).toBe(leads.size - LIMIT);
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
}, 600_000);
