/**
 * What deliveries and callbacks have in common: they are sent in attempts, each claimed by one worker, until they have
 * arrived or are given up, and again in a new round. Here are the fields of that, and the parts of their writes.
 */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import type { Item } from '#functions/data/table/table';
import { attempt } from '#shared/contract/rows/delivery';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#shared/rules/constants';

export const sendingShape = {
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  /** Counts the times it was put on the queue: 1 at first, one more for each "send again". */
  round: z.int(),
  /** Attempts made in this round. */
  attempt_count: z.int(),
  next_attempt_at: z.nullable(z.string()),
  /** When this round began; absent in the first, which began with the creation. */
  queued_at: z.optional(z.string()),
  /** While a worker is sending it: until when it has time before another may take over. */
  sending_until: z.optional(z.string()),
  /** The write id of the worker that is sending it: by it a worker recognises its own write after a lost answer. */
  sending_by: z.optional(z.string()),
  error: personal(z.nullable(z.string())),
  attempts: personal(z.array(attempt)),
};
export type Sending = z.output<z.ZodMiniObject<typeof sendingShape>>;

/** What was written further in the future has the time of a clock that was wrong, or is read by one. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Part of an update. */
interface Part {
  readonly set: string;
  readonly condition: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

/** When the current round began (UTC). */
export function roundBegan({ queued_at, created_at }: Pick<Sending, 'queued_at' | 'created_at'>): string {
  return queued_at ?? created_at;
}

/**
 * Counts the next attempt and records it; any change since `seen` makes it fail.
 * @param attempts with the new one last @param by the write id of the worker @param until when another may take over
 */
export function nextAttempt(
  seen: Sending,
  {
    at,
    attempts,
    by,
    until,
  }: { at: string; attempts: readonly Sending['attempts'][number][]; by: string; until: Date },
): Part {
  return {
    set: 'attempt_count = :attempt_count, attempts = :attempts, updated_at = :now, sending_until = :until, sending_by = :by, next_attempt_at = :until',
    condition:
      '#status = :status AND #round = :round AND attempt_count = :seen_count AND updated_at = :seen_at',
    names: { '#status': 'status', '#round': 'round' },
    values: {
      ':attempt_count': seen.attempt_count + 1,
      ':attempts': attempts,
      ':now': at,
      ':until': until.toISOString(),
      ':by': by,
      ':status': seen.status,
      ':round': seen.round,
      ':seen_count': seen.attempt_count,
      ':seen_at': seen.updated_at,
    },
  };
}

/** Starts a new round, unless it is on its way. States the round seen, so that a repeated write cannot start one more. */
export function nextRound(seen: Sending, now: Date): Part {
  return {
    set: '#status = :pending, #round = :next, attempt_count = :zero, queued_at = :now, updated_at = :now, next_attempt_at = :null, #error = :null',
    condition:
      '#round = :seen AND #status <> :pending AND (attribute_not_exists(sending_until) OR sending_until < :now)',
    names: { '#status': 'status', '#round': 'round', '#error': 'error' },
    values: {
      ':pending': 'pending',
      ':seen': seen.round,
      ':next': seen.round + 1,
      ':zero': 0,
      ':now': now.toISOString(),
      ':null': null,
    },
  };
}

/** Whether `nextRound` was written, by the item found afterwards. */
export function hasBegun(found: Sending | undefined, seen: Sending, now: Date): boolean {
  return found?.round === seen.round + 1 && found.queued_at === now.toISOString();
}

/**
 * Whether a result was written though the condition of its write failed: the SDK repeats a write whose answer was lost,
 * and then the item found is the one that it wrote.
 */
export function isWritten(
  found: Sending,
  { round, attempt_count }: Pick<Sending, 'round' | 'attempt_count'>,
  status: DeliveryStatus,
  now: Date,
): boolean {
  return (
    found.updated_at === now.toISOString() &&
    found.round === round &&
    found.attempt_count === attempt_count &&
    found.status === status
  );
}
