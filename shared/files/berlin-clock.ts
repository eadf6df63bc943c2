import { TIME_ZONE } from '#shared/rules/formats';
import { lazy } from '#shared/rules/lazy';

const clock = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: TIME_ZONE,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
);

/** Berlin's local time as UTC, because spreadsheets have no time zones. @throws RangeError for an invalid instant */
export function berlinClock(instant: string): Date {
  const parts = Object.fromEntries(
    clock()
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}
