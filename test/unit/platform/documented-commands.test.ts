/** Every command of package.json and of the documents is started by a test, or says here why not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

const COMMANDS_TEST = 'test/integration/local/commands.test.ts';

/** The test of a command that is no program of `scripts/`. */
const TESTED_IN: Readonly<Record<string, string>> = {
  start: 'test/integration/local/start-and-stop.test.ts',
  dev: 'test/e2e/dev.test.ts',
  attack: 'test/integration/attack/short-attack.test.ts',
  bench: 'test/integration/bench/short-benchmark.test.ts',
  mutants: 'test/unit/mutants/product-in-memory.test.ts',
  simulate: 'test/integration/simulation/histories.test.ts',
  scale: 'test/unit/platform/scale-model.test.ts',
};

const RUNS_THE_TESTS = 'it runs tests, or is run with them';
const IS_THE_PIPELINE = 'the pipeline runs it at every commit, and it fails by itself';
const MEASURES = 'it measures for minutes on an idle machine, and nothing in the product hangs on it';
const NOT_TESTED: Readonly<Record<string, string>> = {
  check: IS_THE_PIPELINE,
  'format:check': IS_THE_PIPELINE,
  format: IS_THE_PIPELINE,
  lint: IS_THE_PIPELINE,
  types: IS_THE_PIPELINE,
  dead: IS_THE_PIPELINE,
  size: IS_THE_PIPELINE,
  prose: IS_THE_PIPELINE,
  build: RUNS_THE_TESTS,
  test: RUNS_THE_TESTS,
  'test:file': RUNS_THE_TESTS,
  'judge:dynamodb-local': RUNS_THE_TESTS,
  judges: RUNS_THE_TESTS,
  'bench-lists': MEASURES,
  'bench-page': MEASURES,
  'bench-hanging': MEASURES,
  'bench-claims': MEASURES,
  load: MEASURES,
};

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
/** npm's own options stand before ` -- `, those of the command behind it. */
const documented = documents.flatMap((file) =>
  [...read(file).matchAll(/npm run (?:--?\w+ )*([a-z][\w:-]*)((?:[^\n`#)|]|\\\n)*)/g)].map(
    ([, name = '', rest = '']) => ({
      file,
      name,
      options: rest.split(' -- ')[1]?.match(/--[a-z][\w-]*/g) ?? [],
    }),
  ),
);

describe('commands', () => {
  it('of package.json are each started by a test, or it says why not', () => {
    const commandsTest = read(COMMANDS_TEST);
    const isTested = (name: string, program: string) =>
      program.includes(' scripts/') && commandsTest.includes(`run('${name}'`);
    const untested = Object.entries(scripts).filter(
      ([name, program]) => !isTested(name, program) && !(name in TESTED_IN) && !(name in NOT_TESTED),
    );
    expect(untested).toEqual([]);
  });

  it('that are listed here are there, as are their tests', () => {
    expect(Object.keys({ ...TESTED_IN, ...NOT_TESTED }).filter((name) => !(name in scripts))).toEqual([]);
    expect(Object.values(TESTED_IN).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('of the documents are there, with the options that the documents name', () => {
    expect(documented.length).toBeGreaterThan(60);
    const programOf = (name: string) =>
      /(?:scripts|local|test)\/\S+\.ts/
        .exec(scripts[name] ?? '')?.[0]
        .replace('simulation/main', 'simulation/simulate');
    const unknown = documented.filter(({ name, options }) => {
      const program = programOf(name);
      return (
        !(name in scripts) ||
        (program !== undefined && options.some((option) => !read(program).includes(`'${option}`)))
      );
    });
    expect(unknown).toEqual([]);
  });
});
