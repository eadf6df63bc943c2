/**
 * ministack: an emulator of AWS, as a second opinion on the embedded engines and as a cloud to deploy to. Needs Python 3.11.
 * Everything that it installs or writes is in `.cloud` of this checkout. https://github.com/ministackorg/ministack
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, freePort } from '#local/engine';
import { startServerProcess } from '#test/harness/server-process';

export const EMULATOR_VERSION = '1.5.33';
const PACKAGES = [
  `ministack==${EMULATOR_VERSION}`,
  'cryptography==50.0.2',
  'boto3==1.43.106',
  'awscli==1.46.3',
];
const MIN_PYTHON = 11;

export const CLOUD_FOLDER = fileURLToPath(new URL('../../.cloud', import.meta.url));
const HOME = join(CLOUD_FOLDER, `venv-${EMULATOR_VERSION}`);
export const EMULATOR_PYTHON = join(HOME, 'bin', 'python');

/**
 * Installs it if it is missing.
 * @returns why it cannot run on this machine, or undefined
 */
export function fetchEmulator(): string | undefined {
  if (existsSync(HOME)) return undefined;
  if (process.platform === 'win32') return 'Windows has no process groups';
  const { stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (Number(/Python 3\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0) < MIN_PYTHON)
    return `Python 3.${MIN_PYTHON} or newer is not installed as python3`;
  console.error(`Installing the emulator in ${CLOUD_FOLDER}, for about a minute …`);
  mkdirSync(CLOUD_FOLDER, { recursive: true });
  // Renamed when complete, so that an interrupted installation never looks complete. Scripts in `bin` name the first folder.
  const folder = mkdtempSync(join(CLOUD_FOLDER, 'fetch-'));
  const failed = [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--no-cache-dir', ...PACKAGES],
  ]
    .map(([command = '', ...args]) => spawnSync(command, args, { encoding: 'utf8' }))
    .find(({ status }) => status !== 0);
  if (failed === undefined) renameSync(folder, HOME);
  else rmSync(folder, { recursive: true, force: true });
  return failed && `Python could not install the emulator: ${(failed.stderr || failed.stdout).trim()}`;
}

export interface EmulatorOptions {
  /** What Python runs: the emulator itself by default. */
  readonly program?: readonly string[];
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Of its log; nowhere by default. */
  readonly logFile?: string;
}

export interface Emulator extends Engine {
  readonly port: number;
  /** Of its temporary files, deleted when it stops. */
  readonly folder: string;
}

/** State of processes that were killed. */
function clearLeftovers(): void {
  for (const name of readdirSync(CLOUD_FOLDER)) {
    const pid = /^state-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(CLOUD_FOLDER, name), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Starts it on a free loopback port.
 * @throws Error if it does not start
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const problem = fetchEmulator();
  if (problem !== undefined) throw new Error(problem);
  clearLeftovers();
  const folder = mkdtempSync(join(CLOUD_FOLDER, `state-${process.pid}-`));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const log = options.logFile === undefined ? 'ignore' : openSync(options.logFile, 'w');
  const server = await startServerProcess(
    EMULATOR_PYTHON,
    options.program ?? ['-m', 'ministack'],
    {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        BIND_HOST: '127.0.0.1',
        GATEWAY_PORT: String(port),
        MINISTACK_HOST: '127.0.0.1',
        TMPDIR: folder,
        STATE_DIR: folder,
        S3_DATA_DIR: join(folder, 's3'),
        LOG_LEVEL: 'WARNING',
        IOT_MTLS_ENABLED: '0',
        SFTP_ENABLED: '0',
        ...options.env,
      },
    },
    () =>
      fetch(`${endpoint}/_ministack/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  return {
    endpoint,
    port,
    folder,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
