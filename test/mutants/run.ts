/**
 * `npm run mutants`: changes the code in thousands of small ways and counts which changes the tests notice.
 *
 * Stryker makes the mutants and runs, for each, the tests that reach it. It is given one subject at a time, with the
 * tests of that subject, so that a change is judged by the tests that state its rules, and in minutes.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Argument } from '@commander-js/extra-typings';
import { Stryker } from '@stryker-mutator/core';
import * as z from 'zod/mini';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { SUBJECTS, type Subject, subjectOf } from '#test/mutants/subjects';

const REPORT_FOLDER = 'reports';
/** Stryker writes each result here as soon as it has it. */
const EVENT_FOLDER = join(REPORT_FOLDER, 'events');
const RESULT_FILE = join(REPORT_FOLDER, 'mutants.json');
const COPY_FOLDER = join(REPORT_FOLDER, 'copy');
const MIN_SCORE_PERCENT = 85;
/** An infinite loop is noticed after this time beyond that of the tests themselves. */
const LOOP_TIMEOUT_MS = 5000;
/** The tests of a subject, all of them once, on a busy machine. */
const DRY_RUN_MINUTES = 15;
const CHANGED_MINUTES = 5;

/** What Stryker says of a mutant, as far as the report needs it. */
const resultSchema = z.object({
  fileName: z.string(),
  location: z.object({ start: z.object({ line: z.number(), column: z.number() }) }),
  mutatorName: z.string(),
  replacement: z.optional(z.string()),
  status: z.string(),
});
type Result = z.output<typeof resultSchema>;

const NOTICED = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });

/** The changed lines of each file since a commit, the working tree included, as `file:from-to`. */
function changedSince(base: string): string[] {
  const ranges: string[] = [];
  let file = '';
  for (const line of git('diff', '--unified=0', '--diff-filter=d', base, '--', 'shared', 'functions').split(
    '\n',
  )) {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length);
    const [, from, count = '1'] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from !== undefined && count !== '0')
      ranges.push(`${file}:${from}-${Number(from) + Number(count) - 1}`);
  }
  return ranges;
}

/** Of the subjects, in their order, the files and lines to mutate. */
function piecesOf(wanted: readonly string[]): (readonly [name: string, subject: Subject, what: string[]])[] {
  return Object.entries(SUBJECTS).flatMap(([name, subject]) => {
    const what = wanted
      .flatMap((one) => (one === name ? subject.code : subjectOf(one) === name ? [one] : []))
      .flatMap((one) => (one.endsWith('/') ? filesIn(one) : [one]));
    return what.length === 0 ? [] : [[name, subject, what] as const];
  });
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => folder + name.replaceAll('\\', '/'))
    .toSorted((a, b) => a.localeCompare(b, 'en'));

const unitTestsOf = ({ tests }: Subject) => tests.filter((one) => one.startsWith('test/unit/'));

interface Judged {
  readonly results: Result[];
  /** Whether the time was over before every mutant had been judged. */
  readonly cutShort: boolean;
}

/** @param restMs after which it stops; undefined: when all are judged */
async function judge(
  { texts = false }: Subject,
  what: readonly string[],
  tests: readonly string[],
  concurrency: number,
  restMs: number | undefined,
): Promise<Judged> {
  process.env.MUTANT_TESTS = tests.map((one) => (one.endsWith('/') ? `${one}**/` : one)).join();
  for (const folder of [EVENT_FOLDER, COPY_FOLDER]) await rm(folder, { recursive: true, force: true });
  const finished: Promise<boolean> = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'mutants.config.ts', related: true },
    mutate: [...what],
    coverageAnalysis: 'perTest',
    // A mutant in what is computed while a module loads would need every test again.
    ignoreStatic: true,
    mutator: { excludedMutations: texts ? [] : ['StringLiteral'] },
    concurrency,
    timeoutMS: LOOP_TIMEOUT_MS,
    dryRunTimeoutMinutes: DRY_RUN_MINUTES,
    reporters: ['progress-append-only', 'event-recorder'],
    eventReporter: { baseDir: EVENT_FOLDER },
    // Would be rewritten for the copy by TypeScript's own parser, which version 7 does not bring.
    tsconfigFile: 'none',
    tempDirName: COPY_FOLDER,
    ignorePatterns: ['.data', 'docs', 'frontend/dist', REPORT_FOLDER],
    allowEmpty: true,
  })
    .runMutationTest()
    .then(() => true);
  const limit = restMs === undefined ? [] : [wait<boolean>(restMs, false, { ref: false })];
  const inTime = await Promise.race([finished, ...limit]);
  return { results: await recorded(), cutShort: !inTime };
}

/** What the run has written down so far. */
async function recorded(): Promise<Result[]> {
  const files = await readdir(EVENT_FOLDER).catch(() => []);
  const texts = await Promise.all(
    files
      .filter((name) => name.endsWith('-onMutantTested.json'))
      .map((name) => readFile(join(EVENT_FOLDER, name), 'utf8')),
  );
  return texts
    .filter(isWhole)
    .map((text) => resultSchema.parse(JSON.parse(text)))
    .map((result) => ({ ...result, fileName: relative(process.cwd(), result.fileName) }));
}

/** When the time is over, the last one may be half written. */
const isWhole = (text: string) => text.endsWith('}');

const count = (results: readonly Result[], statuses: readonly string[]) =>
  results.filter(({ status }) => statuses.includes(status)).length;

/** Of the mutants that could be judged, the percentage that was noticed; undefined without any. */
function scoreOf(results: readonly Result[]): number | undefined {
  const noticed = count(results, NOTICED);
  const judged = noticed + count(results, MISSED);
  return judged === 0 ? undefined : (100 * noticed) / judged;
}

const percent = (results: readonly Result[]) => `${scoreOf(results)?.toFixed(1) ?? '–'} %`;

/** The score of each file of a subject. */
function printFiles(results: readonly Result[]): void {
  const files = [...new Set(results.map(({ fileName }) => fileName))].toSorted((a, b) =>
    a.localeCompare(b, 'en'),
  );
  for (const file of files) {
    const own = results.filter(({ fileName }) => fileName === file);
    const [noticed, survived, unreached] = [NOTICED, ['Survived'], ['NoCoverage']].map((statuses) =>
      count(own, statuses),
    );
    console.log(
      `${file.padEnd(52)} ${percent(own).padStart(7)}  noticed ${noticed}, survived ${survived}, not reached ${unreached}`,
    );
  }
}

/** The table of docs/testing.md. */
function printTable(bySubject: ReadonlyMap<string, readonly Result[]>): void {
  const today = new Date().toISOString().slice(0, 10);
  const row = (name: string, results: readonly Result[]) => {
    const noticed = count(results, NOTICED);
    return `| ${name} | ${noticed + count(results, MISSED)} | ${noticed} | ${percent(results)} | ${today} |`;
  };
  console.log('\n| subject | mutants | killed | score | date |\n|---|---|---|---|---|');
  for (const [name, results] of bySubject) console.log(row(name, results));
  if (bySubject.size > 1) console.log(row('together', [...bySubject.values()].flat()));
}

/** The changes that no test noticed. */
function printMissed(results: readonly Result[]): void {
  for (const { fileName, location, mutatorName, replacement, status } of results)
    if (MISSED.includes(status))
      console.log(
        `${fileName}:${location.start.line}:${location.start.column} ${mutatorName} ${status}: ${(replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 90)}`,
      );
}

await run(
  command(
    'mutants',
    `Counts the changes of the code that the tests do not notice; fails under ${MIN_SCORE_PERCENT} %.`,
  )
    .addArgument(
      new Argument(
        '[what...]',
        `files, folders with a slash at the end, or subjects: ${Object.keys(SUBJECTS).join(', ')}`,
      ),
    )
    .option(
      '--changed',
      `only the lines that were changed since the commit of --base, in ${CHANGED_MINUTES} minutes`,
    )
    .option('--base <commit>', 'what --changed compares with', 'HEAD')
    .option('--unit', 'with the unit tests alone: enough for pure rules, and fast')
    .option('--minutes <n>', 'end after this time with what is known by then', atLeastOne)
    .option('--concurrency <n>', 'test runners at once', atLeastOne, Math.max(1, availableParallelism() - 1))
    .action(async (what, { changed = false, base, unit = false, minutes, concurrency }) => {
      const wanted = changed ? changedSince(base) : what.length > 0 ? what : Object.keys(SUBJECTS);
      const unknown = wanted.filter((one) => !(one in SUBJECTS) && subjectOf(one) === undefined);
      if (!changed && unknown.length > 0) throw new Error(`Not mutated: ${unknown.join(', ')}`);
      const limit = minutes ?? (changed ? CHANGED_MINUTES : undefined);
      const end = limit === undefined ? undefined : performance.now() + limit * 60_000;
      const bySubject = new Map<string, readonly Result[]>();
      let cutShort = false;
      await mkdir(REPORT_FOLDER, { recursive: true });
      for (const [name, subject, pieces] of piecesOf(wanted)) {
        const restMs = end === undefined ? undefined : end - performance.now();
        if (cutShort) break;
        const tests = unit ? unitTestsOf(subject) : subject.tests;
        const judged = await judge(subject, pieces, tests, concurrency, restMs);
        cutShort = judged.cutShort;
        bySubject.set(name, judged.results);
        // After each subject, so that a run that is cut short leaves what it knows.
        await writeFile(RESULT_FILE, JSON.stringify([...bySubject.values()].flat(), null, 1));
        console.log(`\n${name}`);
        printFiles(judged.results);
        printMissed(judged.results);
      }
      printTable(bySubject);
      const all = [...bySubject.values()].flat();
      if (cutShort) console.log(`\nThe ${limit} minutes were over: not every change was tried.`);
      if ((scoreOf(all) ?? 100) < MIN_SCORE_PERCENT) fail();
      // Stryker would go on.
      if (cutShort) process.exit();
    }),
);
