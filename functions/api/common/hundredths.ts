/** Money is whole cents inside and euro on the wire; percentages likewise are hundredths of a percent inside. */
export const euro = (cents: number): number => cents / 100;
export const euroOrNull = (cents: number | null): number | null => (cents === null ? null : euro(cents));

export function hundredths(value: number): number;
export function hundredths(value: number | undefined): number | undefined;
export function hundredths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100);
}
