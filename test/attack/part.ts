/** What every part of the attack hands back. */
export interface PartResult {
  readonly name: string;
  readonly figures: Readonly<Record<string, string | number>>;
  /** More than the table shows, for the file. */
  readonly details?: object;
  /** What is broken, as sentences; empty when every invariant was kept. */
  readonly broken: readonly string[];
}
