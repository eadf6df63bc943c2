/** The script by which a deployment asks its functions, with an AWS command line that answers from a file. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';

const folder = mkdtempSync(join(tmpdir(), 'ready-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `--function-name` is the fourth argument, the file for the answer the last one. */
writeFileSync(
  join(folder, 'aws'),
  `#!/usr/bin/env bash
case $4 in
  *-broken) echo Unhandled; echo '{"errorMessage":"TABLE_NAME"}' > "\${@: -1}" ;;
  *-other) echo None; echo null > "\${@: -1}" ;;
  *-missing) exit 254 ;;
  lead-distribution-dev-*) echo None; printf '{"ready":true}' > "\${@: -1}" ;;
esac
`,
);
chmodSync(join(folder, 'aws'), 0o755);

const ask = (...functions: string[]) => {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'scripts/ready.sh'), ['dev', ...functions], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
  });
  return { status, said: stdout + stderr };
};

// Windows has no bash; the script is for the pipeline and a shell.
describe.skipIf(process.platform === 'win32')('scripts/ready.sh', () => {
  it('ends well when every function is ready', () => {
    expect(ask('leads', 'deliver')).toEqual({ status: 0, said: 'leads is ready\ndeliver is ready\n' });
  });

  it.each([
    ['broken', 'TABLE_NAME'],
    ['other', 'null'],
    ['missing', 'not reached'],
  ])('ends badly when one is %s, says why, and asks the others all the same', (name, why) => {
    const { status, said } = ask(name, 'deliver');
    expect(status).toBe(1);
    expect(said).toContain(`${name} is NOT ready`);
    expect(said).toContain(why);
    expect(said).toContain('deliver is ready');
  });

  it('ends badly when no function is named', () => {
    expect(ask().status).toBe(1);
  });
});
