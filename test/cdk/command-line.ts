/** Documented `npx cdk` commands, read by the CDK's own command line. Its app only prints the context, so nothing is deployed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '#cdk/bundling';

/** Of a page: its commands with options, also those over several lines. */
export function cdkCommands(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n\s*/g, '');
  return [...text.matchAll(/npx (cdk [^`\n]* -[^`\n]*)/g)].map(([, command = '']) => command);
}

/** @returns `complaints`, about arguments that the command line ignores, and the context that it gives to the app */
export async function readByCdk(
  command: string,
): Promise<{ readonly complaints: readonly string[]; readonly context: Readonly<Record<string, unknown>> }> {
  const output = mkdtempSync(join(tmpdir(), 'cdk-arguments-'));
  const [, ...words] = command.replaceAll(/['"]/g, '').split(/\s+/);
  const app = ['--app', 'node -p process.env.CDK_CONTEXT_JSON', '--output', output, '--no-notices'];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...words, ...app], {
    cwd: ROOT,
    env: { ...process.env, AWS_EC2_METADATA_DISABLED: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
  });
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n').split('\n');
  rmSync(output, { recursive: true, force: true });
  const isContext = (line: string) => line.startsWith('{');
  // Without templates every command stops.
  const isExpected = (line: string) =>
    line === '' || isContext(line) || line.includes(join(output, 'manifest.json'));
  return {
    complaints: said.filter((line) => !isExpected(line)),
    context: JSON.parse(said.find(isContext) ?? '{}') as Record<string, unknown>,
  };
}
