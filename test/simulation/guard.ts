/**
 * Detects everything that escapes the scheduler: timers, sockets, files, threads, dynamic imports, and direct use of the
 * clock or randomness. One such await makes two runs of a seed differ, which no rule would detect.
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { isScheduling } from '#test/simulation/kernel';

/** Resources whose order the language fixes, or that the product uses only synchronously. */
const ORDERED: ReadonlySet<string> = new Set([
  'PROMISE',
  'Microtask',
  'RANDOMBYTESREQUEST',
  'DERIVEBITSREQUEST',
  'ZLIB',
]);

const STACK_FRAMES = 20;

interface Leaks {
  readonly found: string[];
}
/** Marks everything started by a history, but nothing of the test runner. */
const history = new AsyncLocalStorage<Leaks>();

function note(what: string): void {
  const leaks = history.getStore();
  if (leaks === undefined) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  // The first frame of the product's own code says more than the library's frames.
  const where =
    frames.find((frame) => /[/\\](functions|shared)[/\\]/.test(frame) && !frame.includes('node_modules')) ??
    frames[3];
  leaks.found.push(`${what} ${where?.trim() ?? ''}`);
}

/**
 * Runs a history and watches what it starts, which takes longer.
 * @returns the history's result, and what escaped, with its location
 */
export async function watched<T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly leaks: readonly string[] }> {
  const leaks: Leaks = { found: [] };
  const hook = createHook({
    init: (_, type) => {
      if (!ORDERED.has(type) && !isScheduling()) note(type);
    },
  });
  const restore = replaceClocks();
  hook.enable();
  try {
    return { value: await history.run(leaks, run), leaks: leaks.found };
  } finally {
    hook.disable();
    // As long as it is enabled, every promise takes longer.
    history.disable();
    restore();
  }
}

/** Records direct use of the clock and randomness, without changing the results. */
function replaceClocks(): () => void {
  const { Date: date } = globalThis;
  const { random } = Math;
  const now = performance.now.bind(performance);
  globalThis.Date = new Proxy(date, {
    construct: (target, given, self) => {
      if (given.length === 0) note('new Date()');
      return Reflect.construct(target, given, self === globalThis.Date ? target : self);
    },
    get: (target, name) => {
      if (name === 'now') note('Date.now');
      return Reflect.get(target, name);
    },
  });
  Math.random = () => {
    note('Math.random');
    return random();
  };
  performance.now = () => {
    note('performance.now');
    return now();
  };
  return () => {
    globalThis.Date = date;
    Math.random = random;
    Reflect.deleteProperty(performance, 'now');
  };
}
