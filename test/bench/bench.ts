/**
 * `npm run bench [-- --short]`: measures the product against references measured in the same run, prints the tables and
 * writes `bench-result.json`.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { measureBundles } from '#test/bench/bundles';
import { measureLatency } from '#test/bench/latency';
import { measureThroughput } from '#test/bench/throughput';
import { measureCosts } from '#test/bench/units';
import { compareWays } from '#test/bench/usual-way';
import { startTestEngine } from '#test/harness/engine';

const short = process.argv.includes('--short');
const PLAN = short
  ? { rounds: 2, leads: { 1: 30, 16: 80, 64: 128 }, ways: 200, sizes: [10, 1000], latency: 20, imports: 1 }
  : {
      rounds: 5,
      leads: { 1: 60, 16: 240, 64: 384 },
      ways: 500,
      sizes: [10, 1000, 100_000],
      latency: 100,
      imports: 5,
    };

const fixed = (value: number, digits = 2) => value.toFixed(digits);
function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n### ${title}\n\n| ${head.join(' | ')} |\n|${head.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

const engine = await startTestEngine();
const machine = { node: process.version, cores: availableParallelism(), load: loadavg()[0] ?? 0, short };
console.log(`Node ${machine.node}, ${machine.cores} cores, load ${fixed(machine.load)} at the start`);

const throughput = [];
for (const concurrency of [1, 16, 64] as const)
  throughput.push(await measureThroughput(engine, concurrency, PLAN.leads[concurrency], PLAN.rounds));
print(
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

const ways = [];
for (const workers of [1, 16, 64])
  for (const way of await compareWays(engine, workers, PLAN.ways)) ways.push({ workers, ...way });
print(
  'Against the usual way',
  ['at once', 'way', 'leads/s', 'writes made again per lead', 'share error at the end', 'at any moment'],
  ways.map((way) => [
    String(way.workers),
    way.name,
    fixed(way.rate, 0),
    fixed(way.retries),
    fixed(way.shareError, 1),
    fixed(way.worstShareError, 1),
  ]),
);

const costs = await measureCosts(engine, PLAN.sizes);
print(
  'Cost of a lead, 20 open orders, one channel',
  ['leads stored', 'write units', 'read units', 'round trips one after the other'],
  costs.map((cost) => [
    cost.stored.toLocaleString('en'),
    fixed(cost.writeUnits, 1),
    fixed(cost.readUnits, 1),
    String(cost.roundTrips),
  ]),
);
await engine.stop();

const latency = await measureLatency(PLAN.latency);
const engineAlone = 1000 / (throughput[0]?.raw ?? Number.NaN);
print(
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

const bundles = measureBundles(PLAN.imports);
print(
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

await writeFile(
  'bench-result.json',
  `${JSON.stringify({ machine, throughput, ways, costs, latency, bundles }, undefined, 2)}\n`,
);
