/**
 * actionlint checks the workflows like GitHub, and their scripts if shellcheck is installed.
 * https://github.com/rhysd/actionlint
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER, run } from '#test/judges/python';

const VERSION = 'v1.7.12';
const BIN = join(FOLDER, `actionlint-${VERSION}`);
const TOOL = join(BIN, 'actionlint');

const installed =
  existsSync(TOOL) ||
  spawnSync('go', ['install', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`], {
    env: { ...process.env, GOBIN: BIN },
  }).status === 0;
if (!installed) process.stdout.write('actionlint: skipped, because Go is missing or could not install it\n');
else if (!(await run(TOOL, [], join(import.meta.dirname, '../..')))) process.exitCode = 1;
