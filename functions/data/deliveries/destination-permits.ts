/**
 * The places at a destination: as many as calls may go there at once, over all workers. A place is held for a while at
 * least, which bounds the pace as well, and falls free by itself when its holder dies.
 */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Calls to one destination at once. Mail servers commonly allow ten connections of one client. */
export const LEASES_PER_DESTINATION = 8;
/** Milliseconds; eight places make at most forty calls a second. */
const MIN_LEASE_MS = 200;
/** Seconds after which an unused place is forgotten. */
const FORGET_AFTER = 24 * 3600;

export interface DestinationLease {
  readonly destination: string;
  readonly number: number;
  readonly leasedSince: string;
  readonly leasedUntil: string;
}

export type DestinationLeases = ReturnType<typeof createDestinationLeases>;

export function createDestinationLeases(table: Table) {
  return {
    /**
     * Tries one place.
     * @param lease milliseconds after which it falls free whatever happens
     * @returns undefined when somebody holds it
     */
    async take(
      destination: string,
      number: number,
      now: Date,
      lease: number,
    ): Promise<DestinationLease | undefined> {
      const leasedUntil = new Date(now.getTime() + lease).toISOString();
      const written = await table.update({
        key: keys.destinationLease(destination, number),
        update: 'SET leased_until = :until, expires_at = :expires',
        condition: 'attribute_not_exists(leased_until) OR leased_until <= :now',
        values: {
          ':until': leasedUntil,
          ':now': now.toISOString(),
          ':expires': Math.floor(now.getTime() / 1000) + FORGET_AFTER,
        },
      });
      return written.ok ? { destination, number, leasedSince: now.toISOString(), leasedUntil } : undefined;
    },

    /** Gives a place back, unless it fell free meanwhile and somebody else holds it. */
    async leave(place: DestinationLease, now: Date): Promise<void> {
      const earliest = new Date(new Date(place.leasedSince).getTime() + MIN_LEASE_MS);
      const free = earliest > now ? earliest : now;
      await table.update({
        key: keys.destinationLease(place.destination, place.number),
        update: 'SET leased_until = :free',
        condition: 'leased_until = :held',
        values: { ':free': free.toISOString(), ':held': place.leasedUntil },
      });
    },
  };
}
