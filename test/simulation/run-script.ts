/** Runs a stored history: its setup, then its actors in the given order, then everything until it is at rest. */
import { DomainError } from '#functions/domain/common/errors';
import type { Runtime } from '#functions/platform/runtime';
import { createApiProcess } from '#test/simulation/api-process';
import { type Process, type Scheduler, type Step, Violation } from '#test/simulation/kernel';
import type { Answered } from '#test/simulation/known';
import { type Act, Ordered, passing, type Script, Stale } from '#test/simulation/script';
import { does } from '#test/simulation/script-actions';
import { atRest, undisturbed } from '#test/simulation/simulate-one';
import { inTurn } from '#test/simulation/strategies';
import type { Given } from '#test/simulation/verbs';
import { ENVIRONMENT, SimulatedWorld } from '#test/simulation/world';

const MAX_STEPS = 5_000;

export interface Ran {
  readonly violation: string | undefined;
  /** Whether the violation is an error instead of a broken rule. */
  readonly isError: boolean;
  /** A line that the code no longer reaches. */
  readonly stale: string | undefined;
  /** The calls of each actor. */
  readonly made: Readonly<Record<string, readonly string[]>>;
  /** The number of calls when the script's lines ended. */
  readonly stops: Readonly<Record<string, number>>;
  readonly history: readonly Step[];
}

export interface RunOptions {
  readonly record?: boolean;
  /** Whether an additional read precedes every call to the table, as if the code had changed. */
  readonly perturbed?: boolean;
}

export const runScript = (script: Script, options: RunOptions = {}): Promise<Ran> =>
  undisturbed(() => run(script, options), options.record, script.isGuarded);

async function run(script: Script, { record = false, perturbed = false }: RunOptions): Promise<Ran> {
  const processes = new Map<string, Process>();
  const ended = new Set<string>();
  let ordered: Ordered | undefined;
  const world = new SimulatedWorld({
    seed: 1,
    strategy: (...given) => (ordered?.strategy ?? inTurn)(...given),
    faults: { kinds: [] },
    traits: script.traits ?? [],
    timeStandsStill: true,
    record,
  });
  const { scheduler } = world;
  const answered: Answered[] = [];
  const refused = new Set<string>();
  const given = (who: string, runtime: Runtime): Given => ({
    who,
    api: createApiProcess(ENVIRONMENT, runtime),
    world,
    answered,
    refused,
  });
  const result = (violation: string | undefined, more: Partial<Ran> = {}): Ran => ({
    violation,
    isError: false,
    stale: undefined,
    made: Object.fromEntries([...processes.keys()].map((name) => [name, ordered?.madeBy(name) ?? []])),
    stops: Object.fromEntries([...processes.keys()].map((name) => [name, ordered?.stoppedAt(name) ?? 0])),
    history: scheduler.history,
    ...more,
  });
  const setUp = given('setup', world.setUpRuntime());
  for (const act of script.before) {
    const ms = typeof act === 'string' ? passing(act) : undefined;
    scheduler.now += ms ?? 0;
    if (ms === undefined) await doneBySetUp(scheduler, does(setUp, act));
  }
  try {
    for (const [name, acts] of Object.entries(script.actors)) {
      const process = world.process(name);
      processes.set(name, process);
      const runtime = world.runtimeOf(process);
      void process.ended.then(() => ended.add(name));
      void actAll(process, acts, given(name, perturbed ? readingMore(process, runtime) : runtime)).then(
        () => ended.add(name),
        (error: unknown) => {
          ended.add(name);
          scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
        },
      );
    }
    ordered = new Ordered(script.order, processes, ended, scheduler, world.faults);
    const open = () => processes.size - ended.size;
    const end = await scheduler.run(() => open() === 0, Number.POSITIVE_INFINITY, MAX_STEPS);
    if (ordered.left !== undefined) throw new Stale(ordered.left);
    if (open() > 0) return result(`a process waits forever (${end})`);
    world.faults.stop(scheduler.now);
    world.startWorkers();
    const wrong = await atRest(world, open, answered, refused);
    const left = [...world.table.items()].find(({ pk }) => isLeft(script, String(pk)));
    return result(wrong ?? (left && `${String(left.pk)} is left`));
  } catch (error) {
    if (error instanceof Stale) return result(undefined, { stale: error.message });
    if (error instanceof Violation) return result(error.message);
    return result(error instanceof Error ? (error.stack ?? error.message) : String(error), { isError: true });
  }
}

const isLeft = ({ leavesNone }: Script, key: string) =>
  leavesNone !== undefined && key.startsWith(leavesNone);

/** Its writes take effect immediately; its messages go through the scheduler. */
async function doneBySetUp(scheduler: Scheduler, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  await scheduler.run(() => isDone, Number.POSITIVE_INFINITY, MAX_STEPS);
  await work;
}

/** Acts sequentially; an error ends it. */
async function actAll(process: Process, acts: readonly Act[], given: Given): Promise<void> {
  await process.call('begin', [process.name], false, () => undefined);
  try {
    for (const act of acts) await does(given, act);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    given.world.scheduler.note(process.name, 'refused', error.code);
  }
}

function readingMore(process: Process, runtime: Runtime): Runtime {
  const { externalServices } = runtime;
  if (externalServices === undefined) return runtime;
  const send = async (command: never): Promise<unknown> => {
    await process.call('get SOMETHING/ELSE', ['SOMETHING'], false, () => undefined);
    return externalServices.table.send(command);
  };
  return { ...runtime, externalServices: { ...externalServices, table: { send } as never } };
}
