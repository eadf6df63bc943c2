import type { BuyerRow } from '#shared/contract/schemas/buyers';
import { minutesOf } from '#shared/rules/schedule';
import { INVALID } from '../invalid-texts';

/** The hours of a buyer as the form holds them. */
export type HoursValues = Readonly<NonNullable<BuyerRow['schedule']>>;

/** From Monday on. */
export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The hours in one line. */
export function hoursText(hours: HoursValues | null): string {
  if (hours === null) return 'Always';
  const days = hours.weekdays.map((day) => DAYS[day - 1]).join(', ');
  return `${days}, ${hours.from}–${hours.to}${hours.holidays_off ? ', not on public holidays' : ''}`;
}

/** The form's default. */
export const OFFICE_HOURS: HoursValues = {
  weekdays: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '18:00',
  holidays_off: true,
};

/** `8:00` as `08:00`; other texts unchanged. */
const timeText = (text: string) => text.trim().replace(/^(\d):/, '0$1:');

export const scheduleOf = (hours: HoursValues) => ({
  ...hours,
  weekdays: [...hours.weekdays],
  from: timeText(hours.from),
  to: timeText(hours.to),
});

/** One text per invalid field, by the server's name for it. */
export function hoursErrors(hours: HoursValues | null): Record<string, string> {
  if (hours === null) return {};
  const { from, to } = scheduleOf(hours);
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  return {
    ...(hours.weekdays.length === 0 && { 'schedule.weekdays': INVALID.weekdays }),
    ...((begins === undefined || begins === 1440) && { 'schedule.from': INVALID.time }),
    ...(ends === undefined
      ? { 'schedule.to': INVALID.time }
      : begins !== undefined && ends <= begins && { 'schedule.to': INVALID.endsBefore }),
  };
}
