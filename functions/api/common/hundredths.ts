/** The API uses euro and percent. The table stores whole cents and hundredths of a percent. */
export const euro = (cents: number): number => cents / 100;
export const euroOrNull = (cents: number | null): number | null => (cents === null ? null : euro(cents));

/** Euro to cents, or percent to hundredths of a percent, rounded. */
export function hundredths(value: number): number;
export function hundredths(value: number | undefined): number | undefined;
export function hundredths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100);
}

export const hundredthsOrNull = (value: number | null | undefined): number | null | undefined =>
  value === null ? null : hundredths(value);
