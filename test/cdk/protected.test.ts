/** The script that checks GitHub's environments, with a stubbed `gh`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { fakeCommands } from '#test/cdk/fake-commands';

const { fake, run } = fakeCommands();
// The real one fails for an environment without branch policies.
fake(
  'gh',
  `case $2 in
  */deployment-branch-policies) [ "$BRANCHES" = none ] && exit 1; echo "$BRANCHES" ;;
  *) echo "$REVIEWERS" ;;
esac`,
);

const look = (stage: string, branches: string, reviewers: number) =>
  run('protected.sh', [stage, `repos/a/b/environments/${stage}`], {
    BRANCHES: branches,
    REVIEWERS: String(reviewers),
  });

// Windows has no bash; the script runs in the pipeline.
describe.skipIf(process.platform === 'win32')('scripts/protected.sh', () => {
  it.each([
    ['dev', 'main', 0],
    ['prod', 'main', 1],
  ])('accepts %s with branch %s and %i reviewers', (stage, branches, reviewers) => {
    expect(look(stage, branches, reviewers)).toMatchObject({ status: 0, said: '' });
  });

  it.each([
    ['prod', 'main', 0, /approve/],
    ['prod', 'none', 1, /every branch/],
    ['dev', 'main feature/*', 0, /not from main alone/],
  ])('rejects %s with branches %s and %i reviewers', (stage, branches, reviewers, why) => {
    const { status, said } = look(stage, branches, reviewers);
    expect(status).toBe(1);
    expect(said).toMatch(why);
  });

  it('runs before the role of the stage is assumed', () => {
    const workflow = readFileSync(join(ROOT, '.github/workflows/deploy-stage.yml'), 'utf8');
    const asked = workflow.indexOf('scripts/protected.sh');
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(workflow.indexOf('configure-aws-credentials'));
  });
});
