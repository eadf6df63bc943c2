import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from '#test/harness/summary-reporter';

const workers = Math.min(2, availableParallelism());

export default defineConfig({
  test: {
    // The SDK warns of the end of Node 20 on every start; what runs in the cloud is Node 24.
    env: { AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE: '1', NODE_NO_WARNINGS: '1' },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true },
    maxWorkers: workers,
    reporters: ['default', new SummaryReporter()],
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 10_000 } },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: 'cdk', include: ['test/cdk/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // One browser at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
