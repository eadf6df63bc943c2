import * as z from 'zod/mini';
import { PAUSE_REASONS } from '#shared/rules/constants';

export const scheduleRow = z.object({
  /** 1 for Monday to 7 for Sunday. */
  weekdays: z.array(z.number()),
  from: z.string(),
  to: z.string(),
  holidays_off: z.boolean(),
});

/** The caps of an order and what they leave, by Berlin days and weeks. */
export const paceRow = {
  daily_cap: z.nullable(z.number()),
  weekly_cap: z.nullable(z.number()),
  ends_on: z.nullable(z.string()),
  /** Null without caps; `allowed_today` also without one for the day. */
  received_today: z.nullable(z.number()),
  allowed_today: z.nullable(z.number()),
  received_this_week: z.nullable(z.number()),
  /** Why an order with capacity gets no leads for now. */
  paused_by: z.nullable(z.enum(PAUSE_REASONS)),
  /** Null if unknown. */
  paused_until: z.nullable(z.string()),
} as const;
