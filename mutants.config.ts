/** The tests of a mutation run (test/mutants/run.ts), which names their folders and files in MUTANT_TESTS. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: (process.env.MUTANT_TESTS ?? 'test/unit/**').split(',').map((one) => `${one}*.test.ts`),
    isolate: false,
    expect: { requireAssertions: true, poll: { timeout: 5000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
