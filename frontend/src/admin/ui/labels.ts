import { formatNumber } from '#shared/rules/formats';

/** `12,5%` from percent. */
export function percentText(percent: number): string {
  return `${formatNumber(percent)}%`;
}

/** `1 lead`, `2 leads` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Whole percent of `part` in `whole`, 0 if there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 100) : 0;
}
