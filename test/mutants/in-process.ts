/**
 * Runs the tests of a mutation run. Vitest's own repetition runs a test again, with its hooks and fixtures, once per
 * mutant that it executes. Only a switch in the code changes in between and nothing is loaded twice, so a mutant costs no
 * more than its test.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type RunnerTestFile as File,
  type RunnerTestSuite as Suite,
  type RunnerTask as Task,
  type RunnerTestCase as Test,
  TestRunner,
} from 'vitest';
import { rewindables } from '#test/harness/rewind';
import { maxTrials, type Report, readPlan } from '#test/mutants/plan';

/** Stryker's switches in the code. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

/** A loop that executes a mutant this many times more than usual counts as endless. */
const ENDLESS_FACTOR = 10;
const ENDLESS_AT_LEAST = 10_000;
/** For tests that wait without success: this limit, plus a multiple of the usual processor time. */
const HANGS_MS = 1000;
const HANGS_FACTOR = 20;
const TICK_MS = 50;
/** The limit for a test without any mutant. */
const MAX_TEST_MS = 60_000;

const plan = readPlan(readFileSync(process.env.MUTANT_PLAN ?? '', 'utf8'));
/** Kept across the files of a run. */
const shared = globalThis as {
  __stryker__?: Switches;
  __noticed__?: Set<string>;
  __tried__?: Map<string, number>;
};
const switches = (shared.__stryker__ ??= {});
const noticed = (shared.__noticed__ ??= new Set<string>());
/** How many tests have tried a mutant in this process. */
const tried = (shared.__tried__ ??= new Map<string, number>());
if (plan.phase === 'alone') switches.activeMutant = plan.mutant;

const report = (what: Report) => appendFileSync(plan.reports, `${JSON.stringify(what)}\n`);
const reportUnfit = (test: Test, error: string) =>
  report({ unfit: `${test.file.filepath} > ${test.name}`, test: test.id, error });
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 200);

// oxlint-disable-next-line import/no-default-export -- Vitest asks for it.
export default class InProcessRunner extends TestRunner {
  readonly #round = new WeakMap<Test, number>();
  /** Tests that fail in this order without any mutant, so they cannot detect mutants. */
  readonly #unfit = new WeakSet<Test>();
  readonly #noticedBy = new WeakMap<Test, string[]>();
  /** The mutants that a test tries sequentially: all that were undetected when it started. */
  readonly #tries = new WeakMap<Test, readonly string[]>();

  /**
   * The fastest tests first, so that slow ones get only the rest. Tests of a file that share a product keep their
   * order, because some continue from the previous state.
   */
  onCollected(files: File[]): void {
    for (const file of files) if (!sharesProduct(file)) sortByDuration(file);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask(test);
    // First without a mutant, so that unchanged code creates a file's shared state, and last, to verify that state.
    if (plan.phase === 'alone' && !(test.id in plan.tests) && !goesOn(test)) test.mode = 'skip';
    if (plan.phase !== 'judge') return;
    const { ms = 0, hits = {} } = plan.tests[test.id] ?? {};
    const mutants = Object.keys(hits).filter(
      (mutant) => !noticed.has(mutant) && (tried.get(mutant) ?? 0) < maxTrials({ ms }),
    );
    this.#tries.set(test, mutants);
    if (mutants.length > 0) test.repeats = mutants.length + 1;
    else if (!goesOn(test)) test.mode = 'skip';
  }

  override async onBeforeTryTask(test: Test, tried?: { readonly repeats: number }): Promise<void> {
    super.onBeforeTryTask(test);
    // Vitest waits at a test's end for its expected promises, including those of an earlier trial that never settle.
    delete test.promises;
    const round = tried?.repeats ?? 0;
    this.#round.set(test, round);
    if (plan.phase !== 'judge') return;
    for (const one of rewindables)
      if (round === 0) one.keep();
      else await one.rewind();
  }

  /** Other runs check that a test has assertions; here that check would only cost time. */
  override onAfterTryTask(): void {}

  async runTask(test: Test): Promise<void> {
    const body = TestRunner.getTestFn(test);
    const run = async () => body();
    switch (plan.phase) {
      case 'cover':
        return cover(test, run);
      case 'alone':
        return alone(test, run);
      case 'judge':
        return this.#judge(test, run);
    }
  }

  async #judge(test: Test, run: () => Promise<void>): Promise<void> {
    const round = this.#round.get(test) ?? 0;
    if (round === 0) {
      const error = await whyItFails(run, MAX_TEST_MS);
      if (error === null) return;
      reportUnfit(test, error);
      this.#unfit.add(test);
    }
    if (this.#unfit.has(test)) return;
    const mutant = this.#tries.get(test)?.[round - 1];
    const before = this.#noticedBy.get(test) ?? [];
    if (mutant !== undefined) {
      if (await failsWith(mutant, test, run)) this.#noticedBy.set(test, [...before, mutant]);
    } else if (before.length > 0 || sharesProduct(test.file)) {
      // Even without a detection, because the next test may need this test's state.
      if ((await whyItFails(run, MAX_TEST_MS)) === null || before.length === 0) return;
      for (const one of before) noticed.delete(one);
      report({ doubted: before, by: `${test.file.filepath} > ${test.name}` });
    }
  }
}

async function cover(test: Test, run: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const used = process.cpuUsage();
  switches.currentTestId = test.id;
  const error = await whyItFails(run, MAX_TEST_MS);
  switches.currentTestId = undefined;
  const { perTest = {}, static: loading = {} } = switches.mutantCoverage ?? {};
  report({ static: Object.keys(loading) });
  if (error !== null) return reportUnfit(test, error);
  const { user, system } = process.cpuUsage(used);
  const lastsMs = performance.now() - began;
  report({ test: test.id, ms: (user + system) / 1000, lastsMs, hits: perTest[test.id] ?? {} });
}

async function failsWith(mutant: string, test: Test, run: () => Promise<void>): Promise<boolean> {
  const { ms = 0, lastsMs = 0, hits = {} } = plan.tests[test.id] ?? {};
  const limitMs = Math.max(HANGS_MS, HANGS_FACTOR * ms, 2 * lastsMs);
  report({ trying: mutant, test: test.id, limitMs });
  switches.activeMutant = mutant;
  switches.hitCount = 0;
  switches.hitLimit = Math.max(ENDLESS_AT_LEAST, ENDLESS_FACTOR * (hits[mutant] ?? 0));
  const why = await whyItFails(run, limitMs);
  switches.activeMutant = undefined;
  report({ mutant, test: test.id, why });
  tried.set(mutant, (tried.get(mutant) ?? 0) + 1);
  if (why !== null) noticed.add(mutant);
  return why !== null;
}

/** @returns null if it passes */
async function whyItFails(run: () => Promise<void>, limitMs: number): Promise<string | null> {
  const over = new AbortController();
  try {
    return await Promise.race([run().then(() => null), hangs(limitMs, over.signal)]);
  } catch (error) {
    return textOf(error);
  } finally {
    over.abort();
  }
}

/** Waits in many short steps, so that time without a processor hardly counts. */
async function hangs(limitMs: number, signal: AbortSignal): Promise<string> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += TICK_MS) await wait(TICK_MS, undefined, { signal });
  return 'hangs';
}

async function alone(test: Test, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    report({ mutant: plan.mutant ?? '', test: test.id, why: textOf(error) });
    throw error;
  }
}

/** Whether its tests share a product. */
const sharesProduct = ({ filepath }: File) => filepath.includes('/test/integration/');

/** Whether another test of its file with mutants to try may need this test's state. */
const goesOn = ({ file }: Test) =>
  sharesProduct(file) &&
  Object.values(plan.tests).some(
    ({ test, hits }) => test.startsWith(`${file.id}_`) && Object.keys(hits).length > 0,
  );

function sortByDuration(suite: Suite): void {
  const durations = new Map<Task, number>(suite.tasks.map((task) => [task, durationOf(task)]));
  suite.tasks.sort((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
  for (const task of suite.tasks) if (task.type === 'suite') sortByDuration(task);
}

function durationOf(task: Task): number {
  if (task.type === 'test') return plan.tests[task.id]?.ms ?? 0;
  return task.tasks.reduce((sum, one) => sum + durationOf(one), 0);
}
