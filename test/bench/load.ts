/**
 * `npm run load`: the product in a process of its own under steady mixed load. Tells how long each call takes and how
 * memory, queues and the table's file grow, beside the run before.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ApiClient, type Call } from '#local/api-client';
import { freePort } from '#local/engine';
import { atLeastOne, command, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import type { EndpointId } from '#shared/contract/routes';
import type { Answer } from '#shared/contract/schemas';
import { act, postLead, setUp, type World } from '#test/attack/actions';
import { Journal } from '#test/attack/journal';
import { startOutside } from '#test/attack/outside';
import { ADMIN } from '#test/harness/cloud';
import { type ProductProcess, processesWith, productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

const RESULT_FILE = 'load-result.json';
/** People who do something else than posting leads, at the same time. */
const ACTORS = 3;
const MAX_THOUGHT_MS = 500;
const SAMPLES = 20;
const MB = 1024 * 1024;

const callSchema = z.object({ count: z.number(), p50: z.number(), p95: z.number(), p99: z.number() });
const sampleSchema = z.object({
  minute: z.number(),
  leads: z.number(),
  productMb: z.nullable(z.number()),
  engineMb: z.nullable(z.number()),
  fileMb: z.number(),
  /** Messages that are ready or in work. */
  queued: z.number(),
  intakeP95: z.number(),
});
const resultSchema = z.object({
  at: z.string(),
  minutes: z.number(),
  rate: z.number(),
  calls: z.record(z.string(), callSchema),
  samples: z.array(sampleSchema),
});
type Result = z.output<typeof resultSchema>;

/** Notes how long each call takes, by its name. */
class TimedClient extends ApiClient {
  readonly times: Map<EndpointId, number[]>;

  constructor(url: string, times: Map<EndpointId, number[]>) {
    super(url);
    this.times = times;
  }

  override async ok<Id extends EndpointId>(
    id: Id,
    call?: Call<Id>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Id>> {
    const began = performance.now();
    const answer = await super.ok(id, call, headers);
    const times = this.times.get(id) ?? [];
    times.push(performance.now() - began);
    this.times.set(id, times);
    return answer;
  }
}

await run(
  command(
    'load',
    `Steady mixed load on the product; writes ${RESULT_FILE} and compares with what it held before.`,
  )
    .option('--minutes <count>', 'how long', atLeastOne, 5)
    .option('--rate <count>', 'leads a second', atLeastOne, 8)
    .option('--seed <number>', 'decides what is done', atLeastOne, 1)
    .option('--baseline <file>', 'the result to compare with', RESULT_FILE)
    .action(async ({ minutes, rate, seed, baseline }) => {
      const before = existsSync(baseline)
        ? resultSchema.parse(JSON.parse(await readFile(baseline, 'utf8')))
        : undefined;
      const result = await withProgress('samples', SAMPLES, (advance) =>
        measure(minutes, rate, seed, advance),
      );
      await writeFile(RESULT_FILE, `${JSON.stringify(result, undefined, 2)}\n`);
      print(result, before);
    }),
);
process.exit();

async function measure(minutes: number, rate: number, seed: number, advance: () => void): Promise<Result> {
  const dataDir = join(tmpdir(), `lead-load-${randomUUID()}`);
  const outside = await startOutside(seeded(seed + 1));
  const product = await productProcess({
    dataDir,
    port: await freePort(),
    environment: { ...outside.environment, ADMIN_PASSWORD: ADMIN.password },
  });
  const times = new Map<EndpointId, number[]>();
  try {
    await product.start();
    const admin = new TimedClient(product.url, times);
    await admin.logIn(ADMIN);
    const templates = await setUp(admin, outside);
    times.clear();
    const began = Date.now();
    const world: World = {
      admin,
      visitor: new TimedClient(product.url, times),
      journal: new Journal(),
      random: seeded(seed),
      goesOn: () => Date.now() - began < minutes * 60_000,
    };
    const samples: Result['samples'] = [];
    await Promise.all([
      post(world, rate),
      ...Array.from({ length: ACTORS }, async () => {
        while (world.goesOn()) {
          await act(world, templates, outside);
          await wait(world.random.next() * MAX_THOUGHT_MS);
        }
      }),
      (async () => {
        for (let n = 1; n <= SAMPLES; n += 1) {
          const from = times.get('createLead')?.length ?? 0;
          await wait((minutes * 60_000) / SAMPLES);
          const intake = times.get('createLead') ?? [];
          samples.push({
            ...(await sample(product, dataDir)),
            minute: round((Date.now() - began) / 60_000),
            leads: intake.length,
            intakeP95: quantile(intake.slice(from), 0.95),
          });
          advance();
        }
      })(),
    ]);
    const calls = Object.fromEntries(
      [...times].map(([id, all]) => [
        id,
        { count: all.length, p50: quantile(all, 0.5), p95: quantile(all, 0.95), p99: quantile(all, 0.99) },
      ]),
    );
    return { at: new Date(began).toISOString(), minutes, rate, calls, samples };
  } finally {
    await product.stop();
    await outside.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function post(world: World, rate: number): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  while (world.goesOn()) {
    const one = postLead(world).finally(() => underWay.delete(one));
    underWay.add(one);
    await wait((world.random.next() * 2 * 1000) / rate);
  }
  await Promise.all(underWay);
}

async function sample(product: ProductProcess, dataDir: string) {
  const response = await fetch(`${product.url}/local/api/state`);
  const { queues } = (await response.json()) as { queues: { ready: number; inflight: number }[] };
  const files = await Promise.all(
    ['table.db', 'table.db-wal'].map((name) =>
      stat(join(dataDir, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const [engine] = processesWith(join(dataDir, 'table.db'));
  return {
    queued: queues.reduce((sum, { ready, inflight }) => sum + ready + inflight, 0),
    fileMb: round(files.reduce((sum, size) => sum + size, 0) / MB),
    productMb: await memoryOf(product.pid),
    engineMb: await memoryOf(engine),
  };
}

/** Resident memory in megabytes; null where the system does not show it in /proc. */
async function memoryOf(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : round(Number(kilobytes) / 1024);
}

function print(result: Result, before: Result | undefined): void {
  const ratio = (now: number, then: number | undefined) =>
    then === undefined || then === 0 ? '' : (now / then).toFixed(2);
  console.log(
    `\n${result.minutes} minutes, ${result.rate} leads a second${before ? `, beside ${before.at}` : ''}\n`,
  );
  console.log('| call | count | p50 ms | p95 ms | p99 ms | ratio p50 | p95 | p99 |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [id, { count, p50, p95, p99 }] of Object.entries(result.calls).toSorted(
    ([, one], [, other]) => other.count - one.count,
  )) {
    const then = before?.calls[id];
    const ratios = [ratio(p50, then?.p50), ratio(p95, then?.p95), ratio(p99, then?.p99)];
    console.log(`| ${[id, count, p50, p95, p99, ...ratios].join(' | ')} |`);
  }
  console.log('\n| minute | leads | product MB | engine MB | file MB | KB a lead | queued | intake p95 ms |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [at, one] of result.samples.entries()) {
    if (at % (SAMPLES / 5) !== 0 && at !== SAMPLES - 1) continue;
    const perLead = round((one.fileMb * 1024) / Math.max(1, one.leads));
    console.log(
      `| ${[one.minute, one.leads, one.productMb, one.engineMb, one.fileMb, perLead, one.queued, one.intakeP95].join(' | ')} |`,
    );
  }
  const last = result.samples.at(-1);
  const lastBefore = before?.samples.at(-1);
  if (last !== undefined && lastBefore !== undefined)
    console.log(
      `\nAgainst the run before, at the end: product ${ratio(last.productMb ?? 0, lastBefore.productMb ?? 0)}, engine ${ratio(last.engineMb ?? 0, lastBefore.engineMb ?? 0)}, file per lead ${ratio(last.fileMb / last.leads, lastBefore.fileMb / lastBefore.leads)}`,
    );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}
