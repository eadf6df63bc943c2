import * as z from 'zod/mini';
import { personal } from '#functions/data/personal';
import { attempt } from '#shared/contract/rows/delivery';
import { DELIVERY_STATUSES } from '#shared/rules/constants';

export const sendingShape = {
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  /** Counts the times it was queued: 1 at first, one more for each "Resend". */
  series: z.int(),
  attempt_count: z.int(),
  next_attempt_at: z.nullable(z.string()),
  /** When the series was queued. Absent in the first one, which starts at creation. */
  queued_at: z.optional(z.string()),
  /** While a worker is sending it: when another may take over. */
  sending_until: z.optional(z.string()),
  /** Write ID of the sending worker, which recognises its own write after a lost answer. */
  sending_by: z.optional(z.string()),
  error: personal(z.nullable(z.string())),
  attempts: personal(z.array(attempt)),
};
export type Sending = z.output<z.ZodMiniObject<typeof sendingShape>>;

export const newSending = (at: string) => ({
  status: 'pending' as const,
  created_at: at,
  updated_at: at,
  series: 1,
  attempt_count: 0,
  next_attempt_at: null,
  error: null,
  attempts: [],
});

/** A time further in the future comes from a wrong clock. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000;

export function seriesBegan({ queued_at, created_at }: Pick<Sending, 'queued_at' | 'created_at'>): string {
  return queued_at ?? created_at;
}
