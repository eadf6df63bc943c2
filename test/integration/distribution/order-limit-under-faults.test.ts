import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Lead } from '#functions/data/leads/lead';
import { leadSchema } from '#functions/data/leads/lead';
import { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { type DistributionResult, takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { atEndpoint } from '#functions/sdk-client';
import { addBuyers, distributionOn, person, violations } from '#test/harness/distribution';
import { startTestEngine, type TestEngine } from '#test/harness/engine';
import { type Faults, injectFaults } from '#test/harness/faults';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

const LIMIT = 500;
const LEADS = 2000;
const PROCESSES = 8;
const WORKERS_EACH = 8;

it('an order of 500 gets exactly 500 of 2,000 leads from 64 workers, whatever goes wrong', async () => {
  const table = await engine.freshTable();
  await addBuyers(table, [{ id: 'only', probability: 100, limit: LIMIT }]);

  const answers: DistributionResult[] = [];
  let failed = 0;
  let left = LEADS;
  const processes = Array.from({ length: PROCESSES }, () => {
    const client = new DynamoDBClient({
      ...atEndpoint(engine.endpoint),
      maxAttempts: 5,
    });
    const faults: Faults = injectFaults(
      client,
      { lostAnswer: 0.03, lostForGood: 0.002, throttle: 0.01, conflict: 0.02, slow: 0.03 },
      Math.random,
    );
    return { client, faults, deps: distributionOn(new Table({ name: table.name, client })) };
  });
  await Promise.all(
    processes.flatMap(({ deps }) =>
      Array.from({ length: WORKERS_EACH }, async () => {
        while (left > 0) {
          left -= 1;
          try {
            answers.push(await takeIn(deps, person(), undefined));
          } catch {
            failed += 1;
          }
        }
      }),
    ),
  );
  await Promise.all(processes.map(({ faults }) => faults.quiet()));
  for (const { client } of processes) client.destroy();
  const injected = processes.map(({ faults }) => faults.injected);
  for (const kind of ['lostAnswer', 'lostForGood', 'throttle', 'conflict', 'slow'] as const)
    expect(
      injected.reduce((sum, counts) => sum + counts[kind], 0),
      `${kind} happened`,
    ).toBeGreaterThan(5);
  expect(failed, 'some distribution attempts were left behind').toBeGreaterThan(0);

  const order = await distributionOn(table).orders.get(1);
  expect(order?.leads_received, 'never above the limit').toBeLessThanOrEqual(LIMIT);
  const clean = distributionOn(table);
  await reconcile(clean, -1000);
  await redistribute(clean, new Date(Date.now() + 60_000));

  expect(await violations(table)).toEqual([]);
  const leads = new Map<string, Lead>();
  for await (const items of table.scan())
    for (const item of items) if (item.sk === 'LEAD') leads.set(String(item.lead_id), leadSchema.parse(item));
  // Every lead that was answered for is there as it was answered; one whose intake failed may be there or not at all.
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
  expect((await clean.orders.get(1))?.leads_received).toBe(LIMIT);
  expect(await clean.leads.countPending()).toBe(leads.size - LIMIT);
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
}, 600_000);
