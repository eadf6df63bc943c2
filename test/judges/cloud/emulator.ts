/** The emulator as a cloud to deploy to: with its gaps closed, rights enforced, Node 24 for functions, and AWS's command line. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '#cdk/bundling';
import { StartError } from '#local/start-error';
import {
  CLOUD_FOLDER,
  EMULATOR_PYTHON,
  type Emulator,
  fetchEmulator,
  isAlive,
  startEmulator,
} from '#test/harness/emulator';

const TOOLS = join(CLOUD_FOLDER, 'tools');
/** The binary of the package `node`, which would choose it by an install script. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const NODE_VERSION = '24.21.0';
const NODE = join(TOOLS, `${NODE_PACKAGE}-${NODE_VERSION}`);

/**
 * Version 2 of the command line, for which the operations pages are written, is not on PyPI. Version 1 sends SQS to a host of its
 * own, has no option for payloads as text, which is its default, and no `logs tail`.
 */
const AWS = join(TOOLS, 'bin', 'aws');
const AWS_PROGRAM = `#!/usr/bin/env bash
args=()
for arg; do case $arg in --cli-binary-format | raw-in-base64-out) ;; *) args+=("$arg") ;; esac; done
if [ "\${args[*]:0:2}" = 'logs tail' ]; then
  since=10m more=()
  for ((i = 3; i < \${#args[@]}; i += 2)); do
    case \${args[i]} in --since) since=\${args[i + 1]} ;; *) more+=("\${args[@]:i:2}") ;; esac
  done
  since=\${since/d/*86400} since=\${since/h/*3600} since=\${since/m/*60}
  args=(logs filter-log-events --log-group-name "\${args[2]}" --start-time $((($(date +%s) - since) * 1000)) "\${more[@]}"
    --query 'events[].[message]' --output text)
fi
exec '${EMULATOR_PYTHON}' -m awscli \${AWS_ENDPOINT_URL:+--endpoint-url "$AWS_ENDPOINT_URL"} "\${args[@]}"
`;

/** The account of every credential of the judge. */
export const ACCOUNT = '000000000000';
export const REGION = 'eu-central-1';
/** With the AWS command line. */
export const TOOLS_PATH = dirname(AWS);

/**
 * Installs the emulator and Node 24 on first use.
 * @returns why they cannot run on this machine, or undefined
 */
export function fetchTools(): string | undefined {
  const problem = fetchEmulator();
  if (problem !== undefined) return problem;
  mkdirSync(dirname(AWS), { recursive: true });
  writeFileSync(AWS, AWS_PROGRAM, { mode: 0o755 });
  // Not that of the product, which would make modules of the functions' scripts.
  writeFileSync(join(CLOUD_FOLDER, 'package.json'), '{}');
  if (existsSync(join(NODE, 'installed'))) return undefined;
  rmSync(NODE, { recursive: true, force: true });
  const install = ['install', '--silent', '--no-save', '--prefix', NODE, `${NODE_PACKAGE}@${NODE_VERSION}`];
  const { status, stderr } = spawnSync('npm', install, { encoding: 'utf8', env: environment() });
  if (status !== 0) return `Node ${NODE_VERSION} could not be installed: ${stderr.trim()}`;
  writeFileSync(join(NODE, 'installed'), '');
  return undefined;
}

/** For every process of the judge: nothing is read from or written to the user's own folders. */
export function environment(endpoint?: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: join(CLOUD_FOLDER, 'home'),
    npm_config_cache: join(CLOUD_FOLDER, 'home', 'npm'),
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

export interface EmulatedCloud extends Emulator {
  /** The emulator's output, with a line for every refused right. */
  readonly log: string;
}

/** @param outside environment of the functions next to that of the templates, such as addresses of partners */
export async function startEmulatedCloud(
  outside: Readonly<Record<string, string>> = {},
): Promise<EmulatedCloud> {
  const log = join(CLOUD_FOLDER, 'emulator.log');
  const env = environment();
  const emulator = await startEmulator({
    program: [join(import.meta.dirname, 'gaps.py')],
    logFile: log,
    env: {
      ...env,
      ...outside,
      PATH: [join(NODE, 'node_modules', NODE_PACKAGE, 'bin'), env.PATH].join(delimiter),
      // The SDK that AWS gives to functions; those of the product bring their own.
      NODE_PATH: join(ROOT, 'node_modules'),
      AUTH: 'true',
      LOG_LEVEL: 'INFO',
      MINISTACK_HOST: 'localhost',
      MINISTACK_REGION: REGION,
    },
  });
  return { ...emulator, log };
}

/**
 * Copies and logs in the folder belong to one run at a time.
 * @throws StartError while another one lives
 */
export function occupy(): void {
  const file = join(CLOUD_FOLDER, 'run.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (pid > 0 && isAlive(pid))
    throw new StartError(`Process ${pid} uses ${CLOUD_FOLDER}: let it end first, or stop it.`);
  writeFileSync(file, String(process.pid));
  process.once('exit', () => rmSync(file, { force: true }));
}
