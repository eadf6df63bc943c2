/**
 * A circuit breaker per buyer and channel. It opens after failures in a row, lets one delivery through when its time is
 * over, and closes when that one arrives. While all goes well it costs one small read and no write.
 */
import * as z from 'zod/mini';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import type { Channel } from '#shared/channels/channels';

const circuitSchema = z.object({
  /** In a row. */
  failures: z.int(),
  /** Absent while closed. */
  open_until: z.optional(z.string()),
  /** How often it opened without closing in between. */
  openings: z._default(z.int(), 0),
});

export const FAILURES_TO_OPEN = 5;
const MINUTE = 60_000;
const FIRST_PAUSE = 5 * MINUTE;
const LONGEST_PAUSE = 60 * MINUTE;
/** How long others wait for the one that was let through. */
const PROBE_TIME = 2 * MINUTE;
/** Seconds without news after which it is forgotten. */
const FORGET_AFTER = 2 * 24 * 3600;

/** Whether a delivery may be sent now. `probe` is the one that is let through to see whether the other side is back. */
export type Permit =
  | { readonly ok: true; readonly probe: boolean; readonly failures: number }
  | { readonly ok: false; readonly until: Date };

export type Circuits = ReturnType<typeof createCircuits>;

export function createCircuits(table: Table) {
  return {
    async permit(buyer: number, channel: Channel, now: Date): Promise<Permit> {
      const key = keys.circuit(buyer, channel);
      const item = await table.get(key, { consistent: false });
      if (item === undefined) return { ok: true, probe: false, failures: 0 };
      const { failures, open_until } = circuitSchema.parse(item);
      if (open_until === undefined) return { ok: true, probe: false, failures };
      if (open_until > now.toISOString()) return { ok: false, until: new Date(open_until) };
      const until = new Date(now.getTime() + PROBE_TIME);
      const taken = await table.update({
        key,
        update: 'SET open_until = :until',
        condition: 'open_until = :seen',
        values: { ':until': until.toISOString(), ':seen': open_until },
      });
      return taken.ok ? { ok: true, probe: true, failures } : { ok: false, until };
    },

    /** The other side answered as it should. */
    async succeeded(buyer: number, channel: Channel, permit: Permit): Promise<void> {
      if (permit.ok && permit.failures > 0) await table.delete({ delete: keys.circuit(buyer, channel) });
    },

    /** The other side did not answer as it should. @returns true when this opened the circuit */
    async failed(buyer: number, channel: Channel, permit: Permit, now: Date): Promise<boolean> {
      const key = keys.circuit(buyer, channel);
      const counted = await table.update({
        key,
        update: 'SET expires_at = :expires ADD failures :one',
        values: { ':one': 1, ':expires': Math.floor(now.getTime() / 1000) + FORGET_AFTER },
      });
      const { failures, open_until, openings } = circuitSchema.parse(counted.item);
      const isOpen = open_until !== undefined;
      const opens = isOpen ? permit.ok && permit.probe : failures >= FAILURES_TO_OPEN;
      if (!opens) return false;
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** openings);
      // Whoever succeeded since the count has closed the circuit; it must not come back as a torso without its failures.
      const opened = await table.update({
        key,
        update: 'SET open_until = :until, openings = :openings',
        condition: isOpen ? 'open_until = :seen' : 'failures >= :enough AND attribute_not_exists(open_until)',
        values: {
          ':until': new Date(now.getTime() + pause).toISOString(),
          ':openings': openings + 1,
          ...(isOpen ? { ':seen': open_until } : { ':enough': FAILURES_TO_OPEN }),
        },
      });
      return opened.ok && !isOpen;
    },
  };
}
