/**
 * `npm run costs`: a month's costs, for docs/operations/costs.md. Measures table units, calls and processor time on the
 * embedded table; assumes the response times of external servers (`SECONDS`).
 */
import { FUNCTION_SPECS, FUNCTIONS, QUEUES } from '#functions/platform/functions';
import { atLeastOne, command, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { measureWholePath, type Step, type WholePath } from '#test/bench/whole-path';
import { startTestEngine } from '#test/harness/engine';

/** Dollars, us-east-1 in November 2026; eu-central-1 costs about a fifth more. */
const PRICE = {
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  tableGigabyte: 0.25,
  recoveryGigabyte: 0.2,
  apiCall: 1 / 1e6,
  functionStart: 0.2 / 1e6,
  functionGigabyteSecond: 0.0000133,
  queueRequest: 0.4 / 1e6,
  cloudfrontRequest: 1 / 1e6,
  firewallRequest: 0.6 / 1e6,
  keyRequest: 0.03 / 1e4,
  logGigabyte: 0.5,
  transferGigabyte: 0.09,
} as const;

/** Dollars a month. */
const FIXED = {
  'encryption key': 1,
  'secrets (4)': 1.6,
  'alarms (39, which watch 65 metrics)': 6,
  'metrics of the product (about 40)': 12,
  dashboard: 3,
  'firewall (if on)': 7,
} as const;

/** Lambda also charges for waiting. */
const SECONDS = {
  table: 0.006,
  /** A whole SMTP session. */
  mailServer: 0.6,
  push: 0.3,
  /** Per lead of a stream batch, beyond processor time. */
  outbox: 0.02,
} as const;
/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const MEGABYTES_PER_PROCESSOR = 1769;

const PER_LEAD = {
  apiCalls: 1,
  // Outbox and statistics share theirs within a batch.
  starts: 3 + 2 / 10,
  // Two messages, each sent, received and deleted.
  queueRequests: 6,
  logBytes: 2500,
  // Shared among the leads of a page.
  browserCalls: 1,
  browserKilobytes: 20,
} as const;

/** Read units per lead. */
const BROWSER_READ_UNITS = 2;
/** Five pollers each, one request every 20 seconds. */
const IDLE_QUEUE_REQUESTS = (QUEUES.length * 5 * 30 * 24 * 3600) / 20;
/** Every five minutes per function. */
const KEY_REQUESTS = (FUNCTIONS.length * 30 * 24 * 60) / 5;
const RECONCILIATIONS = 30 * 24 * 60;

interface Units {
  readonly read: number;
  readonly write: number;
}

async function measure(leads: number, advance: Advance): Promise<WholePath> {
  const engine = await startTestEngine();
  try {
    return await measureWholePath(engine, leads, advance);
  } finally {
    await engine.stop();
  }
}

/** Processor time grows as memory shrinks. @param waiting seconds */
function gigabyteSeconds({ processor, trips }: Step, memory: number, waiting: number): number {
  const seconds = processor * Math.max(1, MEGABYTES_PER_PROCESSOR / memory) + trips * SECONDS.table + waiting;
  return (seconds * memory) / 1024;
}

const tableDollars = ({ read, write }: Units) => read * PRICE.readUnit + write * PRICE.writeUnit;

function month(leads: number, measured: WholePath) {
  const gigabytes = (leads * measured.bytes * 12) / 1e9;
  const units = [measured.intake, measured.delivery, measured.statistics].reduce(
    (sum, part) => ({ read: sum.read + part.read, write: sum.write + part.write }),
    { read: BROWSER_READ_UNITS, write: 0 },
  );
  const {
    leads: intake,
    deliver: delivery,
    statistics,
    notify,
    outbox,
    reconcile: reconciler,
  } = FUNCTION_SPECS;
  const functionTime =
    gigabyteSeconds(measured.intake, intake.memory, 0) +
    gigabyteSeconds(measured.delivery, delivery.memory, SECONDS.mailServer) +
    gigabyteSeconds(measured.statistics, statistics.memory, 0) +
    (SECONDS.push * notify.memory + SECONDS.outbox * outbox.memory) / 1024;
  return {
    table: leads * tableDollars(units) + RECONCILIATIONS * tableDollars(measured.reconcile),
    storage: gigabytes * (PRICE.tableGigabyte + PRICE.recoveryGigabyte),
    functions:
      leads * (PER_LEAD.starts * PRICE.functionStart + functionTime * PRICE.functionGigabyteSecond) +
      RECONCILIATIONS *
        (PRICE.functionStart +
          gigabyteSeconds(measured.reconcile, reconciler.memory, 0) * PRICE.functionGigabyteSecond),
    queues: (leads * PER_LEAD.queueRequests + IDLE_QUEUE_REQUESTS) * PRICE.queueRequest,
    'API and web':
      leads *
      ((PER_LEAD.apiCalls + PER_LEAD.browserCalls) *
        (PRICE.apiCall + PRICE.cloudfrontRequest + PRICE.firewallRequest) +
        (PER_LEAD.browserKilobytes / 1e6) * PRICE.transferGigabyte),
    logs: ((leads * PER_LEAD.logBytes) / 1e9) * PRICE.logGigabyte,
    fixed: Object.values(FIXED).reduce((sum, dollars) => sum + dollars, KEY_REQUESTS * PRICE.keyRequest),
  };
}

const dollars = (amount: number) => (amount >= 100 ? amount.toFixed(0) : amount.toFixed(2));

const unit = ({ read, write, trips, processor }: Step) =>
  `${write.toFixed(1)} write, ${read.toFixed(1)} read | ${trips.toFixed(1)} | ${(processor * 1000).toFixed(0)} ms`;

await run(
  command(
    'costs',
    'Measures the units of a lead on the embedded table and prints the monthly costs of docs/operations/costs.md.',
  )
    .option('--leads <count>', 'leads to measure', atLeastOne, 200)
    .action(async ({ leads }) =>
      print(leads, await withProgress('steps of leads', 3 * leads, (advance) => measure(leads, advance))),
    ),
);

function print(leads: number, measured: WholePath): void {
  console.log(`Measured with ${leads} leads, 20 open orders, one channel:\n`);
  console.log('| step | table units per lead | sequential calls | processor |\n|---|---|---:|---:|');
  console.log(`| received and assigned | ${unit(measured.intake)} |`);
  console.log(`| the same with consent | ${unit(measured.intakeWithConsent)} |`);
  console.log(`| delivered at the first attempt | ${unit(measured.delivery)} |`);
  console.log(
    `| counted for statistics and indexed for search (batches of ten) | ${unit(measured.statistics)} |`,
  );
  console.log(`| a reconciliation that finds nothing | ${unit(measured.reconcile)} |`);
  console.log(`\nA lead takes ${(measured.bytes / 1000).toFixed(1)} KB of the table, indexes included.\n`);

  const sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
  const months = sizes.map((size) => ({ size, parts: month(size, measured) }));
  const parts = Object.keys(months[0]?.parts ?? {});
  console.log(`| leads a month | ${parts.join(' | ')} | **dollars a month** | dollars per 1,000 leads |`);
  console.log(`|---:|${parts.map(() => '---:').join('|')}|---:|---:|`);
  for (const { size, parts: costs } of months) {
    const total = Object.values(costs).reduce((sum, part) => sum + part, 0);
    console.log(
      `| ${size.toLocaleString('en')} | ${Object.values(costs).map(dollars).join(' | ')} | **${dollars(total)}** | ${dollars((total / size) * 1000)} |`,
    );
  }
  console.log('\n| fixed part | dollars a month |\n|---|---:|');
  for (const [part, amount] of Object.entries(FIXED)) console.log(`| ${part} | ${amount} |`);
  console.log(`| key requests | ${dollars(KEY_REQUESTS * PRICE.keyRequest)} |`);
}
