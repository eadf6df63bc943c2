/**
 * The script by which a deployment asks its functions whether they are ready, with an AWS command line that answers from a
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

describe.skipIf(process.platform === 'win32')('a deployment after which something is not ready', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/deploy-stage.yml'), 'utf8');
  const step = (name: string) => {
    const from = workflow.indexOf(`- name: ${name}\n`);
    expect(from, name).toBeGreaterThan(0);
    return workflow.slice(from, workflow.indexOf('\n      - ', from) + 1 || undefined);
  };

  it.each([
    ['the newest that succeeded', { 3: 'failure', 2: 'success', 1: 'success' }, 'sha=commit-2\n'],
    ['none where there was none', { 3: 'failure' }, ''],
  ])('goes back to the commit of the deployment that answered: %s', (_, states, output) => {
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

  it('is taken back only where it was deployed, and by a deployment of that commit', () => {
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
