/** The result of each part of the attack. */
export interface PartResult {
  readonly name: string;
  readonly figures: Readonly<Record<string, string | number>>;
  /** Details for the result file only. */
  readonly details?: object;
  /** Broken invariants as sentences; empty if all were kept. */
  readonly broken: readonly string[];
}
