/**
 * `npm run mutants`: changes the code in thousands of small ways and counts which changes the tests detect.
 *
 * It runs one subject at a time with that subject's tests, so that the tests for a rule judge its changes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { type Judged, judge, STATUSES, type Status } from '#test/mutants/judge';
import { SUBJECTS, type Subject, subjectOf } from '#test/mutants/subjects';

const REPORT_FOLDER = 'reports';
const resultFile = (subject: string) => join(REPORT_FOLDER, `mutants-${subject}.json`);
const CHANGED_MINUTES = 5;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });

/** The changed lines of each file since a commit, including the working tree, as `file:from-to`. */
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

/** The files and lines to mutate of the subjects, in order. */
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

/** Vitest's patterns for a subject's tests. */
const patternsOf = (tests: readonly string[]) =>
  tests.map((one) => (one.endsWith('/') ? `${one}**/*.test.ts` : `${one}.test.ts`));

const resultSchema = z.array(
  z.object({
    file: z.string(),
    line: z.number(),
    column: z.number(),
    kind: z.string(),
    replacement: z.string(),
    status: z.enum(STATUSES),
  }),
);

/** The findings of a subject's last run; empty before the first. */
const readResults = (subject: string): readonly Judged[] =>
  existsSync(resultFile(subject))
    ? resultSchema.parse(JSON.parse(readFileSync(resultFile(subject), 'utf8')))
    : [];

const count = (judged: readonly Judged[], ...statuses: readonly Status[]) =>
  judged.filter(({ status }) => statuses.includes(status)).length;

/** The percentage of judged mutants that were detected; undefined without any. */
function scoreOf(judged: readonly Judged[]): number | undefined {
  const all = judged.length - count(judged, 'not judged');
  return all === 0 ? undefined : (100 * count(judged, 'noticed')) / all;
}

const percent = (judged: readonly Judged[]) => `${scoreOf(judged)?.toFixed(1) ?? '–'} %`;

/** The score of each file of a subject. */
function printFiles(judged: readonly Judged[]): void {
  const files = [...new Set(judged.map(({ file }) => file))].toSorted((a, b) => a.localeCompare(b, 'en'));
  for (const file of files) {
    const own = judged.filter((one) => one.file === file);
    const figures = STATUSES.map((status) => `${status} ${count(own, status)}`);
    console.log(`${file.padEnd(52)} ${percent(own).padStart(7)}  ${figures.join(', ')}`);
  }
}

/** The undetected changes. */
function printMissed(judged: readonly Judged[]): void {
  for (const { file, line, kind, replacement, status } of judged)
    if (status === 'survived' || status === 'not reached')
      console.log(`${file}:${line} ${kind} ${status}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 90)}`);
}

/** The table of docs/testing.md. */
function printTable(bySubject: ReadonlyMap<string, readonly Judged[]>): void {
  const today = new Date().toISOString().slice(0, 10);
  const row = (name: string, judged: readonly Judged[]) =>
    `| ${name} | ${judged.length - count(judged, 'not judged')} | ${count(judged, 'noticed')} | ${percent(judged)} | ${today} |`;
  console.log('\n| subject | mutants | killed | score | date |\n|---|---|---|---|---|');
  for (const [name, judged] of bySubject) console.log(row(name, judged));
  if (bySubject.size > 1) console.log(row('together', [...bySubject.values()].flat()));
}

await run(
  command('mutants', 'Counts undetected changes of the code; fails below the score of a subject.')
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
    .option('--left', 'only changes that the last run did not detect, for use after adding tests')
    .option('--sample <n>', 'about this many changes of each subject, evenly spread', atLeastOne)
    .option('--minutes <n>', 'end after this time with partial results', atLeastOne)
    .action(
      async (what, { changed = false, base, left = false, minutes, sample = Number.POSITIVE_INFINITY }) => {
        const wanted = changed ? changedSince(base) : what.length > 0 ? what : Object.keys(SUBJECTS);
        const unknown = wanted.filter((one) => !(one in SUBJECTS) && subjectOf(one) === undefined);
        if (!changed && unknown.length > 0) throw new Error(`Not mutated: ${unknown.join(', ')}`);
        const limit = minutes ?? (changed ? CHANGED_MINUTES : Number.POSITIVE_INFINITY);
        const until = performance.now() + limit * 60_000;
        const bySubject = new Map<string, readonly Judged[]>();
        const cutShort: string[] = [];
        await mkdir(REPORT_FOLDER, { recursive: true });
        const subjects = piecesOf(wanted);
        for (const [at, [name, { tests, pure = false }, pieces]] of subjects.entries()) {
          // Each subject gets its part of the time, so that the last ones are tested too.
          const now = performance.now();
          const ownUntil = now + (until - now) / (subjects.length - at);
          const earlier = left ? readResults(name) : [];
          const judged = await judge({
            pieces,
            tests: patternsOf(tests),
            pure,
            until: ownUntil,
            earlier,
            sample,
          });
          if (performance.now() > ownUntil) cutShort.push(name);
          bySubject.set(name, judged);
          if (!changed) await writeFile(resultFile(name), JSON.stringify(judged, null, 1));
          console.log(`\n${name}`);
          printFiles(judged);
          printMissed(judged);
        }
        printTable(bySubject);
        if (cutShort.length > 0)
          console.log(`\nOut of time before these were judged completely: ${cutShort.join(', ')}`);
        for (const [name, { atLeast }] of subjects)
          if ((scoreOf(bySubject.get(name) ?? []) ?? 100) < atLeast) {
            console.log(`
${name}: under ${atLeast} %`);
            fail();
          }
      },
    ),
);
