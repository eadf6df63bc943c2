/**
 * The places at a destination: as many as calls may go there at once, over all workers. A place is held for a while at
 * least, which bounds the pace as well, and falls free by itself when its holder dies.
 */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Calls to one destination at once. Mail servers commonly allow ten connections of one client. */
export const PLACES = 8;
/** Milliseconds; eight places make at most forty calls a second. */
const HELD_AT_LEAST = 200;
/** Seconds after which an unused place is forgotten. */
const FORGET_AFTER = 24 * 3600;

export interface Place {
  readonly destination: string;
  readonly number: number;
  readonly heldSince: string;
  readonly heldUntil: string;
}

export type Destinations = ReturnType<typeof createDestinations>;

export function createDestinations(table: Table) {
  return {
    /**
     * Tries one place.
     * @param lease milliseconds after which it falls free whatever happens
     * @returns undefined when somebody holds it
     */
    async take(destination: string, number: number, now: Date, lease: number): Promise<Place | undefined> {
      const heldUntil = new Date(now.getTime() + lease).toISOString();
      const written = await table.update({
        key: keys.destinationPlace(destination, number),
        update: 'SET held_until = :until, expires_at = :expires',
        condition: 'attribute_not_exists(held_until) OR held_until <= :now',
        values: {
          ':until': heldUntil,
          ':now': now.toISOString(),
          ':expires': Math.floor(now.getTime() / 1000) + FORGET_AFTER,
        },
      });
      return written.ok ? { destination, number, heldSince: now.toISOString(), heldUntil } : undefined;
    },

    /** Gives a place back, unless it fell free meanwhile and somebody else holds it. */
    async leave(place: Place, now: Date): Promise<void> {
      const earliest = new Date(new Date(place.heldSince).getTime() + HELD_AT_LEAST);
      const free = earliest > now ? earliest : now;
      await table.update({
        key: keys.destinationPlace(place.destination, place.number),
        update: 'SET held_until = :free',
        condition: 'held_until = :held',
        values: { ':free': free.toISOString(), ':held': place.heldUntil },
      });
    },
  };
}
