const TICKS = 4;
const ROUND = [1, 2, 5, 10] as const;

/** Whole, round figures of an axis from 0 up to at least `most`. */
export function niceTicks(most: number): number[] {
  const rough = Math.max(1, most) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * (ROUND.find((factor) => factor * power >= rough) ?? 10));
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
