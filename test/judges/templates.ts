/**
 * Two judges of the synthesised templates: cfn-lint checks them like CloudFormation, checkov by common rules of security.
 * https://github.com/aws-cloudformation/cfn-lint, https://www.checkov.io
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOV, checkovAccepts } from '#test/judges/checkov';
import { pythonTool, run } from '#test/judges/python';

/** Pinned like checkov. */
const CFN_LINT = '1.58.0';

const cfnLint = pythonTool('cfn-lint', CFN_LINT);
const checkov = pythonTool('checkov', CHECKOV);
if (cfnLint !== undefined || checkov !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const { status } = spawnSync('npx', ['cdk', 'synth', '--quiet', '--output', folder], {
      stdio: 'inherit',
    });
    const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => join(folder, file));
    if (status !== 0 || templates.length === 0) process.exitCode = 1;
    else {
      if (cfnLint !== undefined && !(await run(cfnLint, templates))) process.exitCode = 1;
      if (checkov !== undefined && !checkovAccepts(checkov, templates)) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
