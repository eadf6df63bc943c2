/** `npm run simulate`: runs histories of the whole product from seeds, and shrinks the first that breaks a rule. */
import { atLeastOne, command, fail, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import { MINUTE_MS } from '#test/harness/time';
import { present, simulationWith, stopBundling } from '#test/simulation/bundle';
import { CODE_MUTANTS, SHOWN_BY } from '#test/simulation/code-mutants';
import { kindOf, notified } from '#test/simulation/history';
import type { Mutant } from '#test/simulation/mutants';
import type { Outcome } from '#test/simulation/simulate-one';
import type { Simulation } from '#test/simulation/simulation';
import { recordCase, runCases } from '#test/simulation/stored';

/** In a second. */
const MICROSECONDS = 1_000_000;
/** Every n-th seed is run again with a guard against awaits that escape the scheduler, to compare. */
const WATCHED_EVERY = 50;
const MAX_SEEDS_PER_MUTANT = 1_000;
const MAX_RUNS_PER_MUTANT = 5_000;

await run(
  command(
    'simulate',
    'Runs histories of the whole product in memory, each from one seed, and checks every rule.',
  )
    .option('--seeds <number>', 'how many seeds', atLeastOne)
    .option('--minutes <number>', 'how long', atLeastOne)
    .option('--seed <number>', 'the first seed', atLeastOne, 1)
    .option('--story', 'print the history of the first seed, or of stored histories with their faults')
    .option(
      '--mutants [text]',
      'run the mutants with this in their name instead, and print how many seeds each survives',
    )
    .option('--cases [text]', 'run the stored histories with this in their name instead')
    .option('--record <name>', 'find an order of calls in which a stored history shows its fault')
    .option('--small [text]', 'enumerate the small worlds with this in their name instead')
    .action(async ({ seeds, minutes, seed, story = false, mutants, cases, record, small }) => {
      const textOf = (given: string | true) => (given === true ? '' : given);
      if (record !== undefined) await recordCase(record);
      if (record !== undefined || cases !== undefined) return runCases(record ?? textOf(cases ?? ''), story);
      if (mutants !== undefined) return killMutants(textOf(mutants), seed, seeds ?? MAX_SEEDS_PER_MUTANT);
      if (small !== undefined) return enumerateAll(textOf(small));
      const simulation = await present();
      if (story) return console.log(notified(await simulation.simulate({ seed, record: true })));
      const most = minutes === undefined ? 200 : Number.POSITIVE_INFINITY;
      return runSeeds(simulation, seed, seeds ?? most, minutes ?? Number.POSITIVE_INFINITY);
    }),
);
await stopBundling();

async function runSeeds(
  simulation: Simulation,
  first: number,
  seeds: number,
  minutes: number,
): Promise<void> {
  const began = Date.now();
  const cpuBefore = process.cpuUsage();
  const found = new Map<string, Outcome[]>();
  let [histories, steps, faults] = [0, 0, 0];
  await withProgress('histories', Number.isFinite(seeds) ? seeds : undefined, async (advance) => {
    const endMs = began + minutes * MINUTE_MS;
    for (let seed = first; seed < first + seeds && Date.now() < endMs; seed += 1) {
      const outcome = await simulateTwice(simulation, seed);
      histories += 1;
      steps += outcome.steps;
      faults += outcome.faults.length;
      if (outcome.violation !== undefined) {
        const kind = kindOf(outcome.violation);
        found.set(kind, [...(found.get(kind) ?? []), outcome]);
      }
      advance();
    }
  });
  const seconds = (Date.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `Seeds ${first} to ${first + histories - 1}: ${histories} histories, ${steps} steps, ${faults} faults in ${seconds.toFixed(0)} s (${Math.round(steps / seconds)} steps a second, ${Math.round((steps * MICROSECONDS) / (user + system))} a second of processor time)`,
  );
  for (const [kind, outcomes] of found) {
    const some = outcomes.slice(0, 5).map(({ seed }) => seed);
    console.log(`${outcomes.length} times: ${kind} (seeds ${some.join(', ')})`);
  }
  const [worst] = [...found.values()].flat();
  if (worst === undefined) return console.log('No rule was broken.');
  fail();
  console.log(notified(await simulation.shrunk(worst)));
  console.log('Its case in test/simulation/corpus says who does this, and --record finds the order.');
}

/** Runs some seeds again under guard; a different history depends on more than its seed. */
async function simulateTwice({ simulate }: Simulation, seed: number): Promise<Outcome> {
  const outcome = await simulate({ seed });
  if (seed % WATCHED_EVERY !== 0 || outcome.violation !== undefined) return outcome;
  const again = await simulate({ seed, guarded: true });
  return again.violation === undefined && again.hash !== outcome.hash
    ? { ...again, violation: 'the same seed, another history' }
    : again;
}

async function killMutants(text: string, first: number, seeds: number): Promise<void> {
  const kill = async (simulation: Simulation, mutant: Mutant) => {
    const { when, violation } = await killed(simulation, mutant, first, seeds);
    console.log(`| ${mutant.name} | ${when} | ${kindOf(violation ?? 'survives')} |`);
    if (violation === undefined) fail();
  };
  const simulation = await present();
  for (const mutant of simulation.MUTANTS) if (mutant.name.includes(text)) await kill(simulation, mutant);
  for (const [name, replacements] of Object.entries(CODE_MUTANTS)) {
    if (!name.includes(text)) continue;
    const planted = await simulationWith(replacements);
    await kill(planted, { name, world: planted.SMALL_WORLDS.find((world) => world.name === SHOWN_BY[name]) });
  }
}

/** @returns the number of histories until detection, and the broken rule */
async function killed(
  { enumerate, simulate }: Simulation,
  { world, rewrite }: Mutant,
  first: number,
  seeds: number,
) {
  if (world !== undefined) {
    const { runs, violation } = await enumerate(world, MAX_RUNS_PER_MUTANT, rewrite);
    return { when: `interleaving ${runs} of "${world.name}"`, violation };
  }
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violation } = await simulate({ seed, rewrite });
    if (violation !== undefined) return { when: `seed ${seed}`, violation: violation.split('\n')[0] };
  }
  return { when: `${seeds} seeds`, violation: undefined };
}

async function enumerateAll(text: string): Promise<void> {
  const { enumerate, SMALL_WORLDS } = await present();
  for (const small of SMALL_WORLDS.filter(({ name }) => name.includes(text))) {
    const began = Date.now();
    const { runs, cut, steps, violation } = await enumerate(small);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(
      `${small.name}: ${runs} interleavings with at most ${small.interruptions ?? 2} interruptions, ${cut} cut off, ${steps} steps, ${seconds} s: ${violation ?? 'no rule is broken'}`,
    );
    if (violation !== undefined) fail();
  }
}
