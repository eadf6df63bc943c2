/** What the dialogs say about the decision of a claim. Apart from the other texts, because the list does not need them. */
import type { OnSilence } from '#shared/rules/constants';
import { formatDay } from '#shared/rules/working-days';
import { count } from './messages';

/** Before a claim is filed. */
export const decisionWithin = (workingDays: number, onSilence: OnSilence): string =>
  `Entscheidung innerhalb von ${count(workingDays, 'Werktag', 'Werktagen')}${otherwise(onSilence)}.`;

/** Of a claim that waits. @param day `2027-05-24` */
export const decisionBy = (day: string, onSilence: OnSilence): string =>
  `${formatDay(day)}${otherwise(onSilence)}`;

/** Once a claim is filed. @param day `2027-05-24` */
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
