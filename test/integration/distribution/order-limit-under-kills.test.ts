import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as orderStore from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { redistribute } from '#functions/domain/distribution/backlog';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { bundledProgram } from '#test/harness/bundled-program';
import { addBuyers, itemsOf, leadsAmong, violations } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { it } from '#test/harness/fixtures';

let program: string;
let running: ChildProcess | undefined;
beforeAll(async () => {
  program = await bundledProgram('test/harness/distribute-until-killed.ts');
});
afterAll(() => {
  running?.kill('SIGKILL');
});

const LIMIT = 60;
const LEADS = 240;
const KILLS = 5;
const WORKERS = 24;
/** Leads taken in together: every second process distributes batches. */
const TOGETHER = [1, 12] as const;

interface Answer {
  readonly lead_id: string;
  readonly status: Lead['status'];
  readonly sequence: number | null;
}

/**
 * Runs a process that takes in so many leads.
 * @param together how many at once
 * @param killAfter answers, after which it is killed at a random moment
 */
async function run(
  engine: TestEngine,
  table: Table,
  { leads, together, killAfter }: { leads: number; together: number; killAfter?: number },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const child = spawn(
    process.execPath,
    [program, engine.endpoint, table.name, String(WORKERS), String(leads), String(together)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running = child;
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const ended = once(child, 'exit');
  const reader = createInterface({ input: child.stdout });
  let killing: Promise<unknown> | undefined;
  reader.on('line', (line) => {
    answers.push(JSON.parse(line));
    if (killAfter !== undefined && answers.length >= killAfter)
      killing ??= wait(Math.random() * 40).then(() => child.kill('SIGKILL'));
  });
  const [code, signal] = await ended;
  await killing;
  if (killAfter === undefined) expect(code, errors).toBe(0);
  else expect(signal, errors).toBe('SIGKILL');
  return answers;
}

const leadsOf = async (table: Table) =>
  new Map(leadsAmong(await itemsOf(table)).map((lead) => [lead.lead_id, lead]));

it(`gives an order of ${LIMIT} exactly ${LIMIT} of ${LEADS} leads although the process is killed ${KILLS} times`, async ({
  engine,
  table,
  deps,
}) => {
  await addBuyers(table, [{ id: 'only', probability: 100, limit: LIMIT }]);
  const answers: Answer[] = [];
  let resumed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const killAfter = 1 + Math.floor(Math.random() * 25);
    const together = TOGETHER[kill % 2] ?? 1;
    answers.push(...(await run(engine, table, { leads: LEADS, together, killAfter })));
    expect((await orderStore.get(deps, 1))?.leads_received).toBeLessThanOrEqual(LIMIT);
    resumed += (await reconcile(deps, -1000)).resumed;
    expect((await orderStore.get(deps, 1))?.leads_received).toBeLessThanOrEqual(LIMIT);
  }
  expect(resumed, 'the processes were killed in the middle of something').toBeGreaterThan(0);

  const stored = (await leadsOf(table)).size;
  // A fast machine stores more than planned before each kill; the last process is not killed in any case.
  answers.push(...(await run(engine, table, { leads: Math.max(WORKERS, LEADS - stored), together: 12 })));
  await reconcile(deps, -1000);
  await redistribute(deps, new Date(Date.now() + 60_000));

  expect(await violations(table)).toEqual([]);
  const leads = await leadsOf(table);
  expect(leads.size).toBeGreaterThanOrEqual(LEADS);
  for (const answer of answers) {
    const lead = leads.get(answer.lead_id);
    expect(lead).toBeDefined();
    if (answer.status === 'assigned')
      expect(lead).toMatchObject({ status: 'assigned', sequence: answer.sequence });
  }
  const assigned = [...leads.values()].filter(({ status }) => status === 'assigned');
  expect(assigned).toHaveLength(LIMIT);
  expect(new Set(assigned.map(({ sequence }) => sequence)).size).toBe(LIMIT);
  expect((await orderStore.get(deps, 1))?.leads_received).toBe(LIMIT);
  expect(await leadLists.countPending(deps)).toBe(leads.size - LIMIT);
  expect((await verifyDecisions(table.scan())).disagreements).toEqual([]);
}, 600_000);
