/** `npm run attack`: attacks the running product from outside and tells what broke. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import cliProgress from 'cli-progress';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { writeGenerated } from '#scripts/generated';
import { faults } from '#test/attack/faults';
import { hosts } from '#test/attack/hosts';
import { LONG_LOGIN, login, SHORT_LOGIN } from '#test/attack/login';
import type { PartResult, Report } from '#test/attack/part';
import { LONG_RESTARTS, restarts, SHORT_RESTARTS } from '#test/attack/restarts';
import { LONG_STORM, SHORT_STORM, storm } from '#test/attack/storm';
import { LONG_TWINS, SHORT_TWINS, twins } from '#test/attack/twins';

const RESULT_FILE = 'attack-result.json';
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'security.md');
const MAX_BROKEN_SHOWN = 40;

interface Plan {
  readonly seed: number;
  readonly minutes: number;
  readonly short: boolean;
}
type Part = (plan: Plan, report: Report) => Promise<PartResult>;

const PARTS = {
  storm: ({ short, seed, minutes }, report) =>
    storm({ seed, ...(short ? SHORT_STORM : { ...LONG_STORM, seconds: minutes * 60 }) }, report),
  restarts: ({ short, seed }, report) =>
    restarts({ seed, ...(short ? SHORT_RESTARTS : LONG_RESTARTS) }, report),
  twins: ({ short, seed }, report) => twins({ seed, ...(short ? SHORT_TWINS : LONG_TWINS) }, report),
  faults: ({ short }, report) => faults({ slow: !short }, report),
  hosts: (_plan, report) => hosts(report),
  login: ({ short, seed }, report) => login({ seed, ...(short ? SHORT_LOGIN : LONG_LOGIN) }, report),
} as const satisfies Record<string, Part>;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

await run(
  command(
    'attack',
    `Attacks the product from outside. Writes ${RESULT_FILE}; ends with 1 when something broke.`,
  )
    .option('--minutes <count>', 'how long the storm lasts', atLeastOne, 10)
    .option('--short', 'every part in the few seconds that it has in the tests', false)
    .option(
      '--seed <number>',
      'decides what is done and when it is killed',
      atLeastOne,
      Date.now() % 1_000_000,
    )
    .option('--only <parts>', `some of ${PART_NAMES.join(', ')}, with commas between`, partsOf, PART_NAMES)
    .option('--write', 'write the table to docs/security.md', false)
    .action(async ({ only, write, ...plan }) => {
      const began = new Date();
      const results: PartResult[] = [];
      for (const name of only) results.push(await withBar(name, (report) => PARTS[name](plan, report)));
      const machine = { node: process.version, platform: `${process.platform}-${process.arch}` };
      const result = { at: began.toISOString(), ...plan, ...machine, parts: results };
      await writeFile(RESULT_FILE, `${JSON.stringify(result, undefined, 2)}\n`);
      const length = plan.short ? 'short' : `${plan.minutes} minutes`;
      const table = tableOf(`${began.toISOString().slice(0, 10)}, ${length}, seed ${plan.seed}`, results);
      console.log(`\n${table}`);
      if (write) writeGenerated(DOCUMENT, 'attack', table);
      const broken = results.flatMap(({ name, broken }) => broken.map((what) => `${name}: ${what}`));
      if (broken.length === 0) return;
      console.log(`\n${broken.length} broken (all in ${RESULT_FILE}); again with --seed ${plan.seed}:`);
      for (const what of broken.slice(0, MAX_BROKEN_SHOWN)) console.log(`  ${what}`);
      fail();
    }),
);
process.exit();

function partsOf(text: string): PartName[] {
  return text.split(',').map((wanted) => {
    const name = PART_NAMES.find((one) => one === wanted);
    if (name === undefined) throw new InvalidArgumentError(`There is no part ${wanted}.`);
    return name;
  });
}

async function withBar<T>(name: string, work: (report: Report) => Promise<T>): Promise<T> {
  const bar = new cliProgress.SingleBar(
    { format: `${name.padEnd(12)} {bar} {percentage}% | {note}`, noTTYOutput: true, notTTYSchedule: 30_000 },
    cliProgress.Presets.shades_classic,
  );
  bar.start(100, 0, { note: '' });
  try {
    return await work((done, note) => bar.update(Math.min(100, Math.round(done * 100)), { note }));
  } finally {
    bar.stop();
  }
}

/** Markdown. */
function tableOf(title: string, results: readonly PartResult[]): string {
  const rows = results.flatMap(({ name, figures, broken }) => [
    [`**${name}: invariants broken**`, `**${broken.length}**`],
    ...Object.entries(figures).map(([what, figure]) => [what, String(figure)]),
  ]);
  return [
    `${title}\n`,
    '| what | figure |',
    '|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}
