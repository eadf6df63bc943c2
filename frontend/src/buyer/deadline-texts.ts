/** Loaded with the dialogs. */
import type { DefaultDecision } from '#shared/rules/constants';
import { formatDay } from '#shared/rules/working-days';
import { count } from './messages';

export const decisionWithin = (workingDays: number, defaultDecision: DefaultDecision): string =>
  `Entscheidung innerhalb von ${count(workingDays, 'Werktag', 'Werktagen')}${otherwise(defaultDecision)}.`;

/** @param day `2027-05-24` */
export const decisionBy = (day: string, defaultDecision: DefaultDecision): string =>
  `${formatDay(day)}${otherwise(defaultDecision)}`;

/** @param day `2027-05-24` */
export const filedText = (day: string | null): string =>
  `Ihre Reklamation wurde eingereicht.${day === null ? '' : ` Entscheidung bis ${formatDay(day)}.`}`;

function otherwise(defaultDecision: DefaultDecision): string {
  switch (defaultDecision) {
    case 'none':
      return '';
    case 'approve':
      return ', sonst gilt die Reklamation als genehmigt';
    case 'reject':
      return ', sonst gilt die Reklamation als abgelehnt';
    default:
      return defaultDecision satisfies never;
  }
}
