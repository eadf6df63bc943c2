/**
 * The API has money in euro and weights in percent; stored are whole cents and hundredths of a percent. Cents to euro.
 */
export const euro = (cents: number): number => cents / 100;
export const euroOrNull = (cents: number | null): number | null => (cents === null ? null : euro(cents));

/** Euro to cents, or percent to hundredths of a percent; rounded to a whole number. */
export function hundredths(value: number): number;
export function hundredths(value: number | undefined): number | undefined;
export function hundredths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100);
}
