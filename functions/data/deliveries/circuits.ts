/**
 * A circuit breaker per buyer and channel, per endpoint of a source, and per webhook. It opens after several failures in a row, lets
 * one delivery (the probe) through after its pause, and closes when that succeeds. While it is closed without failures,
 * a delivery costs one small read and no write.
 */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { MAX_CLOCK_DIFFERENCE_MS } from '#functions/data/deliveries/sending';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { type Key, keys } from '#functions/data/table/keys';
import type { Channel } from '#shared/channels/channels';
import type { Endpoint } from '#shared/rules/constants';

const circuitSchema = z.object({
  failures: z.int(),
  /** An instant (UTC); absent while closed. */
  open_until: z.optional(z.string()),
  /** How often it opened without closing in between. */
  openings: z._default(z.int(), 0),
});

export const FAILURES_TO_OPEN = 5;
const MINUTE_MS = 60_000;
/** Doubled each time it opens again without having closed. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;
/** How long others wait for the probe, whose worker may have been killed. */
const PROBE_MS = 30_000;
/** After the last failure. */
const TTL_SECONDS = 2 * 24 * 3600;

const pauseMs = (before: number) => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** before);

export type Permit =
  | { readonly ok: true; readonly probe: boolean; readonly failures: number }
  | { readonly ok: false; readonly until: Date };

export const channelCircuit = (buyer: number, channel: Channel): Key => keys.circuit(buyer, channel);

export const endpointCircuit = (source: number, endpoint: Endpoint): Key =>
  keys.endpointCircuit(source, endpoint);

export const webhookCircuit = (webhook: number): Key => keys.webhookCircuit(webhook);

export async function permit({ table }: DataContext, circuit: Key, now: Date): Promise<Permit> {
  const item = await table.get(circuit, { consistent: false });
  if (item === undefined) return { ok: true, probe: false, failures: 0 };
  const { failures, open_until, openings } = circuitSchema.parse(item);
  if (open_until === undefined) return { ok: true, probe: false, failures };
  // A wrong clock wrote any pause that ends later than one that begins now.
  const latest = now.getTime() + pauseMs(openings - 1) + MAX_CLOCK_DIFFERENCE_MS;
  const end = new Date(open_until);
  if (end > now && end.getTime() <= latest) return { ok: false, until: end };
  const until = new Date(now.getTime() + PROBE_MS);
  const taken = await table.update({
    key: circuit,
    update: 'SET open_until = :until',
    condition: 'open_until = :expected',
    values: { ':until': until.toISOString(), ':expected': open_until },
  });
  return taken.ok ? { ok: true, probe: true, failures } : { ok: false, until };
}

export async function openUntil({ table }: DataContext, circuit: Key): Promise<Date | undefined> {
  const item = await table.get(circuit, { consistent: false });
  const until = item && circuitSchema.parse(item).open_until;
  return until === undefined ? undefined : new Date(until);
}

export async function succeeded({ table }: DataContext, circuit: Key, permit: Permit): Promise<void> {
  if (permit.ok && permit.failures > 0) await table.delete({ delete: circuit });
}

/** @returns true if it opened a closed circuit */
export async function failed(
  { table }: DataContext,
  circuit: Key,
  permit: Permit,
  now: Date,
): Promise<boolean> {
  const counted = await table.update({
    key: circuit,
    update: 'SET expires_at = :expires ADD failures :one',
    values: { ':one': 1, ':expires': epochSeconds(now) + TTL_SECONDS },
  });
  const { failures, open_until, openings } = circuitSchema.parse(counted.item);
  const isOpen = open_until !== undefined;
  const opens = isOpen ? permit.ok && permit.probe : failures >= FAILURES_TO_OPEN;
  if (!opens) return false;
  // A concurrent success has deleted the item; the condition prevents a new item without `failures`.
  const opened = await table.update({
    key: circuit,
    update: 'SET open_until = :until, openings = :openings',
    condition: isOpen ? 'open_until = :expected' : 'failures >= :enough AND attribute_not_exists(open_until)',
    values: {
      ':until': new Date(now.getTime() + pauseMs(openings)).toISOString(),
      ':openings': openings + 1,
      ...(isOpen ? { ':expected': open_until } : { ':enough': FAILURES_TO_OPEN }),
    },
  });
  return opened.ok && !isOpen;
}
