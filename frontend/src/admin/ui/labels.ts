import { formatDate, formatNumber } from '#shared/rules/formats';

/** `12,5%` from percent. */
export function percentText(percent: number): string {
  return `${formatNumber(percent)}%`;
}

/** `1 lead`, `2 leads` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `+3`, `0`, `-3` */
export const signed = (figure: number): string => `${figure > 0 ? '+' : ''}${formatNumber(figure)}`;

/** Whole percent of `part` in `whole`, 0 if there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 100) : 0;
}

/** `14.05.2025` from a Berlin day such as `2025-05-14`. */
export function dayText(day: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(new Date(`${day}T12:00:00Z`)) : day;
}
