/** Runs small worlds: every interleaving of their calls. */

import { createBuyer } from '#functions/domain/buyers/buyers';
import { DomainError } from '#functions/domain/common/errors';
import { createOrder } from '#functions/domain/orders/orders';
import { createApiProcess } from '#test/simulation/api-process';
import { type Process, Violation } from '#test/simulation/kernel';
import type { Rewrite } from '#test/simulation/outside';
import { wrongInDistribution } from '#test/simulation/rest';
import { undisturbed } from '#test/simulation/simulate-one';
import { type Actor, DAY_MS, type SmallWorld, takesOver, WHO } from '#test/simulation/small-actors';
import { Cut, Exhaustive, inTurn } from '#test/simulation/strategies';
import { ENVIRONMENT, SimulatedWorld } from '#test/simulation/world';

const MAX_STEPS = 2_000;
const AHEAD_MS = 300_000;
const NAMES = ['one', 'two', 'three'];

export interface Enumerated {
  /** Interleavings that ran to their end. */
  readonly runs: number;
  /** Interleavings abandoned midway, because others are equivalent. */
  readonly cut: number;
  readonly steps: number;
  readonly violation: string | undefined;
  /** Whether `maxRuns` ended the enumeration. */
  readonly complete: boolean;
}

/** Runs every interleaving of a small world, for every call before which its actor may die. */
export const enumerate = (
  small: SmallWorld,
  maxRuns = Number.POSITIVE_INFINITY,
  rewrite?: Rewrite,
): Promise<Enumerated> => undisturbed(() => runAll(small, maxRuns, rewrite));

async function runAll(small: SmallWorld, maxRuns: number, rewrite: Rewrite | undefined): Promise<Enumerated> {
  let [runs, cut, steps] = [0, 0, 0];
  let complete = true;
  const result = (violation: string | undefined, isComplete: boolean): Enumerated => ({
    runs,
    cut,
    steps,
    violation,
    complete: isComplete,
  });
  for (let death = small.dies ? 1 : Number.POSITIVE_INFINITY; ; death += 1) {
    const exhaustive = new Exhaustive(small.interruptions ?? 2);
    let died = false;
    const most = runs + cut + (small.mostRuns ?? Number.POSITIVE_INFINITY);
    for (let more = true; more; ) {
      if (runs + cut >= maxRuns) return result(undefined, false);
      if (runs + cut >= most) {
        complete = false;
        break;
      }
      const one = await runOnce(small, exhaustive, death, rewrite);
      died ||= one.died;
      steps += one.steps;
      if (one.cut) cut += 1;
      else runs += 1;
      if (one.violation !== undefined) return result(one.violation, false);
      more = exhaustive.next();
    }
    // No history is long enough for the actor to reach this call.
    if (!died) return result(undefined, complete);
  }
}

async function runOnce(
  small: SmallWorld,
  { strategy }: Exhaustive,
  death: number,
  rewrite: Rewrite | undefined,
): Promise<{ steps: number; cut: boolean; died: boolean; violation: string | undefined }> {
  let isLater = false;
  const world = new SimulatedWorld({
    seed: 1,
    // After all actors have ended, one order is enough.
    strategy: (ready, last, step) => (isLater ? inTurn : strategy)(ready, last, step),
    faults: { kinds: [] },
    timeStandsStill: true,
    rewrite,
  });
  const { scheduler } = world;
  let open = 0;
  let first: Process | undefined;
  const ended = (violation: string | undefined, cut = false) => ({
    steps: scheduler.steps,
    died: first?.alive === false,
    cut,
    violation,
  });
  const start = (name: string, actor: Actor, skew: number, diesAtCall = Number.POSITIVE_INFINITY) => {
    const process = Object.assign(world.process(name), { skew, diesAtCall });
    first ??= process;
    open += 1;
    const end = () => {
      open -= 1;
    };
    void process.ended.then(end);
    actor(createApiProcess(ENVIRONMENT, world.runtimeOf(process)), world).then(end, (error: unknown) => {
      end();
      if (!(error instanceof DomainError))
        scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
    });
  };
  const isOver = () => scheduler.run(() => open === 0, Number.POSITIVE_INFINITY, MAX_STEPS);
  try {
    const setUp = createApiProcess(ENVIRONMENT, world.setUpRuntime());
    await createBuyer(setUp, WHO, {
      buyer_id: 'north',
      buyer_email: 'north@example.org',
      probability: 100,
      use_sellanylead_api: true,
      ...small.terms,
    });
    await createOrder(setUp, WHO, { buyerId: 'north', leadLimit: small.limit ?? 2, balance: 0 });
    await small.prepare?.(setUp, world);
    for (const [at, actor] of small.actors.entries())
      start(
        NAMES[at] ?? '',
        actor,
        at === 1 && small.isAhead ? AHEAD_MS : 0,
        at === 0 ? death : Number.POSITIVE_INFINITY,
      );
    await isOver();
    if (open > 0) return ended('a process waits forever');
    if (small.after !== undefined) {
      isLater = true;
      start('later', small.after, DAY_MS);
      await isOver();
    }
    // The next runs finish what a crash left incomplete.
    for (let round = 0; round < 2; round += 1) await takesOver(setUp, world);
    const wrong = await wrongInDistribution(world, small.isExact);
    return ended(wrong.length === 0 ? undefined : wrong.join('; '));
  } catch (error) {
    if (error instanceof Cut) return ended(undefined, true);
    if (error instanceof Violation) return ended(error.message);
    return ended(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
