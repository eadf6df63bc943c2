const STEPS = [
  { unit: 'minute', ms: 60_000, upTo: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, upTo: 86_400_000 },
  { unit: 'day', ms: 86_400_000, upTo: 30 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000, upTo: 365 * 86_400_000 },
  { unit: 'year', ms: 365 * 86_400_000, upTo: Number.POSITIVE_INFINITY },
] as const;

/**
 * How long ago an instant was, in the largest whole unit: `vor 3 Stunden`, `vor 1 Tag`.
 * @param justNow the text for less than a minute, and for an instant that a slow clock takes for the future
 */
export function timeAgo(instant: Date, now: Date, locale: string, justNow: string): string {
  const elapsed = now.getTime() - instant.getTime();
  const step = STEPS.find(({ upTo }) => elapsed < upTo);
  if (elapsed < 60_000 || step === undefined) return justNow;
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(elapsed / step.ms), step.unit);
}
