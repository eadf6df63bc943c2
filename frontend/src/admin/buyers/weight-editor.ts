/** The arithmetic of the editor of all weights, in hundredths of a percent. Pure functions. */
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { checkProbability } from '#shared/rules/validation';

const ALL = 100_00;

/** A buyer in the editor. */
export interface EditedWeight {
  readonly buyer_id: string;
  /** When the editor was opened. */
  readonly expected: number;
  /** As typed. */
  readonly typed: string;
  /** Typed by the admin, not distributed. */
  readonly isTyped: boolean;
  /** Counts in the sum even if unchanged, because it receives leads or is about to. */
  readonly counts: boolean;
}

/** Undefined unless it is a number from 0 to 100 with at most two decimals. */
export function weightOf({ typed }: Pick<EditedWeight, 'typed'>): number | undefined {
  const percent = parseGermanNumber(typed);
  if (percent === undefined || percent < 0 || percent > 100) return undefined;
  const weight = Math.round(percent * 100);
  return Math.abs(weight - percent * 100) < 1e-6 ? weight : undefined;
}

/** As typed. */
export const textOf = (weight: number): string => formatNumber(weight / 100);

const isCounted = (row: EditedWeight) => row.counts || weightOf(row) !== row.expected;

/** Of all that count; unreadable ones count as 0. */
export function sumOf(rows: readonly EditedWeight[]): number {
  return rows.filter(isCounted).reduce((sum, row) => sum + (weightOf(row) ?? 0), 0);
}

/** The changed weights, and the buyer that takes all other weights, if the admin must confirm that. */
export interface Changes {
  readonly changed: readonly {
    readonly buyer_id: string;
    readonly weight: number;
    readonly expected: number;
  }[];
  readonly takesAll: string | undefined;
}

/** @returns undefined while nothing is changed, a weight is unreadable, or the sum exceeds 100 % */
export function changesOf(rows: readonly EditedWeight[]): Changes | undefined {
  const changed = rows.flatMap((row) => {
    const weight = weightOf(row);
    return weight === undefined || weight === row.expected ? [] : [{ ...row, weight }];
  });
  if (changed.length === 0 || rows.some((row) => weightOf(row) === undefined)) return undefined;
  const all = changed.find(({ weight }) => weight === ALL);
  const others = rows.filter((row) => row.buyer_id !== all?.buyer_id && row.counts && row.expected > 0);
  if (all !== undefined && others.length > 0) return { changed: [all], takesAll: all.buyer_id };
  return checkProbability(sumOf(rows), []) === 'fits' ? { changed, takesAll: undefined } : undefined;
}

/**
 * Distributes what the typed weights leave of 100 % among the other buyers that count, in proportion to their former
 * weights; in equal parts if they had none. The sum is then exactly 100 %.
 * @returns undefined if nothing is left, or nobody to receive it
 */
export function shareRest(rows: readonly EditedWeight[]): EditedWeight[] | undefined {
  const others = rows.filter((row) => row.counts && !row.isTyped);
  const left = ALL - sumOf(rows.filter((row) => row.isTyped));
  if (others.length === 0 || left < 0) return undefined;
  const parts = inProportion(
    left,
    others.map(({ expected }) => expected),
  );
  const shared = new Map(others.map(({ buyer_id }, at) => [buyer_id, parts[at] ?? 0]));
  return rows.map((row) => {
    const weight = shared.get(row.buyer_id);
    return weight === undefined ? row : { ...row, typed: textOf(weight) };
  });
}

/** Whole parts that sum to `whole`, by the largest remainder method. */
function inProportion(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const exact = weights.map((weight) => (sum === 0 ? whole / weights.length : (whole * weight) / sum));
  const parts = exact.map(Math.floor);
  let left = whole - parts.reduce((total, part) => total + part, 0);
  const byRemainder = exact
    .map((part, at) => ({ at, rest: part - Math.floor(part) }))
    .toSorted((a, b) => b.rest - a.rest || a.at - b.at);
  for (const { at } of byRemainder) {
    if (left === 0) break;
    parts[at] = (parts[at] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
