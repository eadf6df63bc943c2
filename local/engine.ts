/** The table's engine: dynoxide, a DynamoDB on SQLite, as a child process that never outlives this one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { listen } from '#local/listen';
import { makePrivateFile, makePrivateFolder } from '#local/private-files';
import { StartError, systemCode } from '#local/start-error';
import { hasStreamIndexes, makeStreamIndexes } from '#local/stream-records';

export interface Engine {
  readonly endpoint: string;
  /** The data stay in the file. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  readonly file: string;
  /** Called if the engine ends without `stop`. */
  readonly onExit?: (reason: string) => void;
}

const MAX_START_ATTEMPTS = 5;

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const binary = engineBinary();
  makePrivateFolder(dirname(options.file));
  makePrivateFile(options.file);
  if (!hasStreamIndexes(options.file)) {
    const first = await launch(binary, options.file);
    await end(first.child);
    first.release();
  }
  makeStreamIndexes(options.file);

  const { child, endpoint, release } = await launch(binary, options.file);
  let stopping = false;
  child.once('exit', (code, signal) => {
    release();
    if (!stopping) options.onExit?.(`The table's engine ended unexpectedly (${signal ?? code})`);
  });
  return {
    endpoint,
    async stop() {
      stopping = true;
      await end(child);
    },
  };
}

export const ENGINE_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['darwin-arm64', 'dynoxide'],
  ['darwin-x64', 'dynoxide'],
  ['linux-arm64', 'dynoxide'],
  ['linux-x64', 'dynoxide'],
  ['win32-x64', 'dynoxide.exe'],
]);

const OTHER_ENGINE =
  'start DynamoDB Local ("docker run --rm -p 8000:8000 amazon/dynamodb-local") and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.';

/** @throws StartError if it is not installed, or does not exist */
export function engineBinary(platform = `${process.platform}-${process.arch}`): string {
  const program = ENGINE_PROGRAMS.get(platform);
  if (program === undefined)
    throw new StartError(`There is no table engine for ${platform}: ${OTHER_ENGINE}`);
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/${program}`);
  } catch {
    throw new StartError(
      `The table engine is not installed: run "npm ci --include=optional", or "npm i --no-save @dynoxide/${platform}"; or ${OTHER_ENGINE}`,
    );
  }
}

interface Launched {
  readonly child: ChildProcess;
  readonly endpoint: string;
  readonly release: () => void;
}

async function launch(binary: string, file: string): Promise<Launched> {
  for (let attempt = 1; ; attempt += 1) {
    const host = unguessableLoopback();
    const launched = await tryStart(binary, file, host, await freePort(host));
    if ('child' in launched) return launched;
    if (!launched.output.includes('already in use') || attempt >= MAX_START_ATTEMPTS)
      throw new StartError(
        `The table's engine did not start: ${launched.output.trim() || 'no reason given'}`,
      );
  }
}

/** Node instead of a shell, because no shell exists on every platform. */
const WATCHDOG =
  "process.stdin.resume().on('close', () => { try { process.kill(Number(process.argv[1])); } catch {} });";

/**
 * Ends the process, or the group if negative, when a pipe to this process closes.
 * @returns what ends the watch
 */
export function endWithThisProcess(pid: number | undefined): () => void {
  const watchdog = spawn(process.execPath, ['-e', WATCHDOG, '--', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    // Without options of this process, such as a debugger.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  return () => watchdog.kill('SIGKILL');
}

/** In a separate process group, so that Ctrl-C reaches only this process, which can finish. */
function tryStart(
  binary: string,
  file: string,
  host: string,
  port: number,
): Promise<Launched | { output: string }> {
  const child = spawn(binary, ['--host', host, '--port', String(port), '--db-path', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const release = endWithThisProcess(child.pid);
  return new Promise((resolve) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('listening on')) return;
      child.stdout.off('data', read).resume();
      child.stderr.off('data', read).resume();
      resolve({ child, endpoint: `http://${host}:${port}`, release });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    const failed = (reason: string) => {
      release();
      resolve({ output: reason });
    };
    child.once('error', (error) => failed(systemCode(error) ?? error.message));
    child.once('exit', () => failed(output));
  });
}

const KILL_AFTER_MS = 5000;

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/**
 * The engine answers pages of every origin (CORS) without a password. A page could search for a port, but not for one of 16
 * million addresses. macOS has only one loopback address.
 */
function unguessableLoopback(): string {
  if (process.platform === 'darwin') return '127.0.0.1';
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0, host);
  probe.close();
  await once(probe, 'close');
  return port;
}
