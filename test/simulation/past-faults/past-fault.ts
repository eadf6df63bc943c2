import type { Replacement } from '#test/simulation/bundle';

/** A fault that the simulation found, and how it is put back into the code of today. */
export interface PastFault {
  readonly name: string;
  readonly replacements: readonly Replacement[];
  /** Why no stored history shows it. */
  readonly notShown?: string;
}
