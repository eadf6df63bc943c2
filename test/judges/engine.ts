/**
 * `npm run judge:dynamodb-local` and `npm run judge:emulator`: run the integration tests on an engine that nobody here wrote.
 * If it cannot run on this machine they report that and end with 0. Further arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fetchDynamoDbLocal } from '#test/harness/dynamodb-local';
import { fetchEmulator } from '#test/harness/emulator';

/** These test the embedded engine, start processes that use it, or need none. */
const WITHOUT_THE_ENGINE = [
  'attack/*',
  'local/{commands,foreign-sites,full-disk,private-files,replaceable-process,start-and-stop,stream-records,table-engine}',
  'simulation/{histories,interleavings}',
];

const [, , engine, ...further] = process.argv;
const problem = engine === 'emulator' ? fetchEmulator() : fetchDynamoDbLocal();
if (problem === undefined) {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const without = WITHOUT_THE_ENGINE.flatMap((name) => ['--exclude', `test/integration/${name}.test.ts`]);
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'integration', ...without, ...further],
    { stdio: 'inherit', env: { ...process.env, TEST_ENGINE: engine } },
  );
  process.exitCode = status ?? 1;
} else console.log(`Skipped: ${problem}`);
