/** `npm run attack`: attacks the running product from outside and reports broken invariants. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { writeGenerated } from '#scripts/generated';
import { type Advance, withProgress } from '#scripts/progress';
import type { PartResult } from '#test/attack/part';
import { LONG_STORM, storm } from '#test/attack/storm';
import { twins } from '#test/attack/twins';

const RESULT_FILE = 'attack-result.json';
const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'security.md');
const MAX_BROKEN_SHOWN = 40;

interface Plan {
  readonly seed: number;
  readonly minutes: number;
}

const PARTS = {
  storm: ({ seed, minutes }, advance) => storm({ ...LONG_STORM, seed, seconds: minutes * 60 }, advance),
  twins: ({ seed }, advance) => twins(seed, advance),
} as const satisfies Record<string, (plan: Plan, advance: Advance) => Promise<PartResult>>;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

await run(
  command(
    'attack',
    `Attacks the product from outside. Writes ${RESULT_FILE}; ends with 1 when something broke.`,
  )
    .option('--minutes <count>', 'how long the storm lasts', atLeastOne, 10)
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
      for (const name of only)
        results.push(await withProgress(name, undefined, (advance) => PARTS[name](plan, advance)));
      const machine = { node: process.version, platform: `${process.platform}-${process.arch}` };
      const result = { at: began.toISOString(), ...plan, ...machine, parts: results };
      await writeFile(RESULT_FILE, `${JSON.stringify(result, undefined, 2)}\n`);
      const day = began.toISOString().slice(0, 10);
      const table = tableOf(`${day}, ${plan.minutes} minutes, seed ${plan.seed}`, results);
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
