/** Tries the mutants of some code with some tests. Stryker makes the mutants; the tests run in `in-process.ts`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { LEFT_OUT } from '#test/mutants/left-out';
import { type Covered, isSlow, maxTrials, type Plan, type Report, readReports } from '#test/mutants/plan';

/** `not judged`: executed only while modules load, or out of time. */
export const STATUSES = ['noticed', 'survived', 'not reached', 'not judged'] as const;
export type Status = (typeof STATUSES)[number];

/** A change of the code, and whether a test detected it. */
export interface Judged {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The kind of change, by Stryker's name. */
  readonly kind: string;
  readonly replacement: string;
  readonly status: Status;
}

export interface Task {
  /** A file, or some of its lines: `file:from-to`. */
  readonly pieces: readonly string[];
  /** Patterns of test files. */
  readonly tests: readonly string[];
  /** Whether to mutate strings and code that runs while modules load. */
  readonly pure: boolean;
  /** At most about this many mutants, spread evenly over the code. */
  readonly sample: number;
  /** When to stop, by `performance.now()`. */
  readonly until: number;
  /** Results of an earlier run, whose detected mutants are not tried again. */
  readonly earlier: readonly Judged[];
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const POLL_INTERVAL_MS = 250;
const NOTIFY_INTERVAL_MS = 60_000;
/** Extra time after a trial's limit, because an endless loop cannot check the time itself. */
const GRACE_MS = 15_000;
/** No test may run this long without a report, so the test process is gone. */
const STALLS_MS = 150_000;

/** @throws Error if no test passes without a mutant */
export async function judge(task: Task): Promise<Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    return await judgeIn(folder, task);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeIn(folder: string, task: Task): Promise<Judged[]> {
  const { code, mutants: all } = await mutate(task);
  const each = Math.max(1, Math.round(all.length / task.sample));
  const mutants = all.filter((_, at) => at % each === 0);
  const ids = new Set(mutants.map(({ id }) => id));
  const known = new Set(task.earlier.filter(({ status }) => status === 'noticed').map(nameOf));
  const before = new Set(mutants.filter((mutant) => known.has(nameOf(mutant))).map(({ id }) => id));
  if (mutants.length === before.size) return mutants.map((mutant) => ({ ...mutant, status: 'noticed' }));
  const run = (plan: Omit<Plan, 'code' | 'reports'>) =>
    runTests({ ...plan, code, reports: join(folder, 'reports.jsonl') }, task, join(folder, 'plan.json'));
  const covered = await run({ phase: 'cover', tests: {} });
  for (const one of covered.reports) if ('unfit' in one) warnOf(one);
  const tests = new Map(
    covered.reports.flatMap((one) =>
      'hits' in one ? [[one.test, without(one, (mutant) => before.has(mutant) || !ids.has(mutant))]] : [],
    ),
  );
  if (tests.size === 0 && !covered.cutShort) throw new Error(`No test passes:\n${covered.output}`);
  const loading = new Set(covered.reports.flatMap((one) => ('static' in one ? one.static : [])));
  const reached = new Set([...tests.values()].flatMap(({ hits }) => Object.keys(hits)));
  const { noticed, open, doubted } = await judgeTogether(tests, run);
  for (const mutant of before) noticed.add(mutant);

  // Values that modules compute at load time, or cache, are not recomputed for a mutant in the same process, and other trials
  // leave state behind.
  const { pure } = task;
  const unsure = pure
    ? mutants.map(({ id }) => id).filter((id) => (reached.has(id) || loading.has(id)) && !noticed.has(id))
    : [];
  for (const mutant of new Set([...doubted, ...unsure])) {
    const its = [...tests].filter(([, test]) => mutant in test.hits || (pure && !isSlow(test)));
    const alone = await run({ phase: 'alone', tests: Object.fromEntries(its), mutant });
    if (alone.cutShort) break;
    open.delete(mutant);
    reached.add(mutant);
    if (alone.failed) noticed.add(mutant);
  }
  const statusOf = (id: string): Status => {
    if (noticed.has(id)) return 'noticed';
    if (reached.has(id) && !open.has(id)) return 'survived';
    return reached.has(id) || loading.has(id) || covered.cutShort ? 'not judged' : 'not reached';
  };
  return mutants.map(({ id, ...mutant }) => ({ ...mutant, status: statusOf(id) }));
}

const nameOf = ({ file, line, column, kind, replacement }: Omit<Judged, 'status'>) =>
  [file, line, column, kind, replacement].join('\n');

const warnOf = ({ unfit, error }: { unfit: string; error: string }) =>
  console.warn(`Judges nothing, because it fails by itself: ${unfit} (${error})`);

type RunTests = (plan: Omit<Plan, 'code' | 'reports'>) => Promise<Ran>;

/** Tries all executed mutants. Fast tests first, so that slow ones get only the rest. */
async function judgeTogether(tests: ReadonlyMap<string, Covered>, run: RunTests) {
  const noticed = new Set<string>();
  const doubted = new Set<string>();
  let left = new Map(tests);
  let trials = new Map<string, number>();
  // One process per half, and another one after a mutant that never ends.
  for (let half: 'quick' | 'slow' | undefined = 'quick'; half !== undefined; ) {
    const now = [...left].filter(([, test]) => isSlow(test) === (half === 'slow'));
    const { reports, cutShort, stuck } = await run({ phase: 'judge', tests: Object.fromEntries(now) });
    const done = new Map<string, Set<string>>();
    for (const one of reports) {
      if ('unfit' in one) {
        warnOf(one);
        left.delete(one.test);
      }
      if ('doubted' in one) {
        console.warn(`Fails after ${one.doubted.length} changes that it noticed: ${one.by}`);
        for (const mutant of one.doubted) {
          noticed.delete(mutant);
          doubted.add(mutant);
        }
      }
      if (!('why' in one)) continue;
      if (one.why !== null) {
        noticed.add(one.mutant);
        doubted.delete(one.mutant);
      }
      trials.set(one.mutant, (trials.get(one.mutant) ?? 0) + 1);
      done.set(one.test, (done.get(one.test) ?? new Set()).add(one.mutant));
    }
    if (stuck !== undefined) {
      noticed.add(stuck);
      doubted.delete(stuck);
    }
    const isTried = (mutant: string, test: Covered) => (trials.get(mutant) ?? 0) >= maxTrials(test);
    const these = new Set(now.map(([id]) => id));
    left = new Map(
      [...left].map(([id, test]) => [
        id,
        without(
          test,
          (mutant) =>
            noticed.has(mutant) ||
            done.get(id)?.has(mutant) === true ||
            (these.has(id) && isTried(mutant, test)),
        ),
      ]),
    );
    if (cutShort) half = undefined;
    else if (stuck === undefined) {
      half = half === 'quick' ? 'slow' : undefined;
      trials = new Map();
    }
  }
  const open = new Set([...doubted, ...[...left.values()].flatMap(({ hits }) => Object.keys(hits))]);
  return { noticed, open, doubted };
}

const without = (test: Covered, isDone: (mutant: string) => boolean): Covered => ({
  ...test,
  hits: Object.fromEntries(Object.entries(test.hits).filter(([mutant]) => !isDone(mutant))),
});

interface Ran {
  readonly reports: readonly Report[];
  readonly failed: boolean;
  readonly cutShort: boolean;
  /** The mutant in the trial when the process ended or was killed. */
  readonly stuck: string | undefined;
  readonly output: string;
}

/** Runs the tests in a separate process, and ends it if a trial takes too long. */
async function runTests(plan: Plan, { tests, until }: Task, planFile: string): Promise<Ran> {
  writeFileSync(planFile, JSON.stringify(plan));
  writeFileSync(plan.reports, '');
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'mutants.config.ts'],
    {
      env: { ...process.env, TEST_ENGINE: 'memory', MUTANT_PLAN: planFile, MUTANT_TESTS: tests.join() },
      // A process group, so that child processes of the tests end with it.
      detached: true,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  const over = new AbortController();
  // Outside of this process group, so it must be ended with this process.
  const end = () => {
    if (child.pid !== undefined) kill(child.pid);
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  child.once('exit', () => {
    for (const signal of SIGNALS) process.off(signal, end);
    over.abort();
  });
  let seen = { bytes: 0, at: performance.now() };
  let notifiedAt = seen.at;
  while (child.exitCode === null && child.signalCode === null) {
    await wait(POLL_INTERVAL_MS, undefined, { signal: over.signal }).catch(() => undefined);
    const text = readFileSync(plan.reports, 'utf8');
    const now = performance.now();
    if (text.length !== seen.bytes) seen = { bytes: text.length, at: now };
    if (now - notifiedAt > NOTIFY_INTERVAL_MS) {
      notifiedAt = now;
      tell(plan, readReports(text));
    }
    const trial = readReports(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)).at(-1);
    const limitMs =
      trial && 'trying' in trial ? trial.limitMs + GRACE_MS : plan.phase === 'alone' ? Infinity : STALLS_MS;
    if (child.pid !== undefined && (now > until || now - seen.at > limitMs)) kill(child.pid);
  }
  const all = readReports(readFileSync(plan.reports, 'utf8'));
  const trial = all.at(-1);
  return {
    reports: all,
    failed: child.exitCode !== 0 && performance.now() <= until,
    cutShort: performance.now() > until,
    stuck: trial !== undefined && 'trying' in trial ? trial.trying : undefined,
    output,
  };
}

/** Shows the progress of a phase. */
function tell({ phase, tests }: Plan, reports: readonly Report[]): void {
  const tried = reports.filter((one) => 'why' in one);
  const begun = new Set(reports.flatMap((one) => ('test' in one ? [one.test] : []))).size;
  const of = phase === 'cover' ? '' : ` of ${Object.keys(tests).length}`;
  const noticed = tried.filter(({ why }) => why !== null).length;
  console.warn(`${phase}: test ${begun}${of}, ${tried.length} trials, ${noticed} noticed`);
}

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has just ended on its own.
  }
}

/** Stryker's mutants of the given code, each behind a switch. */
async function mutate({ pieces, pure }: Task) {
  const nothing = () => undefined;
  const log = { isDebugEnabled: () => false, debug: nothing, info: nothing, warn: nothing };
  const names = [...new Set(pieces.map(fileOf))];
  const files = names.map((name) => ({
    name: resolve(name),
    content: readFileSync(name, 'utf8'),
    mutate: pieces.includes(name) || pieces.filter((piece) => fileOf(piece) === name).map(linesOf),
  }));
  const options = {
    excludedMutations: pure ? [] : ['StringLiteral'],
    ignorers: [LEFT_OUT],
    plugins: null,
    noHeader: false,
  };
  const { files: mutated, mutants } = await new Instrumenter(log as never).instrument(files, options);
  return {
    code: Object.fromEntries(mutated.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, location, mutatorName, replacement }) => ({
        id,
        file: relative(process.cwd(), fileName),
        line: location.start.line + 1,
        column: location.start.column,
        kind: mutatorName,
        replacement,
      })),
  };
}

const fileOf = (piece: string) => piece.replace(/:\d+-\d+$/, '');

/** Of `file:from-to`: counted from 0, to the end of the last line. */
function linesOf(piece: string) {
  const [from = 1, to = from] = piece
    .slice(piece.lastIndexOf(':') + 1)
    .split('-')
    .map(Number);
  return { start: { line: from - 1, column: 0 }, end: { line: to, column: 0 } };
}
