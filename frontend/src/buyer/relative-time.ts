const UNITS_MS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * In the largest whole unit: `vor 3 Stunden`. @param justNow for less than a minute, and for instants in the future of a slow
 * clock
 */
export function timeAgo(instant: Date, now: Date, locale: string, justNow: string): string {
  const elapsed = now.getTime() - instant.getTime();
  const found = UNITS_MS.find(([, ms]) => elapsed >= ms);
  if (found === undefined) return justNow;
  const [unit, ms] = found;
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(elapsed / ms), unit);
}
