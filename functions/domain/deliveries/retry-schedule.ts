/** When a delivery is tried again, and when it is given up. */

const MINUTE = 60_000;
/** Minutes after the first, second, third and fourth try; then hourly. */
const BACK_OFF_MINUTES = [1, 5, 15, 60] as const;
const HOURLY_MINUTES = 60;
/** Counted from the beginning of the round. */
const GIVE_UP_AFTER = 24 * 60 * MINUTE;
/** Spreads tries that failed together; a tenth more at most. */
const SPREAD = 0.1;

/**
 * The instant of the next try, or null when a day has been used up.
 * @param tries tries made in this round, at least 1
 * @param since when the round began
 * @param notBefore what the other side or the circuit asked for
 * @param random a number in [0, 1)
 */
export function nextAttemptAt(
  attempts: number,
  since: Date,
  now: Date,
  random: number,
  notBefore: Date = now,
): Date | null {
  const minutes = BACK_OFF_MINUTES[attempts - 1] ?? HOURLY_MINUTES;
  const regular = now.getTime() + minutes * MINUTE * (1 + SPREAD * random);
  const next = Math.max(regular, notBefore.getTime());
  return next > since.getTime() + GIVE_UP_AFTER ? null : new Date(next);
}
