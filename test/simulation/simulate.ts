/** `npm run simulate`: runs histories of the whole product from seeds, and shrinks the first that breaks a rule. */
import { atLeastOne, command, fail, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import type { Code } from '#test/simulation/code';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';
import { enumerate } from '#test/simulation/enumerate';
import { told } from '#test/simulation/history';
import { MUTANTS } from '#test/simulation/mutants';
import type { Rewrite } from '#test/simulation/outside';
import type { Mutant } from '#test/simulation/rewriting';
import { kindOf, optionsOf, shrink } from '#test/simulation/shrink';
import { type Outcome, simulate } from '#test/simulation/simulate-one';
import { SMALL_WORLDS } from '#test/simulation/small-worlds';

const MINUTE_MS = 60_000;
const STACK_FRAMES = 10;
/** In a second. */
const MICROSECONDS = 1_000_000;
/** Every so manieth seed is run once more, to compare, and watched for awaits that leave the scheduler. */
const WATCHED_EVERY = 50;
/** Histories that are run and forgotten when an earlier version takes part. */
const WARM_UP = 5;
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
    .option(
      '--beside <revision>',
      'run the processes of an earlier revision until a deployment in the middle',
    )
    .option('--cases [text]', 'run the stored histories with this in their name instead (also with --story)')
    .option('--record <name>', 'find an order of calls in which a stored history shows its fault')
    .option('--small [text]', 'enumerate the small worlds with this in their name instead')
    .action(async ({ seeds, minutes, seed, story, mutants, small }) => {
      if (story === true)
        return console.log(told(await simulate({ seed, record: true, earlier: await earlierCode() })));
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
  const earlier = await earlierCode();
  const began = Date.now();
  const cpuBefore = process.cpuUsage();
  const found = new Map<string, Outcome[]>();
  let [histories, steps, faults] = [0, 0, 0];
  await withProgress('histories', Number.isFinite(seeds) ? seeds : undefined, async (advance) => {
    for (let seed = first; seed < first + seeds && Date.now() < endMs; seed += 1) {
      const outcome = await simulateTwice(seed, earlier);
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
  const shrunk = await shrink(worst, { earlier });
  if (shrunk === undefined)
    return console.log(told(await simulate({ seed: worst.seed, record: true, earlier })));
  console.log(told(await simulate(optionsOf(shrunk, { record: true, earlier }))));
  console.log('Its case in test/simulation/corpus says who does this, and --record finds the order.');
}

/** The code that `main.ts` has bundled for `--beside`. */
async function earlierCode(): Promise<Code | undefined> {
  const file = process.env.SIMULATE_EARLIER;
  if (file === undefined) return undefined;
  const { CODE }: { readonly CODE: Code } = await import(file);
  // What it imports on demand would otherwise make the first histories others than the same seeds later.
  for (let seed = 1; seed <= WARM_UP; seed += 1) await simulate({ seed, earlier: CODE });
  return CODE;
}

/** Some seeds are run a second time, under watch: a history that is another one then depends on more than its seed. */
async function simulateTwice(seed: number, earlier: Code | undefined): Promise<Outcome> {
  const outcome = await simulate({ seed, earlier });
  if (seed % WATCHED_EVERY !== 0 || outcome.violation !== undefined) return outcome;
  const again = await simulate({ seed, earlier, guarded: true });
  return again.violation === undefined && again.hash !== outcome.hash
    ? { ...again, violation: 'the same seed, another history' }
    : again;
}

/** What is planted into the text of this bundle, by `main.ts`: commands stay as they are. */
function planted(named: string): Mutant[] {
  return CODE_MUTANTS.filter(({ name }) => name === named).map(({ name, small }) => ({
    name,
    ...(small !== undefined && { small }),
    rewrite: (command) => command,
  }));
}

async function killMutants(text: string, first: number, seeds: number): Promise<void> {
  const alive: string[] = [];
  const name = process.env.SIMULATE_PLANTED;
  const those = name === undefined ? MUTANTS.filter((mutant) => mutant.name.includes(text)) : planted(name);
  for (const { name, small, rewrite } of those) {
    const world = SMALL_WORLDS.find((candidate) => candidate.name === small);
    if (world !== undefined) {
      const { runs, violation } = await enumerate(world, MAX_RUNS_PER_MUTANT, rewrite);
      console.log(
        `| ${name} | ${violation === undefined ? 'survives' : `interleaving ${runs}`} of "${world.name}" | ${kindOf(violation ?? '')} |`,
      );
      if (violation === undefined) alive.push(name);
      continue;
    }
    let kind: string | undefined;
    let seed = first;
    let changed = 0;
    const counting: Rewrite = (command) => {
      const mutated = rewrite(command);
      if (mutated.input !== command.input) changed += 1;
      return mutated;
    };
    for (; seed < first + seeds && kind === undefined; seed += 1) {
      const { violation } = await simulate({ seed, rewrite: counting });
      kind = violation === undefined ? undefined : kindOf(violation.split('\n')[0] ?? '');
    }
    console.log(
      `| ${name} | ${kind === undefined ? `survives, ${changed} commands changed` : seed - first} | ${kind ?? ''} |`,
    );
    if (kind === undefined) alive.push(name);
  }
  if (alive.length > 0) fail();
}

async function enumerateAll(text: string): Promise<void> {
  for (const small of SMALL_WORLDS.filter(({ name }) => name.includes(text))) {
    const began = Date.now();
    const { runs, cut, steps, violation } = await enumerate(small);
    console.log(
      `${small.name}: ${runs} interleavings, ${cut} cut off, ${steps} steps, ${((Date.now() - began) / 1000).toFixed(1)} s${small.maxPreemptions === undefined ? '' : `, at most ${small.maxPreemptions} interruptions`}${violation === undefined ? '' : `: ${violation}`}`,
    );
    if (violation !== undefined) fail();
  }
}
