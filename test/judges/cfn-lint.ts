/** cfn-lint checks the synthesised templates like CloudFormation. https://github.com/aws-cloudformation/cfn-lint */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonTool, run } from '#test/judges/python';

const tool = pythonTool('cfn-lint');
if (tool !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const { status } = spawnSync('npx', ['cdk', 'synth', '--quiet', '--output', folder], {
      stdio: 'inherit',
    });
    const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => join(folder, file));
    if (status !== 0 || templates.length === 0 || !(await run(tool, templates))) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
