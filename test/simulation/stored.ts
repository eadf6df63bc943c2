/** `npm run simulate -- --cases` and `--record`: the stored histories on the current code, and with their faults planted. */
import { writeFileSync } from 'node:fs';
import { fail } from '#scripts/command';
import { present, simulationWith } from '#test/simulation/bundle';
import { faultOf, fileOf, readCases } from '#test/simulation/cases';
import { lines } from '#test/simulation/history';
import { orderThatShows } from '#test/simulation/record';
import type { Ran } from '#test/simulation/run-script';

const MAX_TEXT = 200;

const endOf = ({ violation, stale }: Ran) => (stale ?? violation ?? 'no rule is broken').slice(0, MAX_TEXT);

/** @param text part of their names */
export async function runCases(text: string, story: boolean): Promise<void> {
  const { runScript } = await present();
  for (const one of readCases().filter(({ name }) => name.includes(text))) {
    const now = await runScript(one.script);
    console.log(`${one.name}: ${endOf(now)}`);
    if (now.violation !== undefined || now.stale !== undefined) fail();
    try {
      const faulty = await simulationWith(faultOf(one));
      const then = await faulty.runScript(one.script, { record: story });
      const perturbed = await faulty.runScript(one.script, { perturbed: true });
      console.log(`  with the fault: ${endOf(then)}`);
      if (story) console.log(lines(then.history).join('\n'));
      if (endOf(perturbed) !== endOf(then)) console.log(`  after further reads: ${endOf(perturbed)}`);
      if (then.violation === undefined || perturbed.violation === undefined) fail();
    } catch (error) {
      fail();
      console.log(`  the fault cannot be put back: ${String(error)}`);
    }
  }
}

/** Finds an order of calls in which a stored history shows its fault, after its existing lines. */
export async function recordCase(name: string): Promise<void> {
  const one = readCases().find((candidate) => candidate.name === name);
  if (one === undefined) throw new Error(`There is no case ${name}`);
  const { runScript } = await simulationWith(faultOf(one));
  const order = await orderThatShows(one.script, runScript);
  if (order === undefined) throw new Error('No order with so few interruptions shows the fault');
  writeFileSync(fileOf(name), `${JSON.stringify({ ...one.script, order }, undefined, 2)}\n`);
}
