import {
  type DestinationLease,
  type DestinationLeases,
  RENEW_EVERY_MS,
} from '#functions/data/deliveries/destination-leases';
import type { ConcurrencyLimiter } from '#functions/domain/deliveries/outgoing';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';

/** Calls at once from one worker process to a destination, so that few of its deliveries are held by one that hangs. */
const MAX_CALLS_PER_PROCESS = 4;
/** Further calls that wait in memory for a turn: with them a fast destination never idles between two messages. */
const MAX_WAITING_PER_PROCESS = 4;
/** How long these wait at most. When no turn became free for so long, the destination hangs and nobody waits for it. */
const MAX_WAIT_MS = 2_000;
/** For a lease that is about to become free, and how often one is tried for. */
const MAX_LEASE_WAIT_MS = 250;
const MAX_LEASE_ATTEMPTS = 6;

/** The calls of this process to one destination. */
interface DestinationCalls {
  running: number;
  readonly waiting: (() => void)[];
  /** When a turn was last taken or given back, in milliseconds. */
  lastTurnMs: number;
}

/**
 * Bounds the calls at once to a destination: `MAX_CALLS_PER_PROCESS` from this process, the destination's leases over all
 * workers. A call that gets no turn soon is refused, so that a destination that hangs holds no worker but those that call it.
 */
export function createConcurrencyLimiter(
  leases: DestinationLeases,
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random' | 'log'>,
): ConcurrencyLimiter {
  const callsByDestination = new Map<string, DestinationCalls>();
  /**
   * Where a lease was taken when it was tried for. These are looked at first: the table charges a refused write like any other,
   * and waiting may take thousands of tries.
   */
  const crowded = new Set<string>();
  const nowMs = () => runtime.now().getTime();

  const takeTurn = async (calls: DestinationCalls): Promise<boolean> => {
    if (calls.running < MAX_CALLS_PER_PROCESS) {
      calls.running += 1;
      calls.lastTurnMs = nowMs();
      return true;
    }
    const hangs = nowMs() - calls.lastTurnMs >= MAX_WAIT_MS;
    if (hangs || calls.waiting.length >= MAX_WAITING_PER_PROCESS) return false;
    return new Promise((resolve) => {
      const turn = () => resolve(true);
      calls.waiting.push(turn);
      const giveUp = async () => {
        await runtime.sleep(MAX_WAIT_MS);
        const at = calls.waiting.indexOf(turn);
        if (at < 0) return;
        calls.waiting.splice(at, 1);
        resolve(false);
      };
      void giveUp();
    });
  };

  const giveTurnBack = (destination: string, calls: DestinationCalls): void => {
    calls.lastTurnMs = nowMs();
    const next = calls.waiting.shift();
    // The next waiting call replaces this one, so the number of running calls stays the same.
    if (next !== undefined) return next();
    calls.running -= 1;
    if (calls.running === 0) callsByDestination.delete(destination);
  };

  /**
   * Any of the leases that are free first, if that is soon: the minimum time of a lease makes a fast destination wait a moment,
   * a call that hangs does not end in one.
   */
  const nextFree = async (destination: string): Promise<readonly number[]> => {
    const waits = (await leases.freeFrom(destination, runtime.now())).map((free) =>
      Math.max(0, free.getTime() - nowMs()),
    );
    const shortestMs = Math.min(...waits);
    if (shortestMs > MAX_LEASE_WAIT_MS) return [];
    if (shortestMs > 0) await runtime.sleep(shortestMs);
    return waits.flatMap((waitMs, number) => (waitMs === shortestMs ? [number] : []));
  };

  const takeLease = async (destination: string): Promise<DestinationLease | undefined> => {
    for (let attempts = 1; attempts <= MAX_LEASE_ATTEMPTS; attempts += 1) {
      const looked = crowded.has(destination);
      const free = looked ? await nextFree(destination) : Array.from({ length: leases.count }, (_, at) => at);
      const number = free[Math.floor(runtime.random() * free.length)];
      if (number === undefined) return undefined;
      const lease = await leases.take(destination, number, runtime.now());
      if (lease === undefined) crowded.add(destination);
      else if (free.length > 1) crowded.delete(destination);
      if (lease !== undefined) return lease;
    }
    return undefined;
  };

  const renew = async (current: DestinationLease): Promise<DestinationLease | undefined> => {
    try {
      const renewed = await leases.renew(current, runtime.now());
      if (renewed === undefined) runtime.log.warn('lease lost', { destination: current.destination });
      return renewed;
    } catch (error) {
      runtime.log.warn('lease not renewed', { destination: current.destination, ...errorFields(error) });
      return current;
    }
  };

  /**
   * Runs work and renews its lease meanwhile. When the lease is lost, because this process stood still or a clock is wrong, the
   * call goes on: it cannot be taken back, and that it is made once does not depend on its lease.
   */
  const renewing = async (taken: DestinationLease, work: () => Promise<void>): Promise<void> => {
    let lease: DestinationLease | undefined = taken;
    const working = work();
    const ended = working.then(
      () => true,
      () => true,
    );
    while (lease !== undefined) {
      if (await Promise.race([ended, runtime.sleep(RENEW_EVERY_MS).then(() => false)])) break;
      lease = await renew(lease);
    }
    try {
      await working;
    } finally {
      if (lease !== undefined) await leases.release(lease, runtime.now());
    }
  };

  return async (destination, work) => {
    const calls = callsByDestination.get(destination) ?? { running: 0, waiting: [], lastTurnMs: nowMs() };
    callsByDestination.set(destination, calls);
    if (!(await takeTurn(calls))) return false;
    try {
      const lease = await takeLease(destination);
      if (lease === undefined) return false;
      await renewing(lease, work);
      return true;
    } finally {
      giveTurnBack(destination, calls);
    }
  };
}
