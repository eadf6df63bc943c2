/**
 * A fixed number of leases bounds the concurrent calls to a destination over all workers; their minimum time bounds the
 * calls per second. A lease is short and renewed during its call, so that it expires soon after its worker was killed
 * (docs/adr/0009-deliveries.md).
 */
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Unless the stage sets another number. Mail servers commonly allow ten connections per client. */
export const LEASES_PER_DESTINATION = 8;
const MIN_LEASE_MS = 200;
/** A lease that is not renewed expires after this time, so a destination waits this long after a kill. */
const LEASE_MS = 10_000;
/** Two renewals may fail before a lease expires. */
export const RENEW_EVERY_MS = 3_000;
/**
 * A wrong clock wrote any lease that ends more than this after a new one would. Shorter than for deliveries, because a
 * wrong lease blocks a whole destination.
 */
const CREDIBLE_LEASE_MARGIN_MS = 10_000;
const UNUSED_TTL_SECONDS = 24 * 3600;

const latestCredible = (now: Date) => new Date(now.getTime() + LEASE_MS + CREDIBLE_LEASE_MARGIN_MS);

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

    /** @param number from 0 to `count` - 1 @returns undefined if it is taken */
    async take(destination: string, number: number, now: Date): Promise<DestinationLease | undefined> {
      const leasedUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      const written = await table.update({
        key: keys.destinationLease(destination, number),
        update: 'SET leased_until = :until, expires_at = :expires',
        condition:
          'attribute_not_exists(leased_until) OR leased_until <= :now OR leased_until > :latest_credible',
        values: {
          ':until': leasedUntil,
          ':now': now.toISOString(),
          ':latest_credible': latestCredible(now).toISOString(),
          ':expires': epochSeconds(now) + UNUSED_TTL_SECONDS,
        },
      });
      return written.ok ? { destination, number, leasedSince: now.toISOString(), leasedUntil } : undefined;
    },

    async freeFrom(destination: string, now: Date): Promise<Date[]> {
      const items = await table.queryAll({
        partition: keys.destinationLeases(destination),
        consistent: true,
      });
      const until = new Map(items.map(({ sk, leased_until }) => [String(sk), String(leased_until)]));
      return Array.from({ length: count }, (_, number) => {
        const free = new Date(until.get(keys.destinationLease(destination, number).sk) ?? 0);
        return free > latestCredible(now) ? new Date(0) : free;
      });
    },

    /** @returns undefined if it expired and another worker took it */
    async renew(lease: DestinationLease, now: Date): Promise<DestinationLease | undefined> {
      const leasedUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      const written = await table.update({
        key: keys.destinationLease(lease.destination, lease.number),
        update: 'SET leased_until = :until',
        condition: 'leased_until = :expected',
        values: { ':until': leasedUntil, ':expected': lease.leasedUntil },
      });
      // The SDK repeats a write whose answer was lost: then the item found is the one written by this call.
      const renewed = written.ok || written.item?.leased_until === leasedUntil;
      return renewed ? { ...lease, leasedUntil } : undefined;
    },

    async release(lease: DestinationLease, now: Date): Promise<void> {
      const earliest = new Date(new Date(lease.leasedSince).getTime() + MIN_LEASE_MS);
      const free = earliest > now ? earliest : now;
      await table.update({
        key: keys.destinationLease(lease.destination, lease.number),
        update: 'SET leased_until = :free',
        condition: 'leased_until = :expected',
        values: { ':free': free.toISOString(), ':expected': lease.leasedUntil },
      });
    },
  };
}
