/** Worlds so small that every interleaving of their calls is run, and not a sample. */

import { createCircuits, FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { DomainError } from '#functions/domain/common/errors';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { changeLimit, createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { personOf } from '#test/simulation/actors';
import { type Api, createApiProcess } from '#test/simulation/api-process';
import { type Process, Violation } from '#test/simulation/kernel';
import type { Rewrite } from '#test/simulation/outside';
import { wrongInDistribution } from '#test/simulation/rest';
import { Cut, Exhaustive } from '#test/simulation/strategies';
import { Watch } from '#test/simulation/watch';
import { ENVIRONMENT, importOnce, SimulatedWorld } from '#test/simulation/world';

/** An attempt that began this instant counts as stale, so that the reconciliation takes over one that still runs. */
const EVERYTHING_IS_STALE_MS = -1;
const MAX_STEPS = 2_000;

type Actor = (api: Api, world: SimulatedWorld) => Promise<unknown>;

export interface SmallWorld {
  readonly name: string;
  readonly actors: Readonly<Record<string, Actor>>;
  /** Leads that the order of the only buyer takes. */
  readonly limit: number;
  /** Interruptions of a process that could go on, at most; without it every interleaving. */
  readonly maxPreemptions?: number;
  /** The actor that dies before each of its calls in turn. */
  readonly dies?: string;
  /** What happened before. */
  readonly prepare?: (api: Api, world: SimulatedWorld) => Promise<unknown>;
}

const intake =
  (number: number): Actor =>
  (api, world) =>
    takeIn(api, personOf(world, number), undefined);
const WHO = 'admin';
const BUYER = 1;
const CHANNEL = 'sellanylead';
const FIRST_ORDER = 1;
/** One more opens the circuit. */
const FAILURES_BEFORE = FAILURES_TO_OPEN - 1;

/** The lead that came first. */
function firstLead({ table }: SimulatedWorld): string {
  return String([...table.items()].find(({ sk, status }) => sk === 'LEAD' && status === 'assigned')?.lead_id);
}

/** A delivery whose outcome is recorded at the circuit. */
const delivery =
  (arrives: boolean): Actor =>
  async ({ table, runtime }) => {
    const circuits = createCircuits(table);
    const permit = await circuits.permit(BUYER, CHANNEL, runtime.now());
    return arrives
      ? circuits.succeeded(BUYER, CHANNEL, permit)
      : circuits.failed(BUYER, CHANNEL, permit, runtime.now());
  };

export const SMALL_WORLDS: readonly SmallWorld[] = [
  { name: 'two leads, one place', limit: 1, actors: { one: intake(1), two: intake(2) } },
  {
    name: 'a lead, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two leads, one place, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), two: intake(2), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two admins change the limit and delete the order',
    limit: 2,
    actors: {
      one: (api) => changeLimit(api, WHO, 'north', 1),
      two: (api) => deleteOrder(api, WHO, 'north', 1),
    },
    maxPreemptions: 3,
  },
  {
    name: 'two admins change the weight and pause the buyer',
    limit: 2,
    actors: {
      one: (api) => updateBuyer(api, WHO, 'north', { probability: 40 }),
      two: (api) => updateBuyer(api, WHO, 'north', { active: false }),
    },
    maxPreemptions: 3,
  },
  {
    name: 'a lead while the buyer is deleted',
    limit: 1,
    actors: { one: intake(1), two: (api) => deleteBuyer(api, WHO, 'north') },
    maxPreemptions: 3,
  },
  {
    name: 'a fifth failure and a success over one circuit',
    limit: 1,
    prepare: async (api, world) => {
      for (let failure = 0; failure < FAILURES_BEFORE; failure += 1) await delivery(false)(api, world);
    },
    actors: { one: delivery(false), two: delivery(true) },
  },
  {
    name: 'a lead while the limit is lowered',
    limit: 3,
    prepare: intake(1),
    actors: { one: intake(2), two: (api) => changeLimit(api, WHO, 'north', 1) },
    maxPreemptions: 2,
  },
  {
    name: 'two admins delete a lead',
    limit: 1,
    prepare: async (api, world) => {
      await intake(1)(api, world);
      await deleteOrder(api, WHO, 'north', FIRST_ORDER);
    },
    actors: {
      one: (api, world) => deleteLead(api, WHO, firstLead(world)),
      two: (api, world) => deleteLead(api, WHO, firstLead(world)),
    },
    maxPreemptions: 2,
  },
];

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
      if (runs + cut >= maxRuns) return result(undefined, false);
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
  const world = new SimulatedWorld({
    seed: 1,
    strategy,
    faults: { kinds: [] },
    watch: watch.follow,
    timeStandsStill: true,
    rewrite,
  });
  const { scheduler } = world;
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
    });
    await createOrder(setUp, WHO, { buyerId: 'north', leadLimit: small.limit, balance: 0 });
    await small.prepare?.(setUp, world);
    for (const [name, actor] of Object.entries(small.actors)) {
      const process = world.process(name);
      if (name === small.dies) {
        dying = process;
        process.diesAtCall = death;
      }
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
    }
    await scheduler.run(() => open === 0, Number.POSITIVE_INFINITY, MAX_STEPS);
    if (open > 0) return { ...state(), cut: false, violation: 'somebody waits for ever' };
    // What a crash left half done is finished by the next runs.
    for (let round = 0; round < 2; round += 1) await reconcile(setUp, EVERYTHING_IS_STALE_MS);
    const wrong = await wrongInDistribution(world);
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
