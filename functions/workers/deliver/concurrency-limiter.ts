import {
  type DestinationLease,
  type DestinationLeases,
  LEASES_PER_DESTINATION,
} from '#functions/data/deliveries/destination-permits';
import type { ConcurrencyLimiter } from '#functions/domain/deliveries/deliveries';
import type { Runtime } from '#functions/runtime';

/** Of the places at a destination, those that one worker uses: more would wait for the table instead of here. */
const AT_ONCE = 4;
/** Milliseconds that a worker waits for a place, and between two looks; then the message goes back to the queue. */
const PATIENCE = 2_000;
const LOOK_EVERY = 150;
/** Milliseconds, longer than a call can take. */
const LEASE = 60_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** At most four calls at once to a destination from this worker, and eight over all workers. */
export function createConcurrencyLimiter(
  leases: DestinationLeases,
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>,
): ConcurrencyLimiter {
  const lines = new Map<string, Line>();

  const leaseOf = async (destination: string): Promise<DestinationLease | undefined> => {
    for (let waited = 0; ; waited += LOOK_EVERY) {
      // Two looks side by side would take two places; one at random, then its neighbour.
      const first = Math.floor(runtime.random() * LEASES_PER_DESTINATION);
      for (const number of [first, (first + 1) % LEASES_PER_DESTINATION]) {
        const lease = await leases.take(destination, number, runtime.now(), LEASE);
        if (lease !== undefined) return lease;
      }
      if (waited >= PATIENCE) return undefined;
      await runtime.sleep(LOOK_EVERY * (0.5 + runtime.random()));
    }
  };

  return async (destination, work) => {
    const line = lines.get(destination) ?? { running: 0, waiting: [] };
    lines.set(destination, line);
    if (line.running >= AT_ONCE) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      const lease = await leaseOf(destination);
      if (lease === undefined) return false;
      try {
        await work();
      } finally {
        await leases.leave(lease, runtime.now());
      }
      return true;
    } finally {
      const next = line.waiting.shift();
      // A waiting call takes the place over, so the count stays as it is.
      if (next !== undefined) next();
      else line.running -= 1;
    }
  };
}
