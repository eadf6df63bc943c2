import type { LATENCY_RANGE_DAYS } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';

export const LATENCY_RANGE_TEXT = {
  1: 'Today',
  7: 'Last 7 days',
  30: 'Last 30 days',
} as const satisfies Record<(typeof LATENCY_RANGE_DAYS)[number], string>;

const UNITS = [
  { ms: 86_400_000, from: 2, unit: 'd' },
  { ms: 3_600_000, from: 2, unit: 'h' },
  { ms: 60_000, from: 2, unit: 'min' },
  { ms: 1000, from: 1, unit: 's' },
] as const;

/** `340 ms`, `2,3 s`, `90 s`, `3,5 min`: as precise as the sketch */
export function durationText(milliseconds: number): string {
  const { ms, unit } = UNITS.find((one) => milliseconds >= one.from * one.ms) ?? { ms: 1, unit: 'ms' };
  const value = milliseconds / ms;
  return `${formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} ${unit}`;
}
