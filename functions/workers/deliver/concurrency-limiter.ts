import {
  type DestinationLease,
  type DestinationLeases,
  LEASES_PER_DESTINATION,
} from '#functions/data/deliveries/destination-leases';
import type { ConcurrencyLimiter } from '#functions/domain/deliveries/deliveries';
import type { Runtime } from '#functions/runtime';

/** Calls at once from one worker to a destination; more would wait for a lease in the table instead of in memory. */
const MAX_CALLS_PER_WORKER = 4;
/** How long a worker waits for a lease before the message returns to the queue. */
const MAX_WAIT_MS = 2_000;
/** Between two attempts to take a lease, on average. */
const POLL_INTERVAL_MS = 150;
/** Longer than a call can take. */
const LEASE_MS = 60_000;

/** The calls of this worker to one destination. */
interface DestinationCalls {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Bounds the calls at once to a destination: `MAX_CALLS_PER_WORKER` from this worker, `LEASES_PER_DESTINATION` over
 * all workers.
 */
export function createConcurrencyLimiter(
  leases: DestinationLeases,
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>,
): ConcurrencyLimiter {
  const callsByDestination = new Map<string, DestinationCalls>();

  const takeLease = async (destination: string): Promise<DestinationLease | undefined> => {
    for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
      // One lease at random, then the next one; asking for both at the same time could take two leases.
      const first = Math.floor(runtime.random() * LEASES_PER_DESTINATION);
      for (const number of [first, (first + 1) % LEASES_PER_DESTINATION]) {
        const lease = await leases.take(destination, number, runtime.now(), LEASE_MS);
        if (lease !== undefined) return lease;
      }
      if (waitedMs >= MAX_WAIT_MS) return undefined;
      await runtime.sleep(POLL_INTERVAL_MS * (0.5 + runtime.random()));
    }
  };

  return async (destination, work) => {
    const calls = callsByDestination.get(destination) ?? { running: 0, waiting: [] };
    callsByDestination.set(destination, calls);
    if (calls.running >= MAX_CALLS_PER_WORKER)
      await new Promise<void>((resolve) => calls.waiting.push(resolve));
    else calls.running += 1;
    try {
      const lease = await takeLease(destination);
      if (lease === undefined) return false;
      try {
        await work();
      } finally {
        await leases.release(lease, runtime.now());
      }
      return true;
    } finally {
      const next = calls.waiting.shift();
      // The next waiting call replaces this one, so the number of running calls stays the same.
      if (next !== undefined) next();
      else calls.running -= 1;
    }
  };
}
