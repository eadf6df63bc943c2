import type * as z from 'zod/mini';
import {
  createDestinationLeases,
  type DestinationLease,
  type DestinationLeases,
  RENEW_EVERY_MS,
} from '#functions/data/deliveries/destination-leases';
import type { Table } from '#functions/data/table/table';
import type { ConcurrencyLimiter } from '#functions/domain/deliveries/outgoing';
import type { deliveryEnvironment } from '#functions/platform/environment';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';

/** Per destination, so that one that hangs holds few deliveries. */
const MAX_CALLS_PER_PROCESS = 4;
/** Calls that wait in memory, so that a fast destination never idles between two messages. */
const MAX_WAITING_PER_PROCESS = 4;
/** If no turn became free for this long, the destination hangs. */
const MAX_WAIT_MS = 2_000;
/** For a lease that is about to become free. */
const MAX_LEASE_WAIT_MS = 250;
const MAX_LEASE_ATTEMPTS = 6;

export function limiterOf(
  { LEASES_PER_DESTINATION: leases }: z.output<typeof deliveryEnvironment>,
  table: Table,
  runtime: Runtime,
): ConcurrencyLimiter {
  const ofTable = createDestinationLeases(table, leases === undefined ? undefined : Number(leases));
  return createConcurrencyLimiter(ofTable, runtime);
}

interface DestinationCalls {
  running: number;
  readonly waiting: (() => void)[];
  /** Milliseconds. */
  lastTurnMs: number;
}

/** A call that gets no turn soon is refused, so that a hanging destination blocks only its own calls. */
export function createConcurrencyLimiter(
  leases: DestinationLeases,
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random' | 'log'>,
): ConcurrencyLimiter {
  const callsByDestination = new Map<string, DestinationCalls>();
  /** Destinations whose leases are read before one is taken, because a refused write costs as much as a successful one. */
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
    // The next waiting call replaces this one, so `running` stays the same.
    if (next !== undefined) return next();
    calls.running -= 1;
    if (calls.running === 0) callsByDestination.delete(destination);
  };

  /** The leases that become free first, if soon. A lease at its short minimum time does; one of a hanging call does not. */
  const nextFree = async (destination: string): Promise<readonly number[]> => {
    const free = await leases.freeFrom(destination, runtime.now());
    const waits = free.map((from) => Math.max(0, from.getTime() - nowMs()));
    const shortestMs = Math.min(...waits);
    if (shortestMs > MAX_LEASE_WAIT_MS) return [];
    if (shortestMs > 0) await runtime.sleep(shortestMs);
    return waits.flatMap((waitMs, number) => (waitMs === shortestMs ? [number] : []));
  };

  const takeLease = async (destination: string): Promise<DestinationLease | undefined> => {
    for (let attempts = 1; attempts <= MAX_LEASE_ATTEMPTS; attempts += 1) {
      const isFull = crowded.has(destination);
      const free = isFull ? await nextFree(destination) : Array.from({ length: leases.count }, (_, at) => at);
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
   * Renews the lease during the work. If the lease is lost, because this process was paused or a clock is wrong, the
   * call continues: it cannot be undone, and the lease only bounds the load, it does not prevent double calls.
   */
  const renewing = async (taken: DestinationLease, work: () => Promise<void>): Promise<void> => {
    let lease: DestinationLease | undefined = taken;
    const working = work();
    const ended = working.catch(() => undefined).then(() => true);
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
