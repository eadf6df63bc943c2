import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ByProject } from '#test/harness/by-project';
import { SummaryReporter } from '#test/harness/summary-reporter';

// A third of the time a test waits for a browser, a process or a clock. With one more worker all of them take longer.
const workers = Math.min(8, availableParallelism() + 1);

export default defineConfig({
  test: {
    // A test that asserts nothing cannot fail. What a page or a worker is waited for may take longer on a busy machine.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    maxWorkers: workers,
    // Everything that varies is injected, so files can share what they import.
    isolate: false,
    sequence: { sequencer: ByProject },
    reporters: ['default', new SummaryReporter()],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'cdk',
          include: ['test/cdk/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // The assertions of CDK's own kind are not counted.
          expect: { requireAssertions: false, poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
