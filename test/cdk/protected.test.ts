/** The script that looks at GitHub's environments, with a `gh` that answers as told. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';

const folder = mkdtempSync(join(tmpdir(), 'protected-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The real one fails for an environment without branch policies.
writeFileSync(
  join(folder, 'gh'),
  `#!/usr/bin/env bash
case $2 in
  */deployment-branch-policies) [ "$BRANCHES" = none ] && exit 1; echo "$BRANCHES" ;;
  *) echo "$REVIEWERS" ;;
esac
`,
);
chmodSync(join(folder, 'gh'), 0o755);

const look = (stage: string, branches: string, reviewers: number) =>
  spawnSync(join(ROOT, 'scripts/protected.sh'), [stage, `repos/a/b/environments/${stage}`], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      BRANCHES: branches,
      REVIEWERS: String(reviewers),
    },
  });

// Windows has no bash; the script is for the pipeline.
describe.skipIf(process.platform === 'win32')('scripts/protected.sh', () => {
  it.each([
    ['dev', 'main', 0],
    ['prod', 'main', 1],
  ])('lets %s pass with branch %s and %i reviewers', (stage, branches, reviewers) => {
    expect(look(stage, branches, reviewers)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['prod', 'main', 0, /approve/],
    ['prod', 'none', 1, /every branch/],
    ['dev', 'main feature/*', 0, /not from main alone/],
  ])('stops %s with branches %s and %i reviewers', (stage, branches, reviewers, why) => {
    const { status, stderr } = look(stage, branches, reviewers);
    expect(status).toBe(1);
    expect(stderr).toMatch(why);
  });

  it('is asked before the role of the stage is taken', () => {
    const workflow = readFileSync(join(ROOT, '.github/workflows/deploy-stage.yml'), 'utf8');
    const asked = workflow.indexOf('scripts/protected.sh');
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(workflow.indexOf('configure-aws-credentials'));
  });
});
