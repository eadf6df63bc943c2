import type { Pace } from '#functions/domain/deliveries';
import type { Runtime } from '#functions/runtime';

/** Connections to one destination from one worker; the number of workers is bounded where they are deployed. */
const AT_ONCE = 4;
/** Milliseconds between two beginnings at one destination. */
const APART = 20;

interface Destination {
  running: number;
  nextStart: number;
  readonly waiting: (() => void)[];
}

/** At most four calls at once to a destination, and at most fifty new ones a second. */
export function createPace(runtime: Pick<Runtime, 'now' | 'sleep'>): Pace {
  const destinations = new Map<string, Destination>();
  return async (name, work) => {
    const destination = destinations.get(name) ?? { running: 0, nextStart: 0, waiting: [] };
    destinations.set(name, destination);
    if (destination.running >= AT_ONCE)
      await new Promise<void>((resolve) => destination.waiting.push(resolve));
    else destination.running += 1;
    try {
      const now = runtime.now().getTime();
      const start = Math.max(now, destination.nextStart);
      destination.nextStart = start + APART;
      if (start > now) await runtime.sleep(start - now);
      return await work();
    } finally {
      const next = destination.waiting.shift();
      // A waiting call takes the place over, so the count stays as it is.
      if (next !== undefined) next();
      else destination.running -= 1;
    }
  };
}
