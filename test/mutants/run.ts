/**
 * `npm run mutants`: changes the code in thousands of small ways and counts which changes the tests notice.
 *
 * Stryker makes the mutants and runs, for each, the tests that reach it. It is given one file at a time, with the
 * tests of its subject, so that a change is judged by the tests that state its rules, and in minutes.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { Stryker } from '@stryker-mutator/core';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { SUBJECTS, type Subject, subjectOf } from '#test/mutants/subjects';

const REPORT_FOLDER = 'reports';
const MIN_SCORE_PERCENT = 85;
/** An infinite loop is noticed after this time beyond that of the tests themselves. */
const LOOP_TIMEOUT_MS = 5000;

/** What Stryker says of a mutant, as far as the report needs it. */
interface Result {
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  readonly replacement?: string | undefined;
  readonly status: string;
}

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

/** A file of a subject, or some lines of it. */
interface Piece {
  readonly subject: Subject;
  readonly what: string;
}

/** Subjects and folders by file, in the order of the subjects. */
function pieces(wanted: readonly string[]): Piece[] {
  return Object.entries(SUBJECTS).flatMap(([name, subject]) =>
    wanted
      .flatMap((one) => (one === name ? subject.code : subjectOf(one) === name ? [one] : []))
      .flatMap((one) => (one.endsWith('/') ? filesIn(one) : [one]))
      .map((what) => ({ subject, what })),
  );
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => folder + name.replaceAll('\\', '/'))
    .toSorted((a, b) => a.localeCompare(b, 'en'));

const unitTestsOf = ({ tests }: Subject) => tests.filter((one) => one.startsWith('test/unit/'));

async function mutate(what: string, tests: readonly string[], concurrency: number): Promise<Result[]> {
  process.env.MUTANT_TESTS = tests.map((one) => (one.endsWith('/') ? `${one}**/` : one)).join();
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'mutants.config.ts', related: true },
    mutate: [what],
    coverageAnalysis: 'perTest',
    // A mutant in what is computed while a module loads would need every test again.
    ignoreStatic: true,
    // Texts of errors and logs are not rules; those that users see have tests of their own.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency,
    timeoutMS: LOOP_TIMEOUT_MS,
    reporters: ['progress-append-only'],
    // Would be rewritten for the copy by TypeScript's own parser, which version 7 does not bring.
    tsconfigFile: 'none',
    tempDirName: 'reports/copy',
    ignorePatterns: ['.data', 'docs', 'frontend/dist', REPORT_FOLDER],
    allowEmpty: true,
  }).runMutationTest();
  return results.map((result) => ({ ...result, fileName: relative(process.cwd(), result.fileName) }));
}

const count = (results: readonly Result[], statuses: readonly string[]) =>
  results.filter(({ status }) => statuses.includes(status)).length;

/** Of the mutants that could be judged, the percentage that was noticed; undefined without any. */
function scoreOf(results: readonly Result[]): number | undefined {
  const noticed = count(results, NOTICED);
  const judged = noticed + count(results, MISSED);
  return judged === 0 ? undefined : (100 * noticed) / judged;
}

/** The score of each folder. */
function printScores(results: readonly Result[]): void {
  const folderOf = ({ fileName }: Result) => fileName.slice(0, fileName.lastIndexOf('/'));
  const folders = [...new Set(results.map(folderOf))].toSorted((a, b) => a.localeCompare(b, 'en'));
  const rows = folders.map((name) => [name, results.filter((one) => folderOf(one) === name)] as const);
  for (const [name, own] of [...rows, ['together', results] as const]) {
    const cells = [count(own, NOTICED), count(own, ['Survived']), count(own, ['NoCoverage'])];
    const score = scoreOf(own);
    console.log(
      `${name.padEnd(36)} ${score === undefined ? '' : score.toFixed(1)} %  noticed ${cells[0]}, survived ${cells[1]}, not reached ${cells[2]}`,
    );
  }
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
    .option('--changed', 'only the lines that were changed since the commit of --base')
    .option('--base <commit>', 'what --changed compares with', 'HEAD')
    .option('--unit', 'with the unit tests alone: enough for pure rules, and fast')
    .option('--minutes <n>', 'start no further file after this time', atLeastOne)
    .option('--concurrency <n>', 'test runners at once', atLeastOne, Math.max(1, availableParallelism() - 1))
    .action(async (what, { changed, base, unit = false, minutes, concurrency }) => {
      const wanted = changed ? changedSince(base) : what.length > 0 ? what : Object.keys(SUBJECTS);
      const unknown = wanted.filter((one) => !(one in SUBJECTS) && subjectOf(one) === undefined);
      if (!changed && unknown.length > 0) throw new Error(`Not mutated: ${unknown.join(', ')}`);
      const limit = minutes ?? (changed ? 5 : Number.POSITIVE_INFINITY);
      const started = performance.now();
      const results: Result[] = [];
      const left: string[] = [];
      await mkdir(REPORT_FOLDER, { recursive: true });
      for (const { subject, what } of pieces(wanted)) {
        if (performance.now() - started > limit * 60_000) left.push(what);
        else results.push(...(await mutate(what, unit ? unitTestsOf(subject) : subject.tests, concurrency)));
        // After each file, so that a run that is cut short leaves what it knows.
        await writeFile(`${REPORT_FOLDER}/mutants.json`, JSON.stringify(results, null, 1));
        const own = results.filter(({ fileName }) => what.startsWith(fileName));
        printScores(own);
        printMissed(own);
      }
      console.log('\nTogether');
      printScores(results);
      if (left.length > 0) console.log(`Not run, because the time was over: ${left.join(', ')}`);
      if ((scoreOf(results) ?? 100) < MIN_SCORE_PERCENT) fail();
    }),
);
