/** A process that is replaced when its code changes, while requests wait. */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReplaceableOptions {
  readonly module: string;
  readonly environment: Readonly<Record<string, string>>;
  /** For open requests, such as those that a page holds; 3 s by default. */
  readonly answeredWithinMs?: number;
  readonly onReplaced: (milliseconds: number) => void;
  /** It stays ended until the code changes. */
  readonly onEnded: () => void;
}

const KILL_AFTER_MS = 10_000;

const ANSWERED_WITHIN_MS = 3000;

export class ReplaceableProcess {
  readonly #options: ReplaceableOptions;
  #serving: ChildProcess | undefined;
  /** Started ahead, with the packages loaded. */
  #spare: ChildProcess | undefined;
  #hasServed = false;
  #outdated = false;
  #stopped = false;
  #replacing: Promise<void> | undefined;
  readonly #unanswered = new Set<Promise<void>>();

  constructor(options: ReplaceableOptions) {
    this.#options = options;
  }

  /** Waits while one process hands over to the next. @param answered the process is not replaced before */
  async isServing(answered: Promise<void> = Promise.resolve()): Promise<boolean> {
    while (this.#serving === undefined && this.#replacing !== undefined) await this.#replacing;
    if (this.#serving === undefined) return false;
    this.#unanswered.add(answered);
    void answered.finally(() => this.#unanswered.delete(answered));
    return true;
  }

  replace(): Promise<void> {
    this.#outdated = true;
    this.#replacing ??= this.#replaceWhileOutdated().finally(() => {
      this.#replacing = undefined;
      if (!this.#stopped) this.#spare ??= this.#launch();
    });
    return this.#replacing;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#spare?.kill('SIGKILL');
    await end(this.#serving);
    await this.#replacing;
  }

  async #replaceWhileOutdated(): Promise<void> {
    const began = performance.now();
    while (this.#outdated && !this.#stopped) {
      this.#outdated = false;
      const next = this.#spare ?? this.#launch();
      this.#spare = undefined;
      next.send('load');
      if (!(await receivesMessage(next, 'loaded'))) {
        // If the new code cannot be loaded, the old process continues.
        if (this.#serving === undefined && !this.#outdated) this.#options.onEnded();
        continue;
      }
      if (this.#outdated || this.#stopped) {
        next.kill('SIGKILL');
        continue;
      }
      const replaced = this.#serving !== undefined;
      await this.#handOver(next);
      if (replaced && this.#serving === next) this.#options.onReplaced(performance.now() - began);
    }
  }

  async #handOver(next: ChildProcess): Promise<void> {
    const before = this.#serving;
    this.#serving = undefined;
    const { answeredWithinMs = ANSWERED_WITHIN_MS } = this.#options;
    await Promise.race([Promise.all(this.#unanswered), delay(answeredWithinMs, undefined, { ref: false })]);
    await end(before);
    next.send('start');
    if (!(await receivesMessage(next, 'ready'))) {
      this.#options.onEnded();
      return;
    }
    this.#serving = next;
    this.#hasServed = true;
    next.once('exit', () => {
      if (this.#serving !== next || this.#stopped) return;
      this.#serving = undefined;
      this.#options.onEnded();
    });
  }

  /** In a separate process group, so that Ctrl-C reaches only this process. */
  #launch(): ChildProcess {
    const { module, environment } = this.#options;
    const first = this.#hasServed ? [] : ['--first'];
    const child = fork(module, first, {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, ...environment },
      detached: true,
    });
    // A message to an ended process fails; `exit` is handled anyway.
    return child.on('error', () => {});
  }
}

function receivesMessage(child: ChildProcess, word: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (hasEnded(child)) resolve(false);
    child.on('message', (message) => {
      if (message === word) resolve(true);
    });
    child.once('exit', () => resolve(false));
  });
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.send('stop');
  await ended;
  clearTimeout(kill);
}
