/** The retry schedule of deliveries, callbacks and notifications. */

const MINUTE_MS = 60_000;
const BACK_OFF_MINUTES = [1, 5, 15, 60] as const;
const HOURLY_MINUTES = 60;
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;
/** Random delay of up to a tenth, so that attempts which failed together do not repeat together. */
const MAX_SPREAD_RATIO = 0.1;

/**
 * The instant of the next attempt, or null if it would be more than a day after the series began.
 * @param attempts made in this series, at least 1
 * @param since when the series began
 * @param notBefore requested by the partner or the circuit
 * @param random in [0, 1)
 */
export function nextAttemptAt(
  attempts: number,
  since: Date,
  now: Date,
  random: number,
  notBefore: Date = now,
): Date | null {
  const minutes = BACK_OFF_MINUTES[attempts - 1] ?? HOURLY_MINUTES;
  const regular = now.getTime() + minutes * MINUTE_MS * (1 + MAX_SPREAD_RATIO * random);
  const next = Math.max(regular, notBefore.getTime());
  return next > since.getTime() + GIVE_UP_AFTER_MS ? null : new Date(next);
}

const FIRST_UNCONFIRMED_WAIT_MS = 60 * MINUTE_MS;

/**
 * The next attempt after a mail server received a message and did not confirm it. It probably accepted the message, so every repetition
 * may be a copy. A day has at most five such attempts: after 0, 1, 3, 7 and 15 hours.
 * @param before earlier attempts of this kind
 */
export function earliestAfterUnconfirmed(now: Date, before: number): Date {
  return new Date(now.getTime() + FIRST_UNCONFIRMED_WAIT_MS * 2 ** before);
}
