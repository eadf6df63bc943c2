/** `npm run simulate -- --cases` and `--record`: the stored histories, on the code as it is and with their faults put back. */
import { writeFileSync } from 'node:fs';
import { command, fail, run } from '#scripts/command';
import { faultyRunnerOf, fileOf, readCases, runnerOf } from '#test/simulation/cases';
import { lines } from '#test/simulation/history';
import { orderThatShows } from '#test/simulation/record';
import type { Ran } from '#test/simulation/run-script';

const MAX_TEXT = 200;

const endOf = ({ violation, stale }: Ran) => (stale ?? violation ?? 'no rule is broken').slice(0, MAX_TEXT);

await run(
  command(
    'simulate',
    'Runs the stored histories, each on the present code and with the fault put back that it shows.',
  )
    .option('--cases [text]', 'those with this in their name')
    .option(
      '--record <name>',
      'first find an order of calls that shows the fault, after the lines that are there',
    )
    .option('--story', 'print what happens with the fault put back')
    .action(async ({ cases, record, story }) => {
      if (record !== undefined) await find(record);
      const text = record ?? (cases === true ? '' : (cases ?? ''));
      const present = await runnerOf('present');
      for (const one of readCases().filter(({ name }) => name.includes(text))) {
        const now = await present(one.script);
        console.log(`${one.name}: ${endOf(now)}`);
        if (now.violation !== undefined || now.stale !== undefined) fail();
        try {
          const faulty = await faultyRunnerOf(one);
          const then = await faulty(one.script, { record: story === true });
          const perturbed = await faulty(one.script, { perturbed: true });
          console.log(`  with the fault: ${endOf(then)}`);
          if (story === true) console.log(lines(then.history).join('\n'));
          if (endOf(perturbed) !== endOf(then)) console.log(`  after further reads: ${endOf(perturbed)}`);
          if (then.violation === undefined || perturbed.violation === undefined) fail();
        } catch (error) {
          fail();
          console.log(`  the fault cannot be put back: ${String(error)}`);
        }
      }
    }),
);

async function find(name: string): Promise<void> {
  const one = readCases().find((candidate) => candidate.name === name);
  if (one === undefined) throw new Error(`There is no case ${name}`);
  const order = await orderThatShows(one.script, await faultyRunnerOf(one));
  if (order === undefined) throw new Error('No order with so few interruptions shows the fault');
  writeFileSync(fileOf(name), `${JSON.stringify({ ...one.script, order }, undefined, 2)}\n`);
}
