/** Deploys sources of the product onto the emulator with the CDK's own command line, as the pages of operations describe it. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '#cdk/bundling';
import { config } from '#cdk/config';
import { CLOUD_FOLDER } from '#test/harness/emulator';
import { ACCOUNT, environment, REGION } from '#test/judges/cloud/emulator';

export const STACK = 'lead-distribution-dev';

/** Of the stack, by name. */
export interface Outputs {
  readonly Url: string;
  readonly FirstAdminSecret: string;
  readonly TableName: string;
  readonly KeyArn: string;
  readonly Functions: string;
  readonly DistributionId: string;
}

/**
 * A copy of the product's sources, which may be changed.
 * @param commit by default the working tree with its changes
 */
export function copySources(name: string, commit?: string): string {
  const folder = join(CLOUD_FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (commit === undefined)
    for (const file of git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')) {
      if (file === '' || !existsSync(join(ROOT, file))) continue;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
  else {
    const { stdout, stderr, status } = spawnSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
    if (status !== 0) throw new Error(`There is no commit ${commit}: ${stderr.toString()}`);
    const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: stdout });
    if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr.toString()}`);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function git(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** @throws Error unless the file has `old` exactly once */
export function change(folder: string, file: string, old: string, by: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(old);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${old}`);
  writeFileSync(path, parts.join(by));
}

export interface Ended {
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** Commands against one emulator. */
export class Account {
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  bootstrap(): Promise<Ended> {
    const { qualifier } = config.dev;
    const to = `aws://${ACCOUNT}/${REGION}`;
    return this.cdk(
      CLOUD_FOLDER,
      'bootstrap',
      to,
      '--qualifier',
      qualifier,
      '--toolkit-stack-name',
      `CDKToolkit-${qualifier}`,
    );
  }

  synthesize(folder: string): Promise<Ended> {
    return this.cdk(folder, 'synth', 'dev/*', '--quiet');
  }

  /** @param folder of synthesized sources */
  async deploy(folder: string): Promise<Ended & { readonly outputs: Outputs }> {
    const file = join(folder, 'outputs.json');
    const options = ['--require-approval', 'never', '--outputs-file', file];
    const ended = await this.cdk(folder, 'deploy', 'dev/*', '--app', 'cdk.out', ...options);
    const outputs = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Outputs>)
      : {};
    return { ...ended, outputs: outputs[STACK] as Outputs };
  }

  destroy(folder: string): Promise<Ended> {
    return this.cdk(folder, 'destroy', 'dev/*', '--app', 'cdk.out', '--force');
  }

  cdk(folder: string, ...args: string[]): Promise<Ended> {
    return this.run(
      folder,
      process.execPath,
      join(ROOT, 'node_modules/aws-cdk/bin/cdk'),
      ...args,
      '--ci',
      '--no-color',
    );
  }

  /**
   * What the AWS command line answers.
   * @param query the wanted part, in JMESPath
   */
  async ask(service: string, command: string, query: string, ...options: string[]): Promise<unknown> {
    const args = [service, command, '--query', query, '--output', 'json', ...options];
    const { ok, output } = await this.run(ROOT, 'aws', ...args);
    if (!ok) throw new Error(`aws ${args.join(' ')}: ${output}`);
    return JSON.parse(output) as unknown;
  }

  async run(cwd: string, command: string, ...args: string[]): Promise<Ended> {
    const began = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: { ...environment(this.endpoint), CDK_DEFAULT_ACCOUNT: ACCOUNT, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const code = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { ok: (await code) === 0, output: out + problems, seconds: (performance.now() - began) / 1000 };
  }
}
