/** `npm run simulate`: runs histories of the whole product from seeds, and shrinks the first that breaks a rule. */
import { atLeastOne, command, fail, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import { SHOWN_BY } from '#test/simulation/code-mutants';
import { enumerate } from '#test/simulation/enumerate';
import { notified } from '#test/simulation/history';
import { MUTANTS, type Mutant } from '#test/simulation/mutants';
import { kindOf, optionsOf, shrink } from '#test/simulation/shrink';
import { type Outcome, simulate } from '#test/simulation/simulate-one';
import { SMALL_WORLDS } from '#test/simulation/small-worlds';

const MINUTE_MS = 60_000;
const STACK_FRAMES = 10;
/** In a second. */
const MICROSECONDS = 1_000_000;
/** Every so manieth seed is run once more, to compare, and watched for awaits that leave the scheduler. */
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
    .option('--story', 'print the history of the first seed')
    .option(
      '--mutants [text]',
      'run the mutants with this in their name instead, and print how many seeds each survives',
    )
    .option('--cases [text]', 'run the stored histories with this in their name instead (also with --story)')
    .option('--record <name>', 'find an order of calls in which a stored history shows its fault')
    .option('--small [text]', 'enumerate the small worlds with this in their name instead')
    .action(async ({ seeds, minutes, seed, story, mutants, small }) => {
      if (story === true) return console.log(notified(await simulate({ seed, record: true })));
      if (mutants !== undefined)
        return killMutants(mutants === true ? '' : mutants, seed, seeds ?? MAX_SEEDS_PER_MUTANT);
      if (small !== undefined) return enumerateAll(small === true ? '' : small);
      return runSeeds(seed, seeds ?? (minutes === undefined ? 200 : Number.POSITIVE_INFINITY), minutes);
    }),
);

async function runSeeds(first: number, seeds: number, minutes: number | undefined): Promise<void> {
  const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * MINUTE_MS;
  // Stacks of the errors that a history answers with would take time, and nobody reads them.
  Error.stackTraceLimit = 0;
  const began = Date.now();
  const cpuBefore = process.cpuUsage();
  const found = new Map<string, Outcome[]>();
  let [histories, steps, faults] = [0, 0, 0];
  await withProgress('histories', Number.isFinite(seeds) ? seeds : undefined, async (advance) => {
    for (let seed = first; seed < first + seeds && Date.now() < endMs; seed += 1) {
      const outcome = await simulateTwice(seed);
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
  Error.stackTraceLimit = STACK_FRAMES;
  const seconds = (Date.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `Seeds ${first} to ${first + histories - 1}: ${histories} histories, ${steps} steps, ${faults} faults in ${seconds.toFixed(0)} s (${Math.round(steps / seconds)} steps a second, ${Math.round((steps * MICROSECONDS) / (user + system))} a second of processor time)`,
  );
  for (const [kind, outcomes] of found)
    console.log(
      `${outcomes.length} times: ${kind} (seeds ${outcomes
        .slice(0, 5)
        .map(({ seed }) => seed)
        .join(', ')})`,
    );
  const [worst] = [...found.values()].flat();
  if (worst === undefined) return console.log('No rule was broken.');
  fail();
  const shrunk = await shrink(worst);
  console.log(
    notified(
      await simulate(shrunk ? optionsOf(shrunk, { record: true }) : { seed: worst.seed, record: true }),
    ),
  );
  console.log('Its case in test/simulation/corpus says who does this, and --record finds the order.');
}

/** Some seeds are run a second time, under watch: a history that is another one then depends on more than its seed. */
async function simulateTwice(seed: number): Promise<Outcome> {
  const outcome = await simulate({ seed });
  if (seed % WATCHED_EVERY !== 0 || outcome.violation !== undefined) return outcome;
  const again = await simulate({ seed, guarded: true });
  return again.violation === undefined && again.hash !== outcome.hash
    ? { ...again, violation: 'the same seed, another history' }
    : again;
}

/** What `main.ts` has planted into the text of this bundle: commands stay as they are. */
function planted(name: string): Mutant {
  const world = SMALL_WORLDS.find((candidate) => candidate.name === SHOWN_BY[name]);
  return { name, rewrite: (command) => command, ...(world && { world }) };
}

async function killMutants(text: string, first: number, seeds: number): Promise<void> {
  const name = process.env.SIMULATE_PLANTED;
  const those = name === undefined ? MUTANTS.filter((mutant) => mutant.name.includes(text)) : [planted(name)];
  for (const mutant of those) {
    const { when, violation } = await killed(mutant, first, seeds);
    console.log(`| ${mutant.name} | ${when} | ${kindOf(violation ?? 'survives')} |`);
    if (violation === undefined) fail();
  }
}

/** @returns after how many histories, and by which broken rule */
async function killed({ world, rewrite }: Mutant, first: number, seeds: number) {
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
  for (const small of SMALL_WORLDS.filter(({ name }) => name.includes(text))) {
    const began = Date.now();
    const { runs, cut, steps, violation = 'no rule is broken' } = await enumerate(small);
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(
      `${small.name}: ${runs} interleavings with at most ${small.interruptions ?? 2} interruptions, ${cut} cut off, ${steps} steps, ${seconds} s: ${violation}`,
    );
    if (violation !== 'no rule is broken') fail();
  }
}
