/**
 * The tests of a mutation run (test/mutants/run.ts): MUTANT_PLAN is the file that says what is changed, MUTANT_TESTS are the
 * tests.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readPlan } from '#test/mutants/plan';

const { code, phase } = readPlan(readFileSync(process.env.MUTANT_PLAN ?? '', 'utf8'));

const tests = (process.env.MUTANT_TESTS ?? '').split(',');

const rank = ({ moduleId }: TestSpecification) =>
  tests.findIndex((pattern) => relative(process.cwd(), moduleId).startsWith(pattern.replace(/\*.*$/, '')));

/** In the order in which a subject names them: what notices most for its time comes first. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => code[id] }],
  test: {
    include: tests,
    sequence: { sequencer: AsNamed },
    runner: './test/mutants/in-process.ts',
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    bail: phase === 'alone' ? 1 : 0,
    // The whole in-memory product answers within milliseconds.
    expect: { poll: { timeout: 900 } },
    // What hangs is noticed by the runner.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
