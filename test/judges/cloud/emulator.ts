/**
 * ministack, an emulator of AWS from PyPI, with its gaps closed by `gaps.py`. Functions run as real processes of Node 24, as in
 * the cloud. Everything it installs and writes is below `.cloud` of this project.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '#cdk/bundling';
import { freePort } from '#local/engine';

export const FOLDER = join(ROOT, '.cloud');
const TOOLS = join(FOLDER, 'tools');
const BIN = join(TOOLS, 'python', 'bin');
/** The binary of the package `node`, which would choose it by an install script. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const NODE = join(TOOLS, 'node_modules', NODE_PACKAGE, 'bin');
const GAPS = join(import.meta.dirname, 'gaps.py');

/** Pinned, because `gaps.py` changes the emulator from within. */
const FROM_PYPI = ['ministack==1.5.33', 'boto3==1.43.106', 'awscli==1.46.3', 'cryptography==50.0.2'];
const FROM_NPM = [`${NODE_PACKAGE}@24.21.0`];
/** Version 2 of the command line, which the pages of operations use, is not on PyPI: this option is the default of version 1. */
const AWS = join(TOOLS, 'bin', 'aws');
const AWS_PROGRAM = `#!/usr/bin/env bash
args=()
for arg; do case $arg in --cli-binary-format | raw-in-base64-out) ;; *) args+=("$arg") ;; esac; done
exec '${join(BIN, 'aws')}' "\${args[@]}"
`;
/** Another version is installed again. */
const INSTALLED = join(TOOLS, [...FROM_PYPI, ...FROM_NPM].join(',').replaceAll(/[=@]+/g, '-'));

/** With the AWS command line. */
export const TOOLS_PATH = [dirname(AWS), BIN].join(delimiter);

const START_MS = 30_000;
const POLL_INTERVAL_MS = 50;

/** The account of every credential of the judge. */
export const ACCOUNT = '000000000000';
export const REGION = 'eu-central-1';

/**
 * Installs the emulator and Node 24 on first use.
 * @returns why they cannot run on this machine, or undefined
 */
export function fetchTools(): string | undefined {
  if (existsSync(INSTALLED)) return undefined;
  rmSync(TOOLS, { recursive: true, force: true });
  mkdirSync(TOOLS, { recursive: true });
  // Not that of the product, which would make modules of the functions' scripts.
  writeFileSync(join(FOLDER, 'package.json'), '{}');
  const steps: readonly (readonly [problem: string, command: string, args: readonly string[]])[] = [
    ['Python 3.11 or newer with venv is missing', 'python3', ['-c', 'import sys, venv; assert sys.version_info >= (3, 11)']],
    ['Python could not make an environment', 'python3', ['-m', 'venv', join(TOOLS, 'python')]],
    ['the emulator could not be installed', join(BIN, 'pip'), ['install', '--quiet', '--no-cache-dir', ...FROM_PYPI]],
    ['Node 24 could not be installed', 'npm', ['install', '--silent', '--no-save', '--prefix', TOOLS, ...FROM_NPM]],
  ]; // biome-ignore format: a table
  for (const [problem, command, args] of steps) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env: environment() });
    if (status !== 0) return `${problem}: ${stderr}`.trim();
  }
  mkdirSync(dirname(AWS));
  writeFileSync(AWS, AWS_PROGRAM, { mode: 0o755 });
  writeFileSync(INSTALLED, '');
  return undefined;
}

/** For every process of the judge: nothing is read from or written to the user's own folders. */
export function environment(endpoint?: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: join(FOLDER, 'home'),
    npm_config_cache: join(FOLDER, 'home', 'npm'),
    PATH: [TOOLS_PATH, process.env.PATH].join(delimiter),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: '1',
    ...(endpoint !== undefined && { AWS_ENDPOINT_URL: endpoint }),
  };
}

export interface Emulator {
  readonly endpoint: string;
  /** Its output, with a line for every refused right. */
  readonly log: string;
  stop(): Promise<void>;
}

/**
 * Starts it empty, on a free loopback port. Rights are enforced.
 * @param outside further environment of the functions, such as addresses of partners
 */
export async function startEmulator(outside: Readonly<Record<string, string>> = {}): Promise<Emulator> {
  const state = join(FOLDER, 'state');
  rmSync(state, { recursive: true, force: true });
  mkdirSync(join(state, 'tmp'), { recursive: true });
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const log = join(state, 'emulator.log');
  const output = openSync(log, 'w', 0o600);
  const env = environment();
  const child = spawn(join(BIN, 'python'), [GAPS], {
    cwd: state,
    // A group of its own, so that the processes of the functions end with it.
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...env,
      ...outside,
      PATH: [NODE, env.PATH].join(delimiter),
      // The SDK that AWS gives to functions; those of the product bring their own.
      NODE_PATH: join(ROOT, 'node_modules'),
      AUTH: 'true',
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_REGION: REGION,
      STATE_DIR: state,
      TMPDIR: join(state, 'tmp'),
    },
  });
  const ended = once(child, 'exit');
  const kill = () => {
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  };
  process.once('exit', kill);
  const until = performance.now() + START_MS;
  while (
    !(await fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > until) {
      kill();
      throw new Error(`The emulator did not start: ${log}`);
    }
    await wait(POLL_INTERVAL_MS);
  }
  return {
    endpoint,
    log,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
