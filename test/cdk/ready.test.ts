/**
 * The script that checks after a deployment whether the functions are ready, with an AWS command line that answers from a
 * file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { fakeCommands } from '#test/cdk/fake-commands';

const { folder, fake, run } = fakeCommands();

/** `--function-name` is the fourth argument, the response file the last one. */
fake(
  'aws',
  `case $4 in
  *-broken) echo Unhandled; echo '{"errorMessage":"TABLE_NAME"}' > "\${@: -1}" ;;
  *-other) echo None; echo null > "\${@: -1}" ;;
  *-missing) exit 254 ;;
  lead-distribution-dev-*) echo None; printf '{"ready":true}' > "\${@: -1}" ;;
esac`,
);

const ask = (...functions: string[]) => run('ready.sh', ['dev', ...functions]);

// Windows has no bash; the script runs in the pipeline and in a shell.
describe.skipIf(process.platform === 'win32')('scripts/ready.sh', () => {
  it('succeeds if every function is ready', () => {
    expect(ask('leads', 'deliver')).toEqual({ status: 0, said: 'leads is ready\ndeliver is ready\n' });
  });

  it.each([
    ['broken', 'TABLE_NAME'],
    ['other', 'null'],
    ['missing', 'not reached'],
  ])('fails if one is %s, reports why, and still checks the others', (name, why) => {
    const { status, said } = ask(name, 'deliver');
    expect(status).toBe(1);
    expect(said).toContain(`${name} is NOT ready`);
    expect(said).toContain(why);
    expect(said).toContain('deliver is ready');
  });

  it('fails without function names', () => {
    expect(ask().status).toBe(1);
  });
});

describe.skipIf(process.platform === 'win32')('a deployment with a function that is not ready', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/deploy-stage.yml'), 'utf8');
  const step = (name: string) => {
    const from = workflow.indexOf(`- name: ${name}\n`);
    expect(from, name).toBeGreaterThan(0);
    return workflow.slice(from, workflow.indexOf('\n      - ', from) + 1 || undefined);
  };

  it.each([
    ['the newest successful one', { 3: 'failure', 2: 'success', 1: 'success' }, 'sha=commit-2\n'],
    ['none without a successful one', { 3: 'failure' }, ''],
  ])('rolls back to the last working commit: %s', (_, states, output) => {
    const [, script = ''] = step('The commit that answered before').split('run: |\n');
    const to = join(folder, 'output');
    writeFileSync(to, '');
    fake(
      'gh',
      `case $2 in
  *\\?*) echo '${Object.keys(states).toReversed().join('\n')}' ;;
  */statuses) case $2 in ${Object.entries(states)
    .map(([id, state]) => `*/${id}/*) echo ${state === 'success'} ;;`)
    .join(' ')} esac ;;
  *) echo "sha=commit-\${2##*/}" ;;
esac`,
    );
    const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      env: {
        PATH: `${folder}${delimiter}${process.env.PATH}`,
        STAGE: 'dev',
        DEPLOYMENTS: 'repos/a/b/deployments',
        GITHUB_OUTPUT: to,
      },
    });
    expect([status, readFileSync(to, 'utf8')]).toEqual([0, output]);
  });

  it('is rolled back only if it was deployed, by a deployment of that commit', () => {
    expect(step('The commit that answered before')).toContain(
      "if: failure() && steps.deploy.outcome == 'success'",
    );
    expect(workflow).toContain("ref: '${{ steps.before.outputs.sha }}'");
    const back = step('Back to it');
    expect(back).toContain("if: failure() && steps.before.outputs.sha != ''");
    expect(back).toContain('npx cdk deploy "$STAGE/*"');
    // Their results decide, so both come before the rollback.
    for (const asked of ['It answers', 'Every function is ready'])
      expect(workflow.indexOf(`- name: ${asked}`)).toBeLessThan(workflow.indexOf('- name: Back to it'));
  });
});
