import { formatDate, formatDateTime, TIME_ZONE } from '#shared/rules/formats';
import { lazy } from '#shared/rules/lazy';

const weekday = lazy(() => new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, weekday: 'short' }));

/** Within this time the name of a weekday is unambiguous. */
const CLEAR_MS = 6 * 86_400_000;

/** A future instant in Berlin time, relative to now: `08:00`, `Mon 08:00` within six days, `04.01.2027 08:00` later. */
export function untilText(until: Date, now: Date): string {
  const [day, time = ''] = formatDateTime(until).split(', ');
  if (day === formatDate(now)) return time;
  return `${until.getTime() - now.getTime() < CLEAR_MS ? weekday().format(until) : day} ${time}`;
}
