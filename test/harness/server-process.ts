/** A server of somebody else as a child process for tests, ended at the latest with this process. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithThisProcess } from '#local/engine';

const START_MS = 60_000;
const POLL_INTERVAL_MS = 25;

export interface ServerProcess {
  /** Killed, not asked: only for a server that has nothing to save. */
  stop(this: void): Promise<void>;
}

/**
 * Resolves when it answers.
 * @throws Error if it does not start
 */
export async function startServerProcess(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
  answers: () => Promise<boolean>,
): Promise<ServerProcess> {
  // A process group of its own, so that what it starts ends with it.
  const child = spawn(command, args, { stdio: 'ignore', ...options, detached: true });
  const ended = once(child, 'exit');
  const release = endWithThisProcess(child.pid && -child.pid);
  const stop = async () => {
    release();
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await ended;
  };
  const until = performance.now() + START_MS;
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop();
      throw new Error(`${command} did not start`);
    }
    await wait(POLL_INTERVAL_MS);
  }
  return { stop };
}
