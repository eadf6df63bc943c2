import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { vi } from 'vitest';
import { BARE_ENVIRONMENT } from '#test/harness/product-process';

/** A product that a command started. */
interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Once it is ready. */
  readonly url: () => Promise<string>;
}

export function startProduct(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = join(import.meta.dirname, '..', '..'),
): Run {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: { ...BARE_ENVIRONMENT, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', resolve)),
    url: () =>
      vi.waitFor(
        () => {
          const found = /Ready on (\S+)/.exec(output)?.[1];
          if (found === undefined) throw new Error(output);
          return found;
        },
        { timeout: 45_000, interval: 50 },
      ),
  };
}
