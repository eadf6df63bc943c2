/**
 * `npm run judge:dynamodb-local`: runs the integration tests on Amazon's DynamoDB Local instead of the embedded engine.
 * Without Java or Maven it reports that and ends with 0. Further arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fetchDynamoDbLocal } from '#test/harness/dynamodb-local';

/** These test the embedded engine, or start processes that use it. */
const ABOUT_THE_OWN_ENGINE = [
  'commands',
  'file-store-and-mail',
  'foreign-sites',
  'full-disk',
  'private-files',
  'replaceable-process',
  'start-and-stop',
  'stream-records',
  'table-engine',
];

const problem = fetchDynamoDbLocal();
if (problem === undefined) {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const without = ABOUT_THE_OWN_ENGINE.flatMap((name) => [
    '--exclude',
    `test/integration/local/${name}.test.ts`,
  ]);
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'integration', ...without, ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, TEST_ENGINE: 'dynamodb-local' } },
  );
  process.exitCode = status ?? 1;
} else console.log(`Skipped: ${problem}`);
