/** The scripts of the weekly and monthly workflows, with stubbed command lines, and the roles of the workflows. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { PipelineStack } from '#cdk/stacks/pipeline-stack';
import { fakeCommands } from '#test/cdk/fake-commands';
import { type Json, ofType } from '#test/cdk/synthesise';

const { folder, fake, run: runScript } = fakeCommands();
const calls = join(folder, 'calls');
beforeEach(() => rmSync(calls, { force: true }));

/** A command that records its calls. */
const command = (name: string, answers: string) => fake(name, `echo "${name} $*" >> '${calls}'\n${answers}`);
/** Answers of the AWS command line; at the first query the detection still runs. */
command(
  'aws',
  `case "$2 $*" in
  describe-stacks*Outputs*TableName*) echo the-table ;;
  describe-stacks*Outputs*KeyArn*) echo the-key ;;
  describe-stacks*--region\\ us-east-1*) echo "$EDGE_STACKS" ;;
  describe-stacks*) echo "$STACKS" ;;
  detect-stack-drift*) echo detection ;;
  describe-stack-drift-detection-status*)
    [ -e '${folder}/looked' ] || { touch '${folder}/looked'; echo DETECTION_IN_PROGRESS None None; exit; }
    echo "$DETECTED" ;;
  describe-stack-resource-drifts*) echo 'MODIFIED AWS::SQS::Queue TheQueue /DelaySeconds' ;;
  wait*|restore-table*|delete-table*) echo DONE ;;
esac`,
);
command('npm', `case "$*" in *verify\\ decisions*) echo "$DECISIONS" ;; *"$BROKEN"*) exit 1 ;; esac`);

function run(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  rmSync(join(folder, 'looked'), { force: true });
  const ended = runScript(script, args, { PAUSE_SECONDS: '0', ...env });
  return { ...ended, called: existsSync(calls) ? readFileSync(calls, 'utf8') : '' };
}

// Windows has no bash; the scripts run in the pipeline.
describe.skipIf(process.platform === 'win32')('scripts/drift.sh', () => {
  const look = (env: Readonly<Record<string, string>>) =>
    run('drift.sh', ['dev', 'eu-central-1', 'us-east-1'], {
      STACKS: 'lead-distribution-dev',
      EDGE_STACKS: 'lead-distribution-dev-edge',
      DETECTED: 'DETECTION_COMPLETE IN_SYNC None',
      ...env,
    });

  it('succeeds if every stack matches its template', () => {
    const { status, said } = look({});
    expect(said).toBe(
      'lead-distribution-dev in eu-central-1: IN_SYNC\nlead-distribution-dev-edge in us-east-1: IN_SYNC\n',
    );
    expect(status).toBe(0);
  });

  it('reports the differences without requesting values', () => {
    const { status, said, called } = look({ DETECTED: 'DETECTION_COMPLETE DRIFTED None' });
    expect(status).toBe(1);
    expect(said).toContain('AWS::SQS::Queue TheQueue /DelaySeconds');
    expect(said).toContain('lead-distribution-dev-edge in us-east-1');
    expect(called).not.toMatch(/ActualValue|ExpectedValue|ActualProperties/);
  });

  it.each([
    [
      'a stack could not be compared',
      { DETECTED: 'DETECTION_FAILED None no right to read' },
      /no right to read/,
    ],
    ['there is none', { STACKS: '', EDGE_STACKS: '' }, /dev has no stacks/],
  ])('fails if %s', (_, env, why) => {
    const { status, said } = look(env);
    expect(status).toBe(1);
    expect(said).toMatch(why);
  });
});

describe.skipIf(process.platform === 'win32')('scripts/try-restore.sh', () => {
  const restore = (env: Readonly<Record<string, string>>, stage = 'dev') =>
    run('try-restore.sh', [stage], { DECISIONS: '7 leads: 7 decisions agree', BROKEN: 'nothing', ...env });

  it('checks a restored table in three parts and deletes it', () => {
    const { status, said, called } = restore({});
    expect(said).toContain('7 leads');
    expect(status).toBe(0);
    expect(called).toMatch(
      /restore-table-to-point-in-time --source-table-name the-table --target-table-name (\S+-restored-\d+)/,
    );
    expect(called).toContain('KMSMasterKeyId=the-key');
    expect(called.match(/^npm run .*$/gm)).toEqual([
      'npm run --silent verify statistics',
      'npm run --silent verify replacements',
      'npm run --silent verify decisions',
    ]);
    expect(called.trimEnd().split('\n').at(-1)).toMatch(
      /^aws dynamodb delete-table --table-name \S+-restored-/,
    );
  });

  it.each([
    ['a check fails', { BROKEN: 'verify replacements' }],
    ['there was nothing to check', { DECISIONS: '0 leads: 0 decisions agree' }],
  ])('fails if %s, but still deletes the table', (_, env) => {
    const { status, called } = restore(env);
    expect(status).toBe(1);
    expect(called).toContain('delete-table');
  });

  it('does not restore prod', () => {
    const { status, called } = restore({}, 'prod');
    expect([status, called]).toEqual([1, '']);
  });
});

describe('the roles of workflows', () => {
  const stack = new PipelineStack(new App(), 'pipeline', {
    repository: { owner: 'acme', name: 'leads' },
    qualifiers: { dev: 'a', prod: 'b' },
  });
  const contexts = Object.fromEntries(
    ofType(Template.fromStack(stack).toJSON().Resources, 'AWS::IAM::Role').map(([, { Properties }]: Json) => [
      Properties.RoleName,
      Properties.AssumeRolePolicyDocument.Statement[0].Condition.StringEquals[
        'token.actions.githubusercontent.com:sub'
      ],
    ]),
  );
  const workflows = join(ROOT, '.github/workflows');
  const taken = readdirSync(workflows).flatMap((file) => {
    const text = readFileSync(join(workflows, file), 'utf8');
    return [...text.matchAll(/:role\/(\S+)/g)].map(([, role = '']) => ({ text, role }));
  });

  it('exist, and trust the trigger of their workflow', () => {
    expect(taken.map(({ role }) => role).toSorted()).toEqual([
      'lead-distribution-${{',
      'lead-distribution-diff',
      'lead-distribution-drift',
      'lead-distribution-restore',
    ]);
    for (const { text, role } of taken.filter(
      ({ role: name }) => name.includes('drift') || name.includes('restore'),
    )) {
      expect(contexts[role]).toBe('repo:acme/leads:ref:refs/heads/main');
      // A job with an environment has another subject.
      expect(text).toMatch(/\n {2}schedule:/);
      expect(text).not.toMatch(/\n {4}environment:/);
    }
  });
});
