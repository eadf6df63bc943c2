/** What the verbs of stored histories are given. */
import type { Api } from '#test/simulation/api-process';
import type { Answered } from '#test/simulation/known';
import type { SimulatedWorld } from '#test/simulation/world';

/** Who does it, and where. */
export interface Given {
  readonly who: string;
  readonly api: Api;
  readonly world: SimulatedWorld;
  /** What clients were told. */
  readonly answered: Answered[];
  readonly refused: Set<string>;
}

export type Verbs = Readonly<Record<string, (given: Given, ...words: never[]) => Promise<unknown>>>;
