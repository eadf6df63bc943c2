/** `npm run bench`: measures the product against references measured in the same run. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { command, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { measureBatchCosts, measureBatches } from '#test/bench/batches';
import { measureBundles } from '#test/bench/bundles';
import { measureLatency } from '#test/bench/latency';
import { startProcesses } from '#test/bench/processes';
import { measureThroughput } from '#test/bench/throughput';
import { measureCosts } from '#test/bench/units';
import { compareWays, WAYS } from '#test/bench/usual-way';
import { measureWholePath, type Step } from '#test/bench/whole-path';
import { startTestEngine } from '#test/harness/engine';

const RESULT_FILE = 'bench-result.json';
const CONCURRENCIES = [1, 16, 64] as const;
/** Processes that distribute batches concurrently. */
const DISTRIBUTORS = [1, 8] as const;
/** Every concurrency twice, the distributors, the units twice, the whole path, latency and bundles. */
const STEPS = 2 * CONCURRENCIES.length + DISTRIBUTORS.length + 5;

const SHORT = {
  rounds: 2,
  leads: { 1: 30, 16: 80, 64: 128 },
  ways: 200,
  sizes: [10, 1000],
  batches: 400,
  path: 40,
  latency: 20,
  imports: 1,
};
const FULL: typeof SHORT = {
  rounds: 5,
  leads: { 1: 60, 16: 240, 64: 384 },
  ways: 500,
  sizes: [10, 1000, 100_000],
  batches: 2000,
  path: 200,
  latency: 100,
  imports: 5,
};

await run(
  command('bench', `Measures the product against references of the same run; writes ${RESULT_FILE} as well.`)
    .option('--short', 'fewer leads and rounds, in about a minute')
    .action(async ({ short }) => {
      const machine = { node: process.version, cores: availableParallelism(), load: loadavg()[0] ?? 0 };
      const result = await withProgress('measurements', STEPS, (advance) =>
        measure(short === true ? SHORT : FULL, advance),
      );
      await writeFile(
        RESULT_FILE,
        `${JSON.stringify({ machine: { ...machine, short: short === true }, ...result }, undefined, 2)}\n`,
      );
      console.log(`Node ${machine.node}, ${machine.cores} cores, load ${fixed(machine.load)} at the start`);
      print(result);
    }),
);

async function measure(plan: typeof SHORT, advance: Advance) {
  const onEngine = await measureOnEngine(plan, advance);
  const latency = await measureLatency(plan.latency);
  advance();
  const bundles = measureBundles(plan.imports);
  advance();
  return { ...onEngine, latency, bundles };
}

async function measureOnEngine(plan: typeof SHORT, advance: Advance) {
  const engine = await startTestEngine();
  try {
    const throughput = [];
    for (const concurrency of CONCURRENCIES) {
      throughput.push(await measureThroughput(engine, concurrency, plan.leads[concurrency], plan.rounds));
      advance();
    }
    const ways = [];
    for (const workers of CONCURRENCIES) {
      const inProcesses = workers === 1 ? undefined : startProcesses;
      for (const way of await compareWays(engine, workers, plan.ways, inProcesses))
        ways.push({ workers, ...way });
      advance();
    }
    const batches = [];
    for (const distributors of DISTRIBUTORS) {
      batches.push(await measureBatches(engine, plan.batches, distributors, startProcesses));
      advance();
    }
    const batchCosts = await measureBatchCosts(engine);
    advance();
    const costs = await measureCosts(engine, plan.sizes);
    advance();
    const path = await measureWholePath(engine, plan.path);
    advance();
    return { throughput, ways, batches, batchCosts, costs, path };
  } finally {
    await engine.stop();
  }
}

function print({
  throughput,
  ways,
  batches,
  batchCosts,
  costs,
  path,
  latency,
  bundles,
}: Awaited<ReturnType<typeof measure>>): void {
  printTable(
    'The whole handler against the engine alone',
    ['at once', 'leads/s', 'engine alone', 'ratio', 'ledger writes per lead'],
    throughput.map((one) => [
      String(one.concurrency),
      fixed(one.handler, 0),
      fixed(one.raw, 0),
      fixed(one.ratio),
      fixed(one.ledgerWrites),
    ]),
  );
  printTable(
    'Against the usual ways',
    ['at once', 'way', 'leads/s', 'repeated writes per lead', 'share error at the end', 'at any moment'],
    ways.map((way) => [
      String(way.workers),
      way.name,
      fixed(way.rate, 0),
      fixed(way.retries),
      fixed(way.shareError, 1),
      fixed(way.worstShareError, 1),
    ]),
  );
  const single =
    ways.find(({ workers, name }) => workers === 64 && name === WAYS.processes)?.rate ?? Number.NaN;
  printTable(
    'Many leads in batches of a hundred, against 64 processes that ingest them singly',
    ['distributors', 'leads/s', 'ratio', 'share error at the end'],
    batches.map((one) => [
      String(one.distributors),
      fixed(one.rate, 0),
      fixed(one.rate / single),
      fixed(one.shareError, 1),
    ]),
  );
  printTable(
    'Cost of a lead in a batch of a hundred, 20 open orders, one channel',
    ['verified', 'write units', 'read units'],
    batchCosts.map((cost) => [cost.verified ? 'yes' : 'no', fixed(cost.writeUnits), fixed(cost.readUnits)]),
  );
  printTable(
    'Cost of a lead, 20 open orders, one channel',
    ['leads stored', 'write units', 'read units', 'sequential round trips'],
    costs.map((cost) => [
      cost.stored.toLocaleString('en'),
      fixed(cost.writeUnits, 1),
      fixed(cost.readUnits, 1),
      String(cost.roundTrips),
    ]),
  );
  printTable(
    'The whole path of a lead, on average',
    ['step', 'write units', 'read units', 'sequential calls'],
    (
      [
        ['ingested and assigned', path.intake],
        ['delivered at the first attempt', path.delivery],
        ['counted for the statistics, ten leads a batch', path.statistics],
        ['in all', sumOf([path.intake, path.delivery, path.statistics])],
      ] as const
    ).map(([step, { write, read, trips }]) => [step, fixed(write, 1), fixed(read, 1), fixed(trips, 1)]),
  );
  const engineAlone = 1000 / (throughput[0]?.raw ?? Number.NaN);
  printTable(
    'Latency through gateway, functions, stream, queue and mail server, one lead at a time',
    ['from intake to', 'p50 ms', 'p95 ms', 'p99 ms', 'p50 to the engine alone'],
    (['assigned', 'delivered'] as const).map((to) => [
      to,
      fixed(latency[to].p50, 0),
      fixed(latency[to].p95, 0),
      fixed(latency[to].p99, 0),
      fixed(latency[to].p50 / engineAlone),
    ]),
  );
  printTable(
    'Bundles against an empty handler with the DynamoDB client',
    ['function', 'KB at start', 'ratio', 'KB in all', 'import ms of processor', 'ratio'],
    [bundles.empty, ...bundles.functions].map((one) => [
      one.name,
      fixed(one.size / 1024, 0),
      fixed(one.sizeRatio),
      fixed(one.whole / 1024, 0),
      fixed(one.importTime, 0),
      fixed(one.importRatio),
    ]),
  );
}

function sumOf(steps: readonly Step[]): Pick<Step, 'read' | 'write' | 'trips'> {
  return steps.reduce(
    (sum, step) => ({
      read: sum.read + step.read,
      write: sum.write + step.write,
      trips: sum.trips + step.trips,
    }),
    { read: 0, write: 0, trips: 0 },
  );
}

function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n### ${title}\n\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

function fixed(value: number, digits = 2): string {
  return value.toFixed(digits);
}
