/** Loaded with the dialogs. */
import type { OnSilence } from '#shared/rules/constants';
import { formatDay } from '#shared/rules/working-days';
import { count } from './messages';

export const decisionWithin = (workingDays: number, onSilence: OnSilence): string =>
  `Entscheidung innerhalb von ${count(workingDays, 'Werktag', 'Werktagen')}${otherwise(onSilence)}.`;

/** @param day `2027-05-24` */
export const decisionBy = (day: string, onSilence: OnSilence): string =>
  `${formatDay(day)}${otherwise(onSilence)}`;

/** @param day `2027-05-24` */
export const filedUntil = (done: string, day: string): string =>
  `${done} Entscheidung bis ${formatDay(day)}.`;

function otherwise(onSilence: OnSilence): string {
  switch (onSilence) {
    case 'none':
      return '';
    case 'approve':
      return ', sonst gilt die Reklamation als genehmigt';
    case 'reject':
      return ', sonst gilt die Reklamation als abgelehnt';
    default:
      return onSilence satisfies never;
  }
}
