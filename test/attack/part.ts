/** The result of each part of the attack. */
export interface PartResult {
  readonly name: string;
  readonly figures: Readonly<Record<string, string | number>>;
  /** More than the table shows; only in the result file. */
  readonly details?: object;
  /** Broken invariants as sentences; empty if all were kept. */
  readonly broken: readonly string[];
}
