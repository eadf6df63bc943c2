import * as z from 'zod/mini';
import { PAUSE_REASONS } from '#shared/rules/constants';

/** When a buyer takes leads, as answers have it. */
export const scheduleRow = z.object({
  /** 1 for Monday to 7 for Sunday. */
  weekdays: z.array(z.number()),
  /** `HH:MM` in Berlin. */
  from: z.string(),
  /** The first minute after the window, up to `24:00`. */
  to: z.string(),
  /** Whether nationwide public holidays are closed. */
  holidays_off: z.boolean(),
});

/** The pace of an order: its caps, and what they leave. Days and weeks are those of Berlin. */
export const paceRow = {
  daily_cap: z.nullable(z.number()),
  weekly_cap: z.nullable(z.number()),
  /** The last day of the spread: what is left is spread over the working days up to it. */
  ends_on: z.nullable(z.string()),
  /** Leads taken today, and how many may be at most; null without caps, the latter also without one for the day. */
  taken_today: z.nullable(z.number()),
  allowed_today: z.nullable(z.number()),
  taken_this_week: z.nullable(z.number()),
  /** Why an order that is served and has room gets no lead for now; null while it gets some. */
  paused_by: z.nullable(z.enum(PAUSE_REASONS)),
  /** When that ends (UTC); null where it is not known. */
  paused_until: z.nullable(z.string()),
} as const;
