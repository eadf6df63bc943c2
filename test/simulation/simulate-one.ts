/** Runs the history of one seed: sets a world up, runs it with faults, lets it rest, and checks its consistency. */

import { DAY_MS } from '#test/harness/time';
import { act, ask, lotteryOf, othersIn, postLead, postMany } from '#test/simulation/actors';
import { claimAndReverse } from '#test/simulation/claimants';
import type { FaultOptions } from '#test/simulation/faults';
import { watched } from '#test/simulation/guard';
import { nextLoop, type Step, type Strategy, Violation } from '#test/simulation/kernel';
import type { Answered } from '#test/simulation/known';
import type { Rewrite } from '#test/simulation/outside';
import { underWay, wrongAtRest } from '#test/simulation/rest';
import { setUp } from '#test/simulation/setup';
import { postFromSource } from '#test/simulation/sources';
import { strategyOf } from '#test/simulation/strategies';
import { importOnce, SimulatedWorld } from '#test/simulation/world';

const ACTIVE_MS = 15 * 60_000;
const MAX_STEPS = 60_000;
/** How long partners stay broken after everything else works again. */
const MAX_PARTNERS_LATER_MS = 4 * 3600_000;
/** Everything must end within this time, because deliveries and e-mails stop after a day, even ones that start within it. */
const REST_MS = 54 * 3600_000;

export interface Options {
  readonly seed: number;
  readonly strategy?: Strategy;
  readonly faults?: FaultOptions;
  /** Omitted leads and actions, by number. */
  readonly without?: { readonly leads?: ReadonlySet<number>; readonly actions?: ReadonlySet<number> };
  readonly record?: boolean;
  readonly rewrite?: Rewrite | undefined;
  /** Whether to detect awaits that escape the scheduler. */
  readonly guarded?: boolean;
}

export interface Outcome {
  readonly seed: number;
  readonly strategy: string;
  readonly steps: number;
  readonly hash: number;
  readonly leads: number;
  readonly actions: number;
  /** The faults that happened, by name. */
  readonly faults: readonly string[];
  readonly violation: string | undefined;
  readonly history: readonly Step[];
}

export const simulate = (options: Options): Promise<Outcome> =>
  undisturbed(() => history(options), options.record, options.guarded);

/** @param isGuarded whether to detect awaits that escape the scheduler */
export async function undisturbed<Ran extends { readonly violation: string | undefined }>(
  run: () => Promise<Ran>,
  hasStacks = false,
  isGuarded = false,
): Promise<Ran> {
  await importOnce();
  // A history never yields to the event loop, where signals and the test runner wait.
  await nextLoop();
  const { stackTraceLimit } = Error;
  // Error stacks take time, and few are read.
  if (!hasStacks) Error.stackTraceLimit = 0;
  try {
    if (!isGuarded) return await run();
    const { value, leaks } = await watched(run);
    return leaks[0] === undefined ? value : { ...value, violation: `leaves the scheduler: ${leaks[0]}` };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function history(options: Options): Promise<Outcome> {
  const chosen = strategyOf(options.seed);
  const world = new SimulatedWorld({
    seed: options.seed,
    strategy: options.strategy ?? chosen.strategy,
    ...(options.faults && { faults: options.faults }),
    ...(options.record !== undefined && { record: options.record }),
    rewrite: options.rewrite,
  });
  const leads = world.isCrowded ? 8 + world.draws.below('leads', 7) : 2 + world.draws.below('leads', 7);
  const posts = world.hasSources ? 1 + world.draws.below('posts', 6) : 0;
  const actions = world.draws.below('actions', 14);
  let violation: string | undefined;
  try {
    await setUp(world);
    violation = await live(world, { leads, posts, actions }, options);
  } catch (error) {
    if (error instanceof Violation) violation = error.message;
    else violation = `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  const { scheduler, faults } = world;
  return {
    seed: options.seed,
    strategy: chosen.name,
    steps: scheduler.steps,
    hash: scheduler.hash >>> 0,
    leads: leads + posts,
    actions,
    faults: faults.happened,
    violation,
    history: scheduler.history,
  };
}

async function live(
  world: SimulatedWorld,
  { leads, posts, actions }: { leads: number; posts: number; actions: number },
  options: Options,
): Promise<string | undefined> {
  const answered: Answered[] = [];
  const refused = new Set<string>();
  let open = 0;
  const start = (work: Promise<void>) => {
    open += 1;
    const watch = async () => {
      try {
        await work;
        open -= 1;
      } catch (error) {
        world.scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
      }
    };
    void watch();
  };
  const lottery = lotteryOf(world);
  world.startWorkers();
  for (let number = 0; number < leads + posts; number += 1)
    if (options.without?.leads?.has(number) !== true)
      start(
        number < leads ? postLead(world, number, answered, refused) : postFromSource(world, number, answered),
      );
  if (world.draws.chance('many', 0.3)) start(postMany(world, answered));
  for (let number = 0; number < actions; number += 1)
    if (options.without?.actions?.has(number) !== true) start(act(world, number, lottery));
  for (const [first, number, deeds] of othersIn(world))
    for (let at = 0; at < number; at += 1) start(act(world, first + at, deeds));
  const claimants = world.isClaiming ? 1 + world.draws.below('claimants', 3) : 0;
  for (let number = 0; number < claimants; number += 1) start(claimAndReverse(world, number, ask));

  const { scheduler } = world;
  const lively = await scheduler.run(() => open === 0, scheduler.now + ACTIVE_MS, MAX_STEPS);
  const partnersLaterMs = world.draws.chance('partners later', 0.4)
    ? world.draws.below('partners later', MAX_PARTNERS_LATER_MS)
    : 0;
  world.faults.stop(scheduler.now + partnersLaterMs);
  if (lively === 'long') return 'the history does not end';
  return atRest(world, () => open, answered, refused);
}

/**
 * Lets everything end, with faults off.
 * @returns the violations at rest
 */
export async function atRest(
  world: SimulatedWorld,
  open: () => number,
  answered: readonly Answered[],
  refused: ReadonlySet<string>,
): Promise<string | undefined> {
  const { scheduler } = world;
  world.calm = () => open() === 0 && underWay(world).length === 0;
  let seen = -1;
  const quiet = () => {
    // The reconciliation's job records are still to be read from the stream.
    if (!world.atRest || world.reconciled === seen || !world.calm()) return false;
    seen = world.reconciled;
    return true;
  };
  const ended = await scheduler.run(quiet, scheduler.now + REST_MS, 2 * MAX_STEPS);
  if (ended === 'done') await pass(world, quiet);
  else
    return `nothing may wait forever (${ended}): ${[...underWay(world), ...(open() > 0 ? [`${open()} clients or admins wait`] : [])].join('; ')}`;
  const wrong = [...world.surprises, ...(await wrongAtRest(world, answered, refused))];
  return wrong.length === 0 ? undefined : wrong.join('; ');
}

/** How often time advances to the next opening, with the world at rest before each. */
const OPENINGS = 2;

/** Advances days until opening hours begin and caps end, so that waiting leads are assigned. */
async function pass(world: SimulatedWorld, quiet: () => boolean): Promise<void> {
  const { scheduler } = world;
  const waits = () =>
    [...world.table.items()].some(
      ({ status, reason }) => status === 'pending' && reason === 'waits_for_opening',
    );
  for (let opening = 0; world.isPaced && waits() && opening < OPENINGS; opening += 1) {
    const until = scheduler.now + DAY_MS / 2;
    await scheduler.run(() => scheduler.now >= until, until + DAY_MS, 2 * MAX_STEPS);
    await scheduler.run(quiet, scheduler.now + REST_MS, 2 * MAX_STEPS);
  }
}
