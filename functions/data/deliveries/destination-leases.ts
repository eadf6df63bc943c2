/**
 * The leases of a destination: a fixed number, which bounds the calls at once over all workers. A lease lasts a minimum
 * time, which also bounds the calls per second, and expires when its worker dies.
 */
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Calls to one destination at once, unless the stage says otherwise. Mail servers commonly allow ten connections of one client. */
export const LEASES_PER_DESTINATION = 8;
/** With eight leases, at most forty calls a second to one destination. */
const MIN_LEASE_MS = 200;
/** After which the item of an unused lease is removed. */
const UNUSED_TTL_SECONDS = 24 * 3600;

export interface DestinationLease {
  readonly destination: string;
  readonly number: number;
  readonly leasedSince: string;
  readonly leasedUntil: string;
}

export type DestinationLeases = ReturnType<typeof createDestinationLeases>;

/** @param count leases of each destination; it may change while some are taken */
export function createDestinationLeases(table: Table, count: number = LEASES_PER_DESTINATION) {
  return {
    count,

    /**
     * Takes one lease of a destination.
     * @param number which lease, from 0 to `count` - 1
     * @param leaseMs after which it expires unless it is released before
     * @returns undefined when it is taken already
     */
    async take(
      destination: string,
      number: number,
      now: Date,
      leaseMs: number,
    ): Promise<DestinationLease | undefined> {
      const leasedUntil = new Date(now.getTime() + leaseMs).toISOString();
      const written = await table.update({
        key: keys.destinationLease(destination, number),
        update: 'SET leased_until = :until, expires_at = :expires',
        condition: 'attribute_not_exists(leased_until) OR leased_until <= :now',
        values: {
          ':until': leasedUntil,
          ':now': now.toISOString(),
          ':expires': epochSeconds(now) + UNUSED_TTL_SECONDS,
        },
      });
      return written.ok ? { destination, number, leasedSince: now.toISOString(), leasedUntil } : undefined;
    },

    /** From when each lease of a destination is free, by its number; 1970 for one that was never taken. */
    async freeFrom(destination: string): Promise<Date[]> {
      const items = await table.queryAll({
        partition: keys.destinationLeases(destination),
        consistent: true,
      });
      const until = new Map(items.map(({ sk, leased_until }) => [String(sk), String(leased_until)]));
      return Array.from(
        { length: count },
        (_, number) => new Date(until.get(keys.destinationLease(destination, number).sk) ?? 0),
      );
    },

    /** Releases a lease, unless it has expired and another worker has taken it. */
    async release(lease: DestinationLease, now: Date): Promise<void> {
      const earliest = new Date(new Date(lease.leasedSince).getTime() + MIN_LEASE_MS);
      const free = earliest > now ? earliest : now;
      await table.update({
        key: keys.destinationLease(lease.destination, lease.number),
        update: 'SET leased_until = :free',
        condition: 'leased_until = :seen',
        values: { ':free': free.toISOString(), ':seen': lease.leasedUntil },
      });
    },
  };
}
