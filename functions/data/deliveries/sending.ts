/**
 * What deliveries and callbacks have in common: they are sent in attempts, each claimed by one worker, until they have
 * arrived or are given up, and again in a new round. Here are the fields of that, in `sending-store.ts` the writes.
 */
import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { attempt } from '#shared/contract/rows/delivery';
import { DELIVERY_STATUSES } from '#shared/rules/constants';

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

/** When the current round began (UTC). */
export function roundBegan({ queued_at, created_at }: Pick<Sending, 'queued_at' | 'created_at'>): string {
  return queued_at ?? created_at;
}
