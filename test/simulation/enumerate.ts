/** Runs small worlds: every interleaving of their calls. */

import { createBuyer } from '#functions/domain/buyers/buyers';
import { DomainError } from '#functions/domain/common/errors';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { createOrder } from '#functions/domain/orders/orders';
import { createApiProcess } from '#test/simulation/api-process';
import { type Process, Violation } from '#test/simulation/kernel';
import type { Rewrite } from '#test/simulation/outside';
import { wrongInDistribution } from '#test/simulation/rest';
import {
  type Actor,
  AHEAD_MS,
  DAY_MS,
  EVERYTHING_IS_STALE_MS,
  inTurn,
  MAX_STEPS,
  type SmallWorld,
  WHO,
} from '#test/simulation/small-actors';
import { Cut, Exhaustive } from '#test/simulation/strategies';
import { Watch } from '#test/simulation/watch';
import { ENVIRONMENT, importOnce, SimulatedWorld } from '#test/simulation/world';

export interface Enumerated {
  readonly name: string;
  /** Interleavings that were run to their end. */
  readonly runs: number;
  /** Interleavings that were left out halfway, because others show the same. */
  readonly cut: number;
  readonly steps: number;
  readonly violation: string | undefined;
  /** Whether `maxRuns` ended the enumeration. */
  readonly complete: boolean;
}

/** Runs every interleaving of a small world, for every call before which its actor may die. */
export async function enumerate(
  small: SmallWorld,
  maxRuns = Number.POSITIVE_INFINITY,
  rewrite?: Rewrite,
): Promise<Enumerated> {
  await importOnce();
  let [runs, cut, steps] = [0, 0, 0];
  const result = (violation: string | undefined, complete: boolean): Enumerated => ({
    name: small.name,
    runs,
    cut,
    steps,
    violation,
    complete,
  });
  for (let death = small.dies === undefined ? Number.POSITIVE_INFINITY : 1; ; death += 1) {
    const exhaustive = new Exhaustive(small.maxPreemptions);
    let died = false;
    for (let more = true; more; ) {
      if (runs + cut >= Math.min(maxRuns, small.mostRuns ?? maxRuns)) return result(undefined, false);
      const one = await runOnce(small, exhaustive, death, rewrite);
      died ||= one.died;
      steps += one.steps;
      if (one.cut) cut += 1;
      else runs += 1;
      if (one.violation !== undefined) return result(one.violation, false);
      more = exhaustive.next(one.cut);
    }
    // No history is so long that the actor would come to this call.
    if (!died) return result(undefined, true);
  }
}

async function runOnce(
  small: SmallWorld,
  { strategy }: Exhaustive,
  death: number,
  rewrite: Rewrite | undefined,
): Promise<{ steps: number; cut: boolean; died: boolean; violation: string | undefined }> {
  const watch = new Watch();
  let isLater = false;
  const world = new SimulatedWorld({
    seed: 1,
    // Afterwards one way is enough.
    strategy: (ready, last, step) => (isLater ? inTurn : strategy)(ready, last, step),
    faults: { kinds: [] },
    watch: watch.follow,
    timeStandsStill: true,
    rewrite,
  });
  const { scheduler } = world;
  watch.told = world.told;
  watch.kept = world.kept;
  watch.bounced = world.bounced;
  let open = 0;
  let dying: Process | undefined;
  const state = () => ({ steps: scheduler.steps, died: dying?.alive === false });
  try {
    const setUp = createApiProcess(ENVIRONMENT, world.setUpRuntime());
    await createBuyer(setUp, WHO, {
      buyer_id: 'north',
      buyer_email: 'north@example.org',
      probability: 100,
      use_sellanylead_api: true,
      ...small.terms,
    });
    await createOrder(setUp, WHO, { buyerId: 'north', leadLimit: small.limit, balance: 0 });
    await small.prepare?.(setUp, world);
    const start = (name: string, actor: Actor, skew = 0) => {
      const process = world.process(name);
      process.skew = skew;
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
      return process;
    };
    const isOver = () => scheduler.run(() => open === 0, Number.POSITIVE_INFINITY, MAX_STEPS);
    for (const [name, actor] of Object.entries(small.actors)) {
      const process = start(name, actor, name === small.ahead ? AHEAD_MS : 0);
      if (name !== small.dies) continue;
      dying = process;
      process.diesAtCall = death;
    }
    await isOver();
    if (open > 0) return { ...state(), cut: false, violation: 'somebody waits for ever' };
    if (small.after !== undefined) {
      isLater = true;
      start('later', small.after, DAY_MS);
      await isOver();
    }
    // What a crash left half done is finished by the next runs.
    for (let round = 0; round < 2; round += 1) await reconcile(setUp, EVERYTHING_IS_STALE_MS);
    const wrong = await wrongInDistribution(world, small.isExact);
    return { ...state(), cut: false, violation: wrong.length === 0 ? undefined : wrong.join('; ') };
  } catch (error) {
    if (error instanceof Cut) return { ...state(), cut: true, violation: undefined };
    const text =
      error instanceof Violation
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    return { ...state(), cut: false, violation: text };
  }
}
