import { formatDate, formatDateTime, TIME_ZONE } from '#shared/rules/formats';
import { lazy } from '#shared/rules/lazy';

const weekday = lazy(() => new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, weekday: 'short' }));

/** For so long the name of a day is clear. */
const CLEAR_MS = 6 * 86_400_000;

/** An instant to come, in Berlin, as seen from now: `08:00`, `Mon 08:00` within six days, `04.01.2027 08:00` after that. */
export function untilText(until: Date, now: Date): string {
  const [day, time = ''] = formatDateTime(until).split(', ');
  if (day === formatDate(now)) return time;
  return `${until.getTime() - now.getTime() < CLEAR_MS ? weekday().format(until) : day} ${time}`;
}
