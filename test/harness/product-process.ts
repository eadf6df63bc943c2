/**
 * The product as `npm start` runs it, in a separate process that can be killed and restarted on its data; bundled for a
 * fast start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findRunning } from '#local/running';
import { bundledProgram } from '#test/harness/bundled-program';

const ROOT = join(import.meta.dirname, '..', '..');
/** Enough for thousands of waiting deliveries on a busy machine. */
const START_TIMEOUT_MS = 180_000;
const CHECK_EVERY_MS = 20;

/** Like `npm start`, but on free ports, without demo data, and without the tests' environment. */
export const BARE_ENVIRONMENT = {
  PATH: process.env.PATH,
  PORT: '0',
  SMTP_PORT: '0',
  PARTNERS_PORT: '0',
  DEMO: '0',
} as const;

/** Whether processes can be listed; only Linux has /proc. */
export const CAN_LIST_PROCESSES = existsSync('/proc/self/cmdline');

/** IDs of processes whose command line contains this text. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);

export interface ProductProcess {
  /** Address of the gateway; the same after every start. */
  readonly url: string;
  /** Address of the table while it runs. */
  readonly endpoint: string;
  /** ID of the current process. */
  readonly pid: number | undefined;
  /** The output of all runs. */
  readonly output: () => string;
  /**
   * Resolves when the product is ready.
   * @throws Error if it ends before
   */
  start(): Promise<void>;
  /** Starts it without waiting. */
  launch(): void;
  /** Sends a signal to the process itself. */
  signal(signal: NodeJS.Signals): void;
  /**
   * Kills the table's engine, which also ends the product.
   * @returns false if it was not found
   */
  killEngine(): boolean;
  /** Resolves when the process has ended. */
  ended(): Promise<void>;
  /** Shuts down gracefully. */
  stop(): Promise<void>;
}

export interface ProductProcessOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Why the process will not become ready, if known. */
function whyNotReady(child: ChildProcess | undefined, deadline: number): string | undefined {
  if (child?.signalCode) return `ended by ${child.signalCode}`;
  if (typeof child?.exitCode === 'number') return `ended with exit code ${child.exitCode}`;
  return Date.now() > deadline ? `not ready within ${START_TIMEOUT_MS} ms` : undefined;
}

export async function productProcess({
  dataDir,
  port,
  environment,
}: ProductProcessOptions): Promise<ProductProcess> {
  const program = await bundledProgram('local/main.ts');
  let child: ChildProcess | undefined;
  let output = '';
  /** Where the current run's output begins. */
  let begin = 0;
  const url = `http://localhost:${port}`;
  const launch = () => {
    begin = output.length;
    child = spawn(process.execPath, [program], {
      cwd: ROOT,
      env: {
        ...BARE_ENVIRONMENT,
        DATA_DIR: dataDir,
        PORT: String(port),
        ...environment,
      },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
  };
  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const ended = async () => {
    if (!hasEnded() && child !== undefined) await once(child, 'exit');
  };
  return {
    url,
    get endpoint() {
      const running = findRunning(dataDir);
      if (running === undefined) throw new Error(`No product runs in ${dataDir}`);
      return running.dynamodbEndpoint;
    },
    get pid() {
      return child?.pid;
    },
    output: () => output,
    launch,
    async start() {
      launch();
      const deadline = Date.now() + START_TIMEOUT_MS;
      while (!output.slice(begin).includes('Ready on')) {
        const why = whyNotReady(child, deadline);
        if (why !== undefined) throw new Error(`The product did not start: ${why}\n${output.slice(begin)}`);
        await wait(CHECK_EVERY_MS);
      }
    },
    signal: (signal) => void child?.kill(signal),
    killEngine() {
      const engines = processesWith(join(dataDir, 'table.db')).filter((id) => id !== child?.pid);
      for (const id of engines) process.kill(id, 'SIGKILL');
      return engines.length > 0;
    },
    ended,
    async stop() {
      if (hasEnded()) return;
      child?.kill('SIGTERM');
      await ended();
    },
  };
}
