import * as z from 'zod/mini';
import { FEEDBACKS } from '#shared/rules/constants';

/** An entry of the diary of a lead. */
export const feedbackRow = z.object({
  /** From 1, within the order. */
  number: z.int(),
  /** Null: the feedback ended. */
  said: z.nullable(z.enum(FEEDBACKS)),
  at: z.string(),
  /** The number of the entry that was a mistake; null for feedback itself. */
  takes_back: z.nullable(z.int()),
  taken_back: z.boolean(),
});
