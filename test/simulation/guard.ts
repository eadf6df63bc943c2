/**
 * Finds whatever leaves the scheduler: a timer, a socket, a file, a thread, an import on demand, and direct reads of the
 * clock or of randomness. One such await makes two runs of a seed differ, and no rule of the product notices it.
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { isScheduling } from '#test/simulation/kernel';

/** Resources whose order the language fixes, and what the product only uses in its synchronous form. */
const ORDERED: ReadonlySet<string> = new Set([
  'PROMISE',
  'Microtask',
  'RANDOMBYTESREQUEST',
  'DERIVEBITSREQUEST',
]);

const STACK_FRAMES = 20;

interface Leaks {
  readonly found: string[];
}
/** Everything that a history starts carries it, and nothing of the test runner around it does. */
const history = new AsyncLocalStorage<Leaks>();

function note(what: string): void {
  const leaks = history.getStore();
  if (leaks === undefined) return;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  // The first frame of the product's own code says more than those of the library that was called.
  const where =
    frames.find((frame) => /[/\\](functions|shared)[/\\]/.test(frame) && !frame.includes('node_modules')) ??
    frames[3];
  leaks.found.push(`${what} ${where?.trim() ?? ''}`);
}

/**
 * Runs a history and watches what it starts. It takes longer by that.
 * @returns what the history returned, and what left the scheduler, with its place
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

/** Reads of the clock and of randomness that do not come from the runtime are noted, and answered as ever. */
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
